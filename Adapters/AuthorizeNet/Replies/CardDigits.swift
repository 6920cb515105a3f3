import StrictJSON

/// Texts of digits, as Authorize.Net writes transactions and masked card numbers.
enum CardDigits {
    /// Whether the text is digits and nothing else.
    static func areDigits(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// The last four digits of a masked number such as `XXXX1111`; nil if it does not end in four.
    static func last4(_ text: String?) -> String? {
        guard let last = text?.suffix(4), last.utf8.count == 4, areDigits(last) else { return nil }
        return String(last)
    }

    /// The name of a transaction; nil for 0, which names none, and for anything that is no number.
    static func transaction(_ json: JSON?) -> String? {
        guard let text = json?.stringValue, text != "0", text.utf8.count <= 20, areDigits(text) else { return nil }
        return text
    }
}
