package import Domain

/// One cell of comma-separated values (RFC 4180) as every export writes it.
///
/// A spreadsheet takes text that begins with `=`, `+`, `-` or `@` for a formula and runs it: such text, in these or in
/// their full-width forms, with or without spaces before, gets an apostrophe in front (OWASP, "CSV Injection").
/// Numbers that we write ourselves are numbers, a minus sign included: -1250. Controls, tabs and line breaks among
/// them, and marks of direction are written as their number, `\u{9}`.
package enum CSVCell: Hashable, Sendable {
    /// Words, which may have come from outside.
    case text(String)
    /// A number, written as it is.
    case number(Int64)
    /// An amount in minor units, written as a decimal number with as many digits as its currency has.
    case amount(Int64, Currency)

    /// The cell as it stands in a line.
    package var written: String {
        switch self {
        case .number(let value): String(value)
        case .amount(let value, let currency): currency.decimal(value)
        case .text(let text): Self.quoted(Self.neutral(text.harmless))
        }
    }

    /// A line without its end.
    package static func line(_ cells: some Sequence<CSVCell>) -> String {
        cells.map(\.written).joined(separator: ",")
    }

    private static func neutral(_ text: String) -> String {
        guard let first = text.unicodeScalars.first(where: { $0 != " " && $0 != "\u{A0}" }) else { return text }
        switch first {
        case "=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return "'" + text
        default: return text
        }
    }

    private static func quoted(_ text: String) -> String {
        let mark = UInt8(ascii: "\"")
        guard text.utf8.contains(where: { $0 == mark || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";") }) else {
            return text
        }
        var bytes: [UInt8] = [mark]
        for byte in text.utf8 { bytes += byte == mark ? [mark, mark] : [byte] }
        return String(decoding: bytes + [mark], as: UTF8.self)
    }
}
