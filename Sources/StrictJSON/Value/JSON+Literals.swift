/// Values written as Swift literals: `["amount": 500, "tags": ["a", nil], "live": true]`.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    /// A string.
    package init(stringLiteral value: String) { self = .string(value) }

    /// An integer.
    package init(integerLiteral value: Int64) { self = .integer(value) }

    /// A truth value.
    package init(booleanLiteral value: Bool) { self = .bool(value) }

    /// An array.
    package init(arrayLiteral elements: JSON...) { self = .array(elements) }

    /// An object whose members keep the order in which they are written.
    package init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(elements.map { Member($0.0, $0.1) })
    }

    /// The literal `null`.
    package init(nilLiteral: ()) { self = .null }
}
