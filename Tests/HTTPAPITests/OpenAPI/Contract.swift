import StrictJSON
import TributaryTestKit

@testable import HTTPAPI

/// What `openapi.yaml` promises of answers.
struct Contract {
    private static let methods: Set<String> = ["get", "post", "put", "patch", "delete", "head"]

    let document: JSON
    private let checker: SchemaChecker

    init() throws {
        document = try OpenAPIDocument.load()
        checker = SchemaChecker(document: document)
    }

    /// Every operation, as `GET /v1/orders`.
    var operations: Set<String> {
        Set(
            (document["paths"]?.objectValue ?? []).flatMap { path in
                (path.value.objectValue ?? []).filter { Self.methods.contains($0.key) }
                    .map { "\($0.key.uppercased()) \(path.key)" }
            }
        )
    }

    /// What is wrong with an answer to an operation such as `GET /v1/orders/{id}`.
    func complaints(about reply: APIReply, to operation: String) -> [String] {
        guard let promise = answer(reply.status, to: operation) else {
            return ["\(operation) does not document \(reply.status)"]
        }
        let type = reply.header("Content-Type") ?? ""
        guard let schema = promise["content"]?[type]?["schema"] else {
            return ["\(operation) \(reply.status) does not document \(type)"]
        }
        let headers = (promise["headers"]?.objectValue ?? []).map(\.key)
        let missing = headers.filter { $0 != "Idempotent-Replayed" && reply.header($0) == nil }
        return checker.complaints(about: reply.json, schema: schema) + missing.map { "the header \($0) is missing" }
            + unexplained(reply.json)
    }

    /// The codes of a problem that the table of codes does not explain.
    private func unexplained(_ answer: JSON) -> [String] {
        guard answer["request_id"] != nil, let code = answer["code"]?.stringValue else { return [] }
        let codes = [code] + (answer["errors"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue }
        return codes.filter { ProblemCode.byCode[$0] == nil }.map { "the code \($0) is explained nowhere" }
    }

    /// What is wrong with a request's body.
    func complaints(aboutBody body: JSON, of operation: String) -> [String] {
        guard let schema = self.operation(operation)?["requestBody"]?["content"]?["application/json"]?["schema"] else {
            return ["\(operation) documents no body"]
        }
        return checker.complaints(about: body, schema: schema)
    }

    /// The examples of request bodies, each with its operation.
    var bodyExamples: [(operation: String, body: JSON)] {
        operations.sorted().flatMap { operation -> [(String, JSON)] in
            let examples = self.operation(operation)?["requestBody"]?["content"]?["application/json"]?["examples"]
            return (examples?.objectValue ?? []).compactMap { example in
                example.value["value"].map { (operation, $0) }
            }
        }
    }

    /// The examples of problems.
    var problemExamples: [JSON] {
        (document["components"]?["responses"]?.objectValue ?? []).flatMap { response in
            (response.value["content"]?["application/problem+json"]?["examples"]?.objectValue ?? [])
                .compactMap { $0.value["value"] }
        }
    }

    /// What is wrong with a problem.
    func complaints(aboutProblem problem: JSON) -> [String] {
        checker.complaints(about: problem, schema: ["$ref": "#/components/schemas/Problem"])
    }

    private func operation(_ name: String) -> JSON? {
        let words = name.split(separator: " ").map(String.init)
        return document["paths"]?[words[1]]?[words[0].lowercased()]
    }

    private func answer(_ status: Int, to operation: String) -> JSON? {
        self.operation(operation)?["responses"]?[String(status)].map { checker.resolved($0) }
    }
}
