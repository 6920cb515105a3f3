import WireFormats

/// The fields of a form (`application/x-www-form-urlencoded`), decoded, in their order.
package struct FormDocument: Hashable, Sendable {
    /// The fields' names, in their order.
    package var names: [String] { fields.map(\.name) }
    private var fields: [Field] = []

    private struct Field: Hashable {
        var name: String
        var value: String
    }

    /// Reads a form; an empty body has no fields.
    ///
    /// - Throws: ``Refusal`` if an escape is broken or the text is not UTF-8.
    package init(_ body: [UInt8]) throws(Refusal) {
        for part in body.split(separator: UInt8(ascii: "&")) {
            let pair = part.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = Self.decoded(pair[0]), let value = Self.decoded(pair.count > 1 ? pair[1] : []) else {
                throw .invalid("The form cannot be read.")
            }
            fields.append(Field(name: name, value: value))
        }
    }

    /// The value of the last field with that name, as brackets name it: `card[number]`.
    package func value(_ name: String) -> String? { fields.last { $0.name == name }?.value }

    /// Whether a field has that name, or one inside it.
    package func contains(_ name: String) -> Bool {
        fields.contains { $0.name == name || $0.name.hasPrefix(name + "[") }
    }

    /// The values of `name[key]` by their keys.
    package func dictionary(_ name: String) -> [String: String] {
        var values: [String: String] = [:]
        for field in fields where field.name.hasPrefix(name + "[") && field.name.hasSuffix("]") {
            values[String(field.name.dropFirst(name.count + 1).dropLast())] = field.value
        }
        return values
    }

    /// The values of `name[]`, `name[0]`, `name[1]` and so on, in their order.
    package func array(_ name: String) -> [String] {
        fields.filter { $0.name.hasPrefix(name + "[") && $0.name.hasSuffix("]") }.map(\.value)
    }

    /// The form with another one's fields in place of its own of the same name.
    package func overridden(by other: FormDocument) -> FormDocument {
        var merged = self
        merged.fields.removeAll { field in other.fields.contains { $0.name == field.name } }
        merged.fields += other.fields
        return merged
    }

    private static func decoded(_ text: ArraySlice<UInt8>) -> String? {
        PercentEncoding.text(text, plusIsSpace: true)
    }
}
