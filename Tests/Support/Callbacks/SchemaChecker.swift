package import StrictJSON

/// Checks values against the schemas of an OpenAPI document, as far as ours go: an unknown keyword is a complaint.
///
/// It is stricter than they are, so that nothing is answered that is not documented: an object whose schema says nothing of
/// further members may have none, and a word is one of those listed even where the list may grow (`x-extensible-enum`).
///
/// They are JSON Schemas of draft 2020-12, so that one which stands by itself is a document too.
package struct SchemaChecker: Sendable {
    /// What references point into.
    package let document: JSON
    private let patterns = SchemaPatterns()

    /// Keywords that say nothing about a value.
    private static let remarks: Set<String> = [
        "description", "default", "format", "examples", "summary", "title", "$schema", "$id", "$defs",
    ]

    /// A checker whose references point into a document.
    package init(document: JSON) { self.document = document }

    /// What is wrong with a value, each as a pointer and a sentence; empty if it is as the schema says.
    package func complaints(about value: JSON, schema: JSON, at place: String = "") -> [String] {
        guard let keywords = schema.objectValue else { return ["\(place): the schema is no object"] }
        let further = Self.isClosed(schema) ? object("additionalProperties", false, value, schema, place) : []
        return further
            + keywords.flatMap { keyword -> [String] in
                if Self.remarks.contains(keyword.key) { return [] }
                return check(keyword.key, keyword.value, value, schema, place)
            }
    }

    /// The value that a reference points to.
    package func resolved(_ json: JSON) -> JSON {
        guard let reference = json["$ref"]?.stringValue else { return json }
        return reference.split(separator: "/").dropFirst().reduce(document) { $0[String($1)] ?? .null }
    }

    private func check(
        _ keyword: String,
        _ rule: JSON,
        _ value: JSON,
        _ schema: JSON,
        _ place: String
    ) -> [String] {
        switch keyword {
        case "$ref": complaints(about: value, schema: resolved(schema), at: place)
        case "type": Self.complain(Self.isType(rule, value), place, "is no \(rule.text)")
        case "const": Self.complain(value == rule, place, "is not \(rule.text)")
        case "enum", "x-extensible-enum":
            Self.complain(rule.arrayValue?.contains(value) == true, place, "\(value.text) is not allowed")
        case "oneOf", "anyOf": alternatives(keyword, rule, value, place)
        case "discriminator": discriminated(rule, value, place)
        case "required", "properties", "additionalProperties", "minProperties", "maxProperties":
            object(keyword, rule, value, schema, place)
        case "items", "minItems", "maxItems", "contains": array(keyword, rule, value, place)
        case "minimum", "maximum": number(keyword, rule, value, place)
        case "minLength", "maxLength", "pattern": text(keyword, rule, value, place)
        default: ["\(place): the checker does not know the keyword \(keyword)"]
        }
    }

    private func alternatives(_ keyword: String, _ rule: JSON, _ value: JSON, _ place: String) -> [String] {
        let count = (rule.arrayValue ?? []).count { complaints(about: value, schema: $0, at: place).isEmpty }
        return Self.complain(keyword == "oneOf" ? count == 1 : count > 0, place, "fits \(count) of \(keyword)")
    }

    /// A union's word names the alternative that the value fits.
    private func discriminated(_ rule: JSON, _ value: JSON, _ place: String) -> [String] {
        let word = rule["propertyName"]?.stringValue.flatMap { value[$0]?.stringValue }
        guard let target = word.flatMap({ rule["mapping"]?[$0] }) else { return ["\(place): is no alternative's"] }
        return complaints(about: value, schema: ["$ref": target], at: place)
    }

    /// Whether an object has no other members here than those documented.
    private static func isClosed(_ schema: JSON) -> Bool {
        schema["type"] == "object" && schema["properties"] != nil && schema["additionalProperties"] == nil
    }

    private func object(
        _ keyword: String,
        _ rule: JSON,
        _ value: JSON,
        _ schema: JSON,
        _ place: String
    ) -> [String] {
        guard let members = value.objectValue else { return [] }
        switch keyword {
        case "required":
            return (rule.arrayValue ?? []).compactMap(\.stringValue).flatMap { key in
                Self.complain(value[key] != nil, place, "lacks \(key)")
            }
        case "properties":
            return members.flatMap { member in
                rule[member.key].map { complaints(about: member.value, schema: $0, at: "\(place)/\(member.key)") } ?? []
            }
        case "additionalProperties":
            guard rule != true else { return [] }
            return members.filter { schema["properties"]?[$0.key] == nil }.flatMap { member in
                rule == false
                    ? ["\(place): has the undocumented member \(member.key)"]
                    : complaints(about: member.value, schema: rule, at: "\(place)/\(member.key)")
            }
        case "minProperties":
            return Self.complain(members.count >= rule.integerValue ?? 0, place, "has too few members")
        default: return Self.complain(members.count <= rule.integerValue ?? 0, place, "has too many members")
        }
    }

    private func array(_ keyword: String, _ rule: JSON, _ value: JSON, _ place: String) -> [String] {
        guard let elements = value.arrayValue else { return [] }
        switch keyword {
        case "items":
            return elements.enumerated().flatMap { complaints(about: $1, schema: rule, at: "\(place)/\($0)") }
        case "contains":
            return Self.complain(
                elements.contains { complaints(about: $0, schema: rule).isEmpty },
                place,
                "has no element that fits"
            )
        case "minItems": return Self.complain(elements.count >= rule.integerValue ?? .max, place, "is too short")
        default: return Self.complain(elements.count <= rule.integerValue ?? .min, place, "is too long")
        }
    }

    private func number(_ keyword: String, _ rule: JSON, _ value: JSON, _ place: String) -> [String] {
        guard let number = value.integerValue, let bound = rule.integerValue else { return [] }
        let fits = keyword == "minimum" ? number >= bound : number <= bound
        return Self.complain(fits, place, "\(number) is beyond the \(keyword)")
    }

    private func text(_ keyword: String, _ rule: JSON, _ value: JSON, _ place: String) -> [String] {
        guard let text = value.stringValue else { return [] }
        let length = Int64(text.unicodeScalars.count)
        switch keyword {
        case "minLength": return Self.complain(length >= rule.integerValue ?? .max, place, "is too short")
        case "maxLength": return Self.complain(length <= rule.integerValue ?? .min, place, "is too long")
        default:
            let fits = rule.stringValue.map { patterns.fits(text, $0) } ?? false
            return Self.complain(fits, place, "\(text) does not fit \(rule.text)")
        }
    }

    private static func isType(_ rule: JSON, _ value: JSON) -> Bool {
        if let names = rule.arrayValue { return names.contains { isType($0, value) } }
        return switch (rule.stringValue, value) {
        case ("object", .object), ("array", .array), ("string", .string), ("boolean", .bool), ("null", .null),
            ("integer", .integer):
            true
        default: false
        }
    }

    private static func complain(_ isFine: Bool, _ place: String, _ sentence: String) -> [String] {
        isFine ? [] : ["\(place): \(sentence)"]
    }
}
