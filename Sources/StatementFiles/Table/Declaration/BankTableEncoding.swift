import Domain

/// What the bytes of a bank's table are.
package enum BankTableEncoding: String, Hashable, Sendable, CaseIterable {
    /// UTF-8, with or without a byte order mark.
    case utf8 = "utf-8"
    /// ISO-8859-1.
    case latin1 = "iso-8859-1"

    /// The text; nil if the bytes are none.
    func text(_ bytes: ArraySlice<UInt8>) -> String? {
        switch self {
        case .utf8: String(validating: bytes, as: UTF8.self)?.withBoundedRuns
        case .latin1: String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        }
    }
}
