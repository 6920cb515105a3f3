import AdapterKit
import StrictJSON
import Testing

/// Checkout.com's requests as its documents describe them, held in a schema written by hand (`specs/checkout.json`).
///
/// An object takes no member that is not listed.
struct CheckoutSchema {
    private let json: JSON

    /// Reads the file.
    init() throws { json = try JSON.parse(try SampleFiles.data("specs/checkout.json")) }

    /// What a request breaks, each with the name of the field.
    func violations(_ request: WireRequest, baseURL: String) throws -> [String] {
        let path = request.url.dropFirst(baseURL.count).prefix { $0 != "?" }
        let segments = path.split(separator: "/").map { String($0) }
        let known = segments.enumerated().map { $0.offset == 1 ? "{id}" : $0.element }
        let operation = json["operations"]?["\(request.method.rawValue) /\(known.joined(separator: "/"))"]
        let schema = try #require(operation, "no operation for \(request)")
        guard schema["body"] != nil else { return request.body.isEmpty ? [] : ["a body that is not expected"] }
        return violations(of: try JSON.parse(request.body), against: try #require(schema["body"]), at: "")
    }

    /// What a value breaks of a schema.
    func violations(of value: JSON, against schema: JSON, at name: String) -> [String] {
        if let reference = schema["use"]?.stringValue {
            guard let used = json["schemas"]?[reference] else { return ["\(name) has no schema"] }
            return violations(of: value, against: used, at: name)
        }
        if let choice = schema["by"]?.stringValue {
            let word = value[choice]?.stringValue ?? ""
            guard let chosen = schema["alternatives"]?[word] else { return ["\(name).\(choice) is none of its words"] }
            return violations(of: value, against: chosen, at: name)
        }
        switch (schema["type"]?.stringValue, value) {
        case ("object", .object(let members)): return object(members, schema, at: name)
        case ("array", .array(let elements)):
            return elements.enumerated().flatMap { index, element in
                violations(of: element, against: schema["items"] ?? .null, at: "\(name)[\(index)]")
            }
        case ("integer", .integer(let number)): return range(number, schema, at: name)
        case ("boolean", .bool): return []
        case ("string", .string(let text)): return self.text(text, schema, at: name)
        default: return ["\(name) has the wrong type"]
        }
    }

    private func object(_ members: [JSON.Member], _ schema: JSON, at name: String) -> [String] {
        let required = schema["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let missing = required.filter { key in !members.contains { $0.key == key } }
        return missing.map { "\(name).\($0) is missing" }
            + members.flatMap { member in
                let known = schema["properties"]?[member.key] ?? schema["any"]
                return known.map { violations(of: member.value, against: $0, at: "\(name).\(member.key)") }
                    ?? ["\(name).\(member.key) is unknown"]
            }
    }

    private func range(_ number: Int64, _ schema: JSON, at name: String) -> [String] {
        let least = schema["minimum"]?.integerValue ?? .min
        let greatest = schema["maximum"]?.integerValue ?? .max
        return least <= number && number <= greatest ? [] : ["\(name) is out of range"]
    }

    private func text(_ text: String, _ schema: JSON, at name: String) -> [String] {
        var found: [String] = []
        if let limit = schema["maxLength"]?.integerValue, text.unicodeScalars.count > limit {
            found.append("\(name) is longer than \(limit)")
        }
        if let words = schema["enum"]?.arrayValue, !words.contains(.string(text)) {
            found.append("\(name) is none of its words")
        }
        if let prefix = schema["prefix"]?.stringValue, !text.hasPrefix(prefix) {
            found.append("\(name) does not begin with \(prefix)")
        }
        return found
    }
}
