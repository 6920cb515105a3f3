import CPostgres
import SQL

/// How a column's text is read, by the type that the server declares.
enum ColumnKind {
    case integer
    case text
    case bytes
    /// The column of a function that returns nothing.
    case void
    case unsupported

    /// The numbers are those of the server's catalog `pg_type`, which never change.
    init(type: Oid) {
        switch type {
        case 20, 21, 23: self = .integer
        case 19, 25, 1_043: self = .text
        case 17: self = .bytes
        case 2_278: self = .void
        default: self = .unsupported
        }
    }

    /// Reads a value that is not NULL; nil if it does not look as its type says.
    func value(_ characters: UnsafeRawBufferPointer) -> SQLValue? {
        switch self {
        case .integer: unsafe integer(characters).map(SQLValue.integer)
        case .text: unsafe .text(String(decoding: characters, as: UTF8.self))
        case .bytes: unsafe HexBytes.decode(characters).map(SQLValue.bytes)
        case .void: .null
        case .unsupported: nil
        }
    }

    private func integer(_ characters: UnsafeRawBufferPointer) -> Int64? {
        let isNegative = unsafe characters.first == UInt8(ascii: "-")
        let firstDigit = isNegative ? 1 : 0
        guard characters.count > firstDigit else { return nil }
        // Summed up as a negative number, because the lowest integer has no positive counterpart.
        var sum: Int64 = 0
        for position in firstDigit..<characters.count {
            let digit = unsafe characters[position]
            guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
            let (tenfold, overflow) = sum.multipliedReportingOverflow(by: 10)
            let (next, underflow) = tenfold.subtractingReportingOverflow(Int64(digit - UInt8(ascii: "0")))
            guard !overflow, !underflow else { return nil }
            sum = next
        }
        if isNegative { return sum }
        return sum == .min ? nil : -sum
    }
}
