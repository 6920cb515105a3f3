import Domain

/// Times in UTC as Authorize.Net writes them: `2026-11-21T08:33:17.1234567Z`, with or without fraction and `Z`.
enum UTCTime {
    /// The moment; nil if the text is none, or has another offset.
    static func timestamp(_ text: String) -> Timestamp? {
        RFC3339.timestamp(text.utf8.last == UInt8(ascii: "Z") ? text : text + "Z", .strict)
    }
}
