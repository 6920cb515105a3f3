import Domain
import WireFormats

/// The text of paths and queries.
extension PercentEncoding {
    /// The text that is meant; nil for a broken escape, for what is not UTF-8, for NUL, and for more than
    /// 30 combining marks in a row.
    static func decoded(_ text: some StringProtocol) -> String? {
        guard let bytes = decode(text.utf8), !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self),
            !text.hasLongCombiningRun
        else { return nil }
        return text
    }
}
