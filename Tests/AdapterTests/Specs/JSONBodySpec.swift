import AdapterKit
import StrictJSON
import Testing

/// An OpenAPI description of requests whose bodies are JSON.
struct JSONBodySpec {
    private let json: JSON

    /// Adyen's description of Checkout v72, reduced to the operations that are used (MIT; the licence lies beside it).
    static var adyen: JSONBodySpec {
        get throws { JSONBodySpec(json: try JSON.parse(try SampleFiles.data("specs/adyen.json"), depthLimit: 64)) }
    }

    /// What a request's body breaks of the description.
    func violations(_ request: WireRequest, baseURL: String) throws -> [String] {
        try #require(request.url.hasPrefix(baseURL))
        let path = request.url.dropFirst(baseURL.count)
        let operation = try #require(self.operation(request.method, at: path), "no operation for \(request)")
        let schema = try #require(operation["requestBody"]?["content"]?["application/json"]?["schema"])
        let schemas = try #require(json["components"]?["schemas"])
        return JSONBodySchema(schema: schema, schemas: schemas).violations(try JSON.parse(request.body))
    }

    /// The operation at a path; a template such as `{reference}` matches one segment.
    private func operation(_ method: WireRequest.Method, at path: Substring) -> JSON? {
        let segments = path.split(separator: "/")
        let matching = (json["paths"]?.objectValue ?? []).filter { member in
            let template = member.key.split(separator: "/")
            return template.count == segments.count
                && zip(template, segments).allSatisfy { $0 == $1 || $0.hasPrefix("{") }
        }
        return matching.first?.value[method.rawValue.lowercased()]
    }
}
