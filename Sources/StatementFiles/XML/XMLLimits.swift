/// How large the parts of a bank's XML may be; the standard's largest are far below.
enum XMLLimits {
    /// How deep elements may be nested; a camt message in an envelope needs about 20.
    static let depth = 64
    /// The longest text of one element, in bytes; the standard's longest has 500 characters.
    static let textBytes = 65_536
    /// The longest entry, in bytes of text and names, its transactions included: 64 MiB.
    static let entryBytes = 67_108_864
    /// The most bytes of markup in which nothing is complete: a tag, a comment.
    static let markupBytes = 1_048_576
    /// The most elements of an entry, its transactions not counted, or of one transaction.
    static let nodes = 20_000
}
