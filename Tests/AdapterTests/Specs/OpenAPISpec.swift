import AdapterKit
import StrictJSON
import Testing
import WireFormats

/// An OpenAPI description, as far as requests are held against it.
struct OpenAPISpec {
    private let json: JSON

    /// Stripe's description, reduced to the operations that are used (MIT; the licence lies beside it).
    static var stripe: OpenAPISpec {
        get throws { OpenAPISpec(json: try JSON.parse(try SampleFiles.data("specs/stripe.json"), depthLimit: 64)) }
    }

    /// What a request breaks of the description: path, method, query, body.
    func violations(_ request: WireRequest, baseURL: String) throws -> [String] {
        let parts = request.url.dropFirst(baseURL.count).split(separator: "?", maxSplits: 1)
        let path = try #require(parts.first)
        let operation = try #require(self.operation(request.method, at: path), "no operation for \(request)")
        var found: [String] = []
        let query = try #require(FormTree(parts.count == 2 ? String(parts[1]) : ""))
        found += OpenAPISchema(schema: Self.querySchema(operation)).violations(query)
        let form = operation["requestBody"]?["content"]?[FormFields.contentType]?["schema"]
        if let form {
            let body = try #require(FormTree(String(decoding: request.body, as: UTF8.self)), "a malformed form")
            found += OpenAPISchema(schema: form).violations(body)
        } else if !request.body.isEmpty {
            found.append("a body that is not expected")
        }
        return found
    }

    /// The operation at a path; a template such as `{intent}` matches one segment, a literal segment matches better.
    private func operation(_ method: WireRequest.Method, at path: Substring) -> JSON? {
        let segments = path.split(separator: "/")
        let matching = (json["paths"]?.objectValue ?? []).filter { member in
            let template = member.key.split(separator: "/")
            return template.count == segments.count
                && zip(template, segments).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }
        let best = matching.min { $0.key.count { $0 == "{" } < $1.key.count { $0 == "{" } }
        return best?.value[method.rawValue.lowercased()]
    }

    private static func querySchema(_ operation: JSON) -> JSON {
        let parameters = (operation["parameters"]?.arrayValue ?? []).filter { $0["in"]?.stringValue == "query" }
        let members = parameters.compactMap { parameter in
            parameter["name"]?.stringValue.flatMap { name in
                parameter["schema"].map { JSON.Member(name, $0) }
            }
        }
        let required = parameters.filter { $0["required"]?.boolValue == true }.compactMap { $0["name"] }
        return .object([
            JSON.Member("type", "object"), JSON.Member("properties", .object(members)),
            JSON.Member("required", .array(required)),
        ])
    }
}
