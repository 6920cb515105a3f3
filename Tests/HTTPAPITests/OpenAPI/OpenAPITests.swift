import Domain
import HTTPTypes
import Hummingbird
import Keyring
import Logging
import StrictJSON
import Testing
import TributaryTestKit

@testable import HTTPAPI

@Suite("openapi.yaml", .timeLimit(.minutes(10)))
struct OpenAPITests {
    @Test("describes the routes that there are, and no others")
    func routes() async throws {
        let contract = try Contract()
        try await APIHarness.with(.sqlite) { api in
            let server = APIServer(
                gateway: api.gateway,
                fingerprints: try Fingerprints(key: Keyring.makeKey()),
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
        // What a receiver of every callback reads, which stands on no path.
        #expect(Set(defined).subtracting(references) == ["#/components/schemas/Callback"])
    }

    @Test("has its webhooks from the one list of what is told")
    func webhooks() throws {
        let document = try OpenAPIDocument.load()
        let told = Announcement.Kind.allCases.map(\.rawValue) + ["endpoint.test"]
        #expect((document["webhooks"]?.objectValue ?? []).map(\.key).sorted() == told.sorted())
        let union = document["components"]?["schemas"]?["Callback"]
        let mapping = union?["discriminator"]?["mapping"]?.objectValue ?? []
        #expect(mapping.map(\.key).sorted() == told.sorted())
        for member in mapping {
            let schema = document["webhooks"]?[member.key]?["post"]?["requestBody"]?["content"]?["application/json"]?[
                "schema"
            ]
            #expect(schema?["$ref"] == member.value, "\(member.key)")
        }
    }

    @Test("names every union and its alternatives, and says by which word they are told apart")
    func unions() throws {
        let document = try OpenAPIDocument.load()
        let checker = SchemaChecker(document: document)
        var unions = 0
        for (path, schema) in Self.schemas(in: document) {
            let alternatives = (schema["oneOf"] ?? schema["anyOf"])?.arrayValue ?? []
            let others = alternatives.filter { $0 != ["type": "null"] }
            #expect(others.allSatisfy { $0["$ref"] != nil }, "\(path)")
            let objects = others.filter { checker.resolved($0)["type"] == "object" }
            guard objects.count > 1, path != "components/schemas/PaymentRequestToValidate" else { continue }
            unions += 1
            #expect(path.split(separator: "/").count == 3, "\(path) has a name")
            let word = try #require(schema["discriminator"]?["propertyName"]?.stringValue, "\(path)")
            let mapping = schema["discriminator"]?["mapping"]?.objectValue ?? []
            #expect(Set(mapping.map(\.value)) == Set(objects.compactMap { $0["$ref"] }), "\(path)")
            for object in objects {
                #expect(checker.resolved(object)["required"]?.arrayValue?.contains(.string(word)) == true, "\(path)")
            }
        }
        #expect(unions >= 6)
    }

    @Test("names every object and every list of words, so that generated classes have names")
    func names() throws {
        for (path, schema) in Self.schemas(in: try OpenAPIDocument.load()) where path.split(separator: "/").count > 3 {
            #expect(schema["enum"] == nil && schema["x-extensible-enum"] == nil, "\(path)")
            #expect(schema["properties"] == nil || schema["$ref"] != nil, "\(path)")
        }
    }

    @Test("takes nothing in requests that it does not describe, and forbids nothing in answers and callbacks")
    func openness() throws {
        let document = try OpenAPIDocument.load()
        let schemas = document["components"]?["schemas"]?.objectValue ?? []
        var asked: Set<String> = []
        var answered: Set<String> = []
        for path in document["paths"]?.objectValue ?? [] {
            for operation in path.value.objectValue ?? [] {
                asked.formUnion(Self.references(in: operation.value["requestBody"] ?? .null))
                answered.formUnion(Self.references(in: operation.value["responses"] ?? .null))
            }
        }
        answered.formUnion(Self.references(in: document["webhooks"] ?? .null))
        answered.formUnion(Self.references(in: document["components"]?["responses"] ?? .null))
        func reached(_ first: Set<String>) -> Set<String> {
            var (all, open) = (Set<String>(), first)
            while let reference = open.popFirst() {
                guard all.insert(reference).inserted, let name = reference.split(separator: "/").last else { continue }
                open.formUnion(Self.references(in: document["components"]?["schemas"]?[String(name)] ?? .null))
            }
            return all
        }
        let (requests, answers) = (reached(asked), reached(answered))
        for schema in schemas where schema.value["properties"] != nil {
            let reference = "#/components/schemas/\(schema.key)"
            let further = schema.value["additionalProperties"]
            if answers.contains(reference) { #expect(further != false, "\(schema.key) is answered") }
            // Apple's own document is taken and answered as Apple has it.
            if requests.contains(reference), !schema.key.hasPrefix("ApplePay") || schema.key == "ApplePayInstrument" {
                #expect(further == false, "\(schema.key) is asked")
            }
        }
    }

    @Test("notices an answer that breaks it")
    func notices() throws {
        let contract = try Contract()
        let problem: JSON = [
            "type": "/problems/x", "title": "X", "status": 422, "code": "x", "detail": "X.", "errors": [],
            "request_id": "req_1",
        ]
        #expect(contract.complaints(aboutProblem: problem).isEmpty)
        let broken: [JSON] = [
            problem.with("code", nil), problem.with("extra", 1), problem.with("status", "422"),
            problem.with("status", 200), problem.with("type", "about:blank"), problem.with("errors", [["code": "x"]]),
        ]
        for problem in broken { #expect(contract.complaints(aboutProblem: problem).count >= 1, "\(problem.text)") }
    }

    /// Every schema of the document, with its path.
    private static func schemas(in document: JSON) -> [(String, JSON)] {
        func all(_ json: JSON, _ path: String) -> [(String, JSON)] {
            switch json {
            case .array(let elements): return elements.enumerated().flatMap { all($1, "\(path)/\($0)") }
            case .object(let members):
                return [(path, json)]
                    + members.filter { $0.key != "examples" && $0.key != "example" }
                    .flatMap { all($0.value, "\(path)/\($0.key)") }
            default: return []
            }
        }
        return ["paths", "components"].flatMap { all(document[$0] ?? .null, $0) }
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
