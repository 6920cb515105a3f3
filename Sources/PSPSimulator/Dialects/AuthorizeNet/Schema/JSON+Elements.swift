import StrictJSON

/// JSON as the XML that Authorize.Net makes of it.
extension JSON {
    /// The text of the element; nil if it has elements of its own.
    var elementText: String? {
        switch self {
        case .null: ""
        case .bool(let value): value ? "true" : "false"
        case .integer(let value): String(value)
        case .number(let text), .string(let text): text
        case .array, .object: nil
        }
    }

    /// The elements of one name: an array is several.
    var elements: [JSON] { arrayValue ?? [self] }

    /// The text of a member that is there and not empty.
    func filled(_ name: String) -> String? { self[name]?.elementText.flatMap { $0.isEmpty ? nil : $0 } }
}
