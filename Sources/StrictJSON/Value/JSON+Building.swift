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
