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

/// The account of `:25:`: an IBAN, a bank's number and an account's, or whatever else a bank writes.
enum MTAccount {
    /// Reads a field; some banks put the currency behind the number.
    static func account(_ field: MTField) -> BankAccount? {
        guard var text = MTText.optional(field.first) else { return nil }
        let isIBAN = isIBAN(text)
        var currency: Currency?
        if !isIBAN, let last = text.dropLast(3).utf8.last, Digits.isDigit(last),
            let found = Currency(code: String(text.suffix(3)))
        {
            currency = found
            text = String(text.dropLast(3))
        }
        let servicer = field.lines.count > 1 ? MTText.optional(field.lines[1][...]) : nil
        return BankAccount(identifier: text, isIBAN: isIBAN, currency: currency, servicer: servicer)
    }

    /// Whether the text is an IBAN (ISO 13616) by its form and its check digits.
    static func isIBAN(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (15...34).contains(bytes.count), bytes.prefix(2).allSatisfy({ isLetter($0) }),
            bytes[2...3].allSatisfy({ Digits.isDigit($0) }),
            bytes.allSatisfy({ Digits.isDigit($0) || isLetter($0) })
        else { return false }
        let remainder = (bytes[4...] + bytes[..<4]).reduce(0) { remainder, byte in
            isLetter(byte)
                ? (remainder * 100 + Int(byte) - 55) % 97 : (remainder * 10 + Int(byte) - 48) % 97
        }
        return remainder == 1
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
}

/// A balance as `:60F:` and its like write it: `C100722EUR0,00`.
struct MTBalance {
    let day: MTDay
    /// The currency's code, known or not.
    let code: String
    /// The balance, below zero if it is a debit; nil if the currency is none in force.
    let amount: SettlementAmount?

    /// Reads a field.
    ///
    /// - Throws: ``BankProblem/malformed(line:_:)``.
    init(_ field: MTField) throws(BankProblem) {
        let text = field.first
        let problem = BankProblem.malformed(line: field.line, ":\(field.tag): is no balance")
        guard text.count > 10, let mark = text.first, mark == UInt8(ascii: "C") || mark == UInt8(ascii: "D"),
            let day = MTDay(text.dropFirst().prefix(6))
        else { throw problem }
        self.day = day
        code = String(decoding: text.dropFirst(7).prefix(3), as: UTF8.self)
        guard let currency = Currency(code: code) else {
            guard code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }) else { throw problem }
            amount = nil
            return
        }
        let number = DecimalText.swift(text.dropFirst(10))
        guard number.first != UInt8(ascii: "-"), let value = try? SettlementAmount(decimal: number, currency: currency)
        else { throw problem }
        amount = mark == UInt8(ascii: "C") ? value : value.negated
    }
}

/// A day of a message.
///
/// Banks that count thirty days a month write 30 February, and 29 February in any year: what they mean is the month's
/// last day.
struct MTDay {
    let day: CalendarDay
    /// Whether the calendar has no such day, so that the month's last one stands for it.
    let isMonthEnd: Bool

    /// Reads `YYMMDD`; nil for any other day that the calendar does not have.
    init?(_ text: ArraySlice<UInt8>) {
        if let day = CalendarDay(swift: text) {
            (self.day, isMonthEnd) = (day, false)
            return
        }
        guard text.count == 6, Self.isThirtyDayFebruary(text.suffix(4)),
            let first = CalendarDay(swift: text.prefix(4) + "01".utf8),
            let day = Self.februarysEnd(of: first.year)
        else { return nil }
        (self.day, isMonthEnd) = (day, true)
    }

    /// Reads `MMDD`, as the day nearest to another.
    init?(monthDay text: ArraySlice<UInt8>, near other: CalendarDay) {
        guard text.count == 4, Self.isThirtyDayFebruary(text) else {
            guard let day = CalendarDay(monthDay: text, near: other) else { return nil }
            (self.day, isMonthEnd) = (day, false)
            return
        }
        let ends = (other.year - 1...other.year + 1).compactMap(Self.februarysEnd)
        guard let day = CalendarDay.nearest(of: ends, to: other) else { return nil }
        (self.day, isMonthEnd) = (day, Digits.number(text) != 200 + day.day)
    }

    private static func isThirtyDayFebruary(_ monthDay: ArraySlice<UInt8>) -> Bool {
        monthDay.elementsEqual("0229".utf8) || monthDay.elementsEqual("0230".utf8)
    }

    private static func februarysEnd(of year: Int) -> CalendarDay? {
        CalendarDay(year: year, month: 2, day: 29) ?? CalendarDay(year: year, month: 2, day: 28)
    }
}
