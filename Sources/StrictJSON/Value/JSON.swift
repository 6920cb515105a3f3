/// One JSON value (RFC 8259) as it was written: members keep their order and no number becomes a `Double`.
///
/// Values are equal if they have the same members in the same order, and text if it has the same bytes.
package enum JSON: Hashable, Sendable {
    /// The literal `null`.
    case null
    /// The literal `true` or `false`.
    case bool(Bool)
    /// A number written without fraction or exponent that fits 64 bits.
    case integer(Int64)
    /// Every other number, as the text of a JSON number: `"1.50"`, `"1e3"`, `"9223372036854775808"`.
    case number(String)
    /// Text without NUL.
    case string(String)
    /// Values in their order.
    case array([JSON])
    /// Members in their order; no key occurs twice in what was parsed.
    case object([Member])

    /// The value of an object's member; nil if this is no object or has no such member.
    ///
    /// Keys are compared byte by byte, so a look-alike that only Unicode calls equivalent is not found.
    package subscript(key: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.isNamed(key) }?.value
    }

    /// The element of an array; nil if this is no array or has no such element.
    package subscript(index: Int) -> JSON? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }

    /// The text, if this is a string.
    package var stringValue: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }

    /// The integer, if this is one that fits 64 bits.
    package var integerValue: Int64? {
        guard case .integer(let value) = self else { return nil }
        return value
    }

    /// The truth value, if this is one.
    package var boolValue: Bool? {
        guard case .bool(let value) = self else { return nil }
        return value
    }

    /// The elements, if this is an array.
    package var arrayValue: [JSON]? {
        guard case .array(let elements) = self else { return nil }
        return elements
    }

    /// The members, if this is an object.
    package var objectValue: [Member]? {
        guard case .object(let members) = self else { return nil }
        return members
    }

    /// Whether this is the literal `null`.
    package var isNull: Bool { self == .null }
}
