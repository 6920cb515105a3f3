/// Text that is equal and hashed by its UTF-8 bytes, in time that grows with its length only.
///
/// Swift's own comparison is by canonical equivalence: it finds "é" written in two ways equal, as no database does.
package struct UTF8Text: Hashable, Sendable {
    /// The text.
    package let text: String

    /// Text to be compared by its bytes.
    package init(_ text: String) { self.text = text }

    /// Whether the bytes are the same.
    package static func == (one: UTF8Text, other: UTF8Text) -> Bool { same(one.text, other.text) }

    /// Whether two texts have the same bytes.
    package static func same(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && one.utf8.elementsEqual(other.utf8)
    }

    /// Feeds the bytes, eight at a time.
    package func hash(into hasher: inout Hasher) {
        var word: UInt64 = 0
        var count = 0
        for byte in text.utf8 {
            word = word << 8 | UInt64(byte)
            count += 1
            if count.isMultiple(of: 8) { hasher.combine(word) }
        }
        hasher.combine(word)
        hasher.combine(count)
    }
}
