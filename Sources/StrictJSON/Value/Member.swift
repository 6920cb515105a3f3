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
