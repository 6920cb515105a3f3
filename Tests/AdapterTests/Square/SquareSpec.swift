import AdapterKit
import StrictJSON
import Testing

/// Square's OpenAPI description, reduced to the operations that are used (Apache-2.0; the licence lies beside it), as
/// far as requests are held against it.
struct SquareSpec {
    private let json: JSON

    /// Reads the description.
    init() throws { json = try JSON.parse(try SampleFiles.data("specs/square.json"), depthLimit: 64) }

    /// The codes that Square lists with a category.
    func codes(of category: String) throws -> [String] {
        let listed = try #require(json["x-error-codes"]?[category]?.arrayValue)
        return listed.compactMap(\.stringValue)
    }

    /// What a request breaks of the description: path, method, query, body.
    func violations(_ request: WireRequest, baseURL: String) throws -> [String] {
        let parts = request.url.dropFirst(baseURL.count).split(separator: "?", maxSplits: 1)
        let path = try #require(parts.first)
        let operation = try #require(self.operation(request.method, at: path), "no operation for \(request)")
        return try queryViolations(operation, parts.count == 2 ? String(parts[1]) : "")
            + bodyViolations(operation, request)
    }

    /// The operation at a path; a literal segment matches better than a template such as `{payment_id}`.
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

    private func queryViolations(_ operation: JSON, _ query: String) throws -> [String] {
        guard case .object(let fields)? = FormTree(query) else { return ["a malformed query"] }
        let parameters = (operation["parameters"]?.arrayValue ?? []).filter { $0["in"]?.stringValue == "query" }
        return fields.sorted { $0.key < $1.key }.flatMap { name, value -> [String] in
            guard let schema = parameters.first(where: { $0["name"]?.stringValue == name })?["schema"],
                case .text(let text) = value
            else { return ["\(name) is unknown"] }
            let isInteger = schema["type"]?.stringValue == "integer"
            guard isInteger else { return violations(.string(text), schema, at: name) }
            return Int64(text).map { violations(.integer($0), schema, at: name) } ?? ["\(name) is no integer"]
        }
    }

    private func bodyViolations(_ operation: JSON, _ request: WireRequest) throws -> [String] {
        guard let schema = operation["requestBody"]?["content"]?["application/json"]?["schema"] else {
            return request.body.isEmpty ? [] : ["a body that is not expected"]
        }
        return violations(try JSON.parse(request.body), schema, at: "")
    }

    /// What breaks a schema, each with the name of the field; members that are not listed, or only read, break it.
    private func violations(_ value: JSON, _ schema: JSON, at name: String) -> [String] {
        if let reference = schema["$ref"]?.stringValue?.split(separator: "/").last {
            guard let resolved = json["components"]?["schemas"]?[String(reference)] else {
                return ["\(name): no schema"]
            }
            return violations(value, resolved, at: name)
        }
        switch (schema["type"]?.stringValue, value) {
        case (_, .null) where schema["nullable"]?.boolValue == true: return []
        case ("object", .object(let members)): return objectViolations(members, schema, at: name)
        case ("string", .string(let text)): return textViolations(text, schema, at: name)
        case ("integer", .integer), ("boolean", .bool): return []
        default: return ["\(name) has the wrong type"]
        }
    }

    private func objectViolations(_ members: [JSON.Member], _ schema: JSON, at name: String) -> [String] {
        let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let prefix = name.isEmpty ? "" : name + "."
        let missing = required.filter { key in !members.contains { $0.key == key } }.map { "\(prefix)\($0) is missing" }
        return missing
            + members.flatMap { member -> [String] in
                guard let known = schema["properties"]?[member.key] else {
                    return ["\(prefix)\(member.key) is unknown"]
                }
                if known["readOnly"]?.boolValue == true { return ["\(prefix)\(member.key) is only read"] }
                return violations(member.value, known, at: prefix + member.key)
            }
    }

    private func textViolations(_ text: String, _ schema: JSON, at name: String) -> [String] {
        var found: [String] = []
        if let limit = schema["maxLength"]?.integerValue, text.unicodeScalars.count > limit {
            found.append("\(name) is longer than \(limit)")
        }
        if let least = schema["minLength"]?.integerValue, text.unicodeScalars.count < least {
            found.append("\(name) is shorter than \(least)")
        }
        let words = schema["enum"]?.arrayValue?.compactMap(\.stringValue)
        if let words, !words.contains(text) { found.append("\(name) is none of its words") }
        return found
    }
}
