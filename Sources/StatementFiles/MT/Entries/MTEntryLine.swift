import AdapterKit
import Domain

/// Reads `:61:`: value date, entry date, mark, funds code, amount, type, references, supplementary details.
struct MTEntryLine {
    private let field: MTField
    private var rest: ArraySlice<UInt8>
    /// How many of its dates the calendar does not have.
    private(set) var monthEnds = 0

    init(_ field: MTField) {
        self.field = field
        rest = field.first
    }

    /// The entry without its details.
    ///
    /// - Throws: ``EntryProblem``; the field is `:61:` in all of them.
    mutating func entry(statement: Int, currency: Currency?, code: String?) throws(EntryProblem) -> BankEntry {
        guard let value = MTDay(rest.prefix(6)) else { throw .date(field: ":61: value date") }
        rest = rest.dropFirst(6)
        let booking = try takeBookingDay(near: value.day)
        monthEnds = [value, booking].count { $0?.isMonthEnd == true }
        let mark = try takeMark()
        // The funds code: the third letter of the currency.
        if let letter = rest.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter) { rest = rest.dropFirst() }
        guard let currency else { throw .unknownCurrency(code ?? "the currency") }
        let amount = try takeAmount(currency)
        let type = rest.prefix(4)
        guard type.count == 4, let kind = type.first, "NFS".utf8.contains(kind) else {
            throw .malformed(field: ":61: transaction type")
        }
        rest = rest.dropFirst(4)
        var entry = BankEntry(line: field.line, statement: statement, amount: amount, creditDebit: mark.creditDebit)
        entry.isReversal = mark.isReversal
        entry.status = mark.isExpected ? .pending : .booked
        entry.valueOn = value.day.date
        entry.bookedOn = booking?.day.date
        entry.bankTransactionCode = BankTransactionCode(proprietary: MTText.string(type), issuer: "SWIFT")
        takeReferences(&entry)
        return entry
    }

    private mutating func takeBookingDay(near day: CalendarDay) throws(EntryProblem) -> MTDay? {
        guard let first = rest.first, Digits.isDigit(first) else { return nil }
        guard let booked = MTDay(monthDay: rest.prefix(4), near: day) else {
            throw .date(field: ":61: entry date")
        }
        rest = rest.dropFirst(4)
        return booked
    }

    /// `C`, `D`, their reversals `RC` (which is a debit) and `RD`, and MT942's expected `EC` and `ED`.
    private mutating func takeMark() throws(EntryProblem) -> (
        creditDebit: CreditDebit, isReversal: Bool, isExpected: Bool
    ) {
        let prefix = rest.first.flatMap { $0 == UInt8(ascii: "R") || $0 == UInt8(ascii: "E") ? $0 : nil }
        if prefix != nil { rest = rest.dropFirst() }
        let written: CreditDebit
        switch rest.popFirst() {
        case UInt8(ascii: "C"): written = .credit
        case UInt8(ascii: "D"): written = .debit
        default: throw .malformed(field: ":61: debit/credit mark")
        }
        let isReversal = prefix == UInt8(ascii: "R")
        return (isReversal ? written.opposite : written, isReversal, prefix == UInt8(ascii: "E"))
    }

    private mutating func takeAmount(_ currency: Currency) throws(EntryProblem) -> SettlementAmount {
        let text = rest.prefix { Digits.isDigit($0) || $0 == UInt8(ascii: ",") }
        rest = rest.dropFirst(text.count)
        do throws(AmountProblem) {
            return try SettlementAmount(decimal: DecimalText.swift(text), currency: currency)
        } catch {
            throw .amount(field: ":61: amount", error)
        }
    }

    /// The owner's reference, `//` and the bank's.
    ///
    /// Some banks fill the owner's up with spaces and go on with a name, which is added to the details.
    private func takeReferences(_ entry: inout BankEntry) {
        let separator = MTText.firstPair(UInt8(ascii: "/"), in: rest)
        var own = rest[..<(separator ?? rest.endIndex)]
        var details = field.lines.dropFirst().compactMap { MTText.optional($0[...]) }
        if let gap = MTText.firstPair(0x20, in: own) {
            if let more = MTText.optional(own[gap...]) { details.insert(more, at: 0) }
            own = own[..<gap]
        }
        entry.ownerReference = Self.reference(own)
        if let separator { entry.accountServicerReference = Self.reference(rest[(separator + 2)...]) }
        entry.additionalInformation = details.isEmpty ? nil : details.joined(separator: "\n")
    }

    private static func reference(_ bytes: ArraySlice<UInt8>) -> String? {
        let text = MTText.optional(bytes)
        return text == "NONREF" ? nil : text
    }
}
