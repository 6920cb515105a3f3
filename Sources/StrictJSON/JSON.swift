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

extension JSON {
    /// A key and its value in an object.
    package struct Member: Hashable, Sendable {
        /// The key.
        package let key: String
        /// The value.
        package let value: JSON

        /// Makes a member.
        package init(_ key: String, _ value: JSON) {
            self.key = key
            self.value = value
        }

        /// Whether the key has exactly these bytes.
        func isNamed(_ name: String) -> Bool { UTF8Text.same(key, name) }

        /// Whether key and value are the same, text by its bytes.
        package static func == (one: Member, other: Member) -> Bool {
            one.isNamed(other.key) && one.value == other.value
        }

        /// Feeds key and value.
        package func hash(into hasher: inout Hasher) {
            hasher.combine(UTF8Text(key))
            hasher.combine(value)
        }
    }
}

/// Values made from Swift's, where absence is written as `null` or left out.
extension JSON {
    /// The text as a string, or `null`.
    package static func optional(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }

    /// The number as an integer, or `null`.
    package static func optional(_ value: Int64?) -> JSON { value.map(JSON.integer) ?? .null }

    /// The truth value, or `null`.
    package static func optional(_ value: Bool?) -> JSON { value.map(JSON.bool) ?? .null }

    /// The value, or `null`.
    package static func optional(_ value: JSON?) -> JSON { value ?? .null }

    /// An array of strings.
    package static func strings(_ texts: some Sequence<String>) -> JSON { .array(texts.map(JSON.string)) }

    /// An object of the members that have a value, in the order given; those without one are left out.
    package static func object(omittingAbsent members: KeyValuePairs<String, JSON?>) -> JSON {
        .object(members.compactMap { key, value in value.map { Member(key, $0) } })
    }
}

/// Values written as Swift literals: `["amount": 500, "tags": ["a", .null], "live": true]`.
///
/// `nil` is none of them: where a `JSON?` is meant, `isTold ? value : nil` would be the value `null`, which is sent.
extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
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
}

/// Equality by bytes: canonical equivalents are two values, and comparing what came takes no longer than reading it.
extension JSON {
    /// Whether both are the same document.
    package static func == (one: JSON, other: JSON) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.integer(let one), .integer(let other)): one == other
        case (.number(let one), .number(let other)), (.string(let one), .string(let other)): UTF8Text.same(one, other)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)): one == other
        default: false
        }
    }

    /// Feeds kind and content.
    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .number(let text), .string(let text): hasher.combine(UTF8Text(text))
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }
}
