import StrictJSON

/// The texts of a document, to be replaced one at a time.
extension JSON {
    /// How many values are text.
    var textCount: Int {
        switch self {
        case .string: 1
        case .array(let elements): elements.reduce(0) { $0 + $1.textCount }
        case .object(let members): members.reduce(0) { $0 + $1.value.textCount }
        case .null, .bool, .integer, .number: 0
        }
    }

    /// The document with another text in place of one of its own, counted from 0 in the order they stand.
    func replacing(text number: Int, with text: String) -> JSON {
        var left = number
        return replacing(&left, text)
    }

    private func replacing(_ left: inout Int, _ text: String) -> JSON {
        switch self {
        case .string:
            left -= 1
            return left == -1 ? .string(text) : self
        case .array(let elements): return .array(elements.map { $0.replacing(&left, text) })
        case .object(let members):
            return .object(members.map { Member($0.key, $0.value.replacing(&left, text)) })
        case .null, .bool, .integer, .number: return self
        }
    }
}
