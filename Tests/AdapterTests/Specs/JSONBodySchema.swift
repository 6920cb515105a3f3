import StrictJSON

/// Holds a JSON value against a schema of an OpenAPI description.
///
/// An object takes no member that the schema does not list, unless the description says what others may be.
struct JSONBodySchema {
    let schema: JSON
    /// The description's named schemas.
    let schemas: JSON

    /// What breaks the schema, each with the path of the value.
    func violations(_ value: JSON, at path: String = "") -> [String] {
        if let name = schema["$ref"]?.stringValue?.split(separator: "/").last {
            guard let named = schemas[String(name)] else { return ["\(path) is of an unknown schema"] }
            return nested(named).violations(value, at: path)
        }
        if let alternatives = schema["oneOf"]?.arrayValue {
            let all = alternatives.filter { accepts(type: value["type"], $0) }.map {
                nested($0).violations(value, at: path)
            }
            return all.min { $0.count < $1.count } ?? ["\(path) is none of the alternatives"]
        }
        switch (schema["type"]?.stringValue, value) {
        case ("object", .object(let members)): return objectViolations(members, at: path)
        case ("array", .array(let elements)):
            guard let items = schema["items"] else { return ["\(path) is no array"] }
            return elements.enumerated().flatMap { nested(items).violations($1, at: "\(path)[\($0)]") }
        case ("integer", .integer), ("boolean", .bool): return []
        case ("string", .string(let text)): return textViolations(text, at: path)
        default: return ["\(path) has the wrong type"]
        }
    }

    private func nested(_ schema: JSON) -> JSONBodySchema { JSONBodySchema(schema: schema, schemas: schemas) }

    /// Whether an alternative may have a member `type` with this value.
    private func accepts(type: JSON?, _ alternative: JSON) -> Bool {
        let name = alternative["$ref"]?.stringValue?.split(separator: "/").last.map { String($0) }
        let words = name.flatMap { schemas[$0]?["properties"]?["type"]?["enum"]?.arrayValue }
        return words.map { $0.contains(type ?? .null) } ?? true
    }

    private func objectViolations(_ members: [JSON.Member], at path: String) -> [String] {
        let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let keys = Set(members.map(\.key))
        var found = required.filter { !keys.contains($0) }.map { "\(Self.path($0, in: path)) is missing" }
        for member in members {
            let child = Self.path(member.key, in: path)
            if let known = schema["properties"]?[member.key] {
                found += nested(known).violations(member.value, at: child)
            } else if let any = schema["additionalProperties"], any.objectValue != nil {
                found += nested(any).violations(member.value, at: child)
            } else {
                found.append("\(child) is unknown")
            }
        }
        return found
    }

    private func textViolations(_ text: String, at path: String) -> [String] {
        let length = text.unicodeScalars.count
        var found: [String] = []
        if let limit = schema["maxLength"]?.integerValue, length > limit {
            found.append("\(path) is longer than \(limit)")
        }
        if let limit = schema["minLength"]?.integerValue, length < limit {
            found.append("\(path) is shorter than \(limit)")
        }
        if let words = schema["enum"]?.arrayValue, !words.contains(.string(text)) {
            found.append("\(path) is none of its words")
        }
        return found
    }

    private static func path(_ key: String, in parent: String) -> String { parent.isEmpty ? key : "\(parent).\(key)" }
}
