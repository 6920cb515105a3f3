import StrictJSON

/// Holds a decoded form against a schema of an OpenAPI description.
///
/// Stricter than the description in one point: an object takes no member that it does not list, even where the
/// description leaves that open.
struct OpenAPISchema {
    let schema: JSON

    /// What breaks the schema, each with the name of the field.
    func violations(_ value: FormTree, at name: String = "") -> [String] {
        if let alternatives = schema["anyOf"]?.arrayValue {
            let all = alternatives.map { OpenAPISchema(schema: $0).violations(value, at: name) }
            return all.min { $0.count < $1.count } ?? []
        }
        switch (schema["type"]?.stringValue, value) {
        case ("object", .object(let members)): return objectViolations(members, at: name)
        case ("array", .object(let members)): return arrayViolations(members, at: name)
        case ("integer", .text(let text)): return Int64(text) == nil ? ["\(name) is no integer"] : []
        case ("boolean", .text(let text)): return text == "true" || text == "false" ? [] : ["\(name) is no boolean"]
        case ("string", .text(let text)): return textViolations(text, at: name)
        default: return ["\(name) has the wrong type"]
        }
    }

    private func objectViolations(_ members: [String: FormTree], at name: String) -> [String] {
        let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        var found = required.filter { members[$0] == nil }.map { "\(Self.name($0, in: name)) is missing" }
        for (key, value) in members.sorted(by: { $0.key < $1.key }) {
            let child = Self.name(key, in: name)
            if let known = schema["properties"]?[key] {
                found += OpenAPISchema(schema: known).violations(value, at: child)
            } else if let any = schema["additionalProperties"], any.objectValue != nil {
                found += OpenAPISchema(schema: any).violations(value, at: child)
            } else {
                found.append("\(child) is unknown")
            }
        }
        return found
    }

    private func arrayViolations(_ members: [String: FormTree], at name: String) -> [String] {
        guard let items = schema["items"], Set(members.keys) == Set((0..<members.count).map { String($0) }) else {
            return ["\(name) is no array"]
        }
        return members.flatMap { OpenAPISchema(schema: items).violations($0.value, at: Self.name($0.key, in: name)) }
    }

    private func textViolations(_ text: String, at name: String) -> [String] {
        var found: [String] = []
        if let limit = schema["maxLength"]?.integerValue, text.unicodeScalars.count > limit {
            found.append("\(name) is longer than \(limit)")
        }
        let words = schema["enum"]?.arrayValue?.compactMap(\.stringValue)
        let isOpen = schema["x-stripeBypassValidation"]?.boolValue == true
        if let words, !isOpen, !words.contains(text) { found.append("\(name) is none of its words") }
        if schema["format"]?.stringValue == "currency" {
            let isCode = text.utf8.count == 3 && text.utf8.allSatisfy { $0 >= 0x61 && $0 <= 0x7A }
            if !isCode { found.append("\(name) is no currency") }
        }
        return found
    }

    private static func name(_ key: String, in parent: String) -> String { parent.isEmpty ? key : "\(parent)[\(key)]" }
}
