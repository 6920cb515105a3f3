import Domain
import HTTPTypes
import Hummingbird
import Logging
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("openapi.yaml", .timeLimit(.minutes(1)))
struct OpenAPITests {
    @Test("describes the routes that there are, and no others")
    func routes() async throws {
        let contract = try Contract()
        try await APIHarness.with(.sqlite) { api in
            let server = APIServer(
                gateway: api.gateway,
                keyring: api.keyring,
                limits: APILimits(),
                logger: Logger(label: "api") { _ in SwiftLogNoOpLogHandler() }
            )
            let routes = Set(server.router().routes.map { "\($0.method.rawValue) \($0.path.description)" })
            #expect(contract.operations == routes)
        }
    }

    @Test("is served as JSON without a key")
    func served() async throws {
        let document = try OpenAPIDocument.load()
        try await APIHarness.with(.sqlite) { api in
            let reply = try await api.anonymous.get("/openapi.json")
            #expect(reply.status == 200)
            #expect(reply.header("Content-Type") == "application/json")
            #expect(reply.json == document)
            #expect(reply.json["openapi"] == "3.1.0")
        }
    }

    @Test("has examples that fit its schemas")
    func examples() throws {
        let contract = try Contract()
        #expect(contract.bodyExamples.count >= 5)
        for (operation, body) in contract.bodyExamples {
            #expect(contract.complaints(aboutBody: body, of: operation).isEmpty, "\(operation)")
        }
        #expect(contract.problemExamples.count >= 2)
        for problem in contract.problemExamples {
            #expect(contract.complaints(aboutProblem: problem).isEmpty, "\(problem.text)")
        }
    }

    @Test("refers to nothing that is not there, and documents no schema in vain")
    func references() throws {
        let document = try OpenAPIDocument.load()
        let checker = SchemaChecker(document: document)
        let references = Self.references(in: document)
        for reference in references {
            #expect(!checker.resolved(["$ref": .string(reference)]).isNull, "\(reference)")
        }
        let defined = ["schemas", "responses", "parameters", "headers"].flatMap { kind in
            (document["components"]?[kind]?.objectValue ?? []).map { "#/components/\(kind)/\($0.key)" }
        }
        #expect(Set(defined).subtracting(references).isEmpty)
    }

    @Test("notices an answer that breaks it")
    func notices() throws {
        let contract = try Contract()
        let problem: JSON = [
            "type": "urn:tributary:problem:x", "title": "X", "status": 422, "code": "x", "detail": "X.", "errors": [],
            "request_id": "req_1",
        ]
        #expect(contract.complaints(aboutProblem: problem).isEmpty)
        let broken: [JSON] = [
            problem.with("code", nil), problem.with("extra", 1), problem.with("status", "422"),
            problem.with("status", 200), problem.with("type", "about:blank"), problem.with("errors", [["code": "x"]]),
        ]
        for problem in broken { #expect(contract.complaints(aboutProblem: problem).count >= 1, "\(problem.text)") }
    }

    private static func references(in json: JSON) -> Set<String> {
        switch json {
        case .array(let elements): elements.reduce(into: []) { $0.formUnion(references(in: $1)) }
        case .object(let members):
            members.reduce(into: []) { all, member in
                if member.key == "$ref", let text = member.value.stringValue { all.insert(text) }
                all.formUnion(references(in: member.value))
            }
        default: []
        }
    }
}
