import Domain

/// Names that people type in commands and addresses.
enum Slug {
    /// Whether the text has 1 to 64 of `a-z 0-9 . - _` and begins with a letter or a digit.
    static func isValid(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && TextRule.slug.allows(text)
    }
}
