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
        ///
        /// Swift's `==` alone would also accept canonical equivalents.
        func isNamed(_ name: String) -> Bool { key == name && key.utf8.elementsEqual(name.utf8) }
    }
}
