import Domain

/// A message while its fields are read.
struct MTMessage {
    var head: BankStatementHead
    var isAnnounced = false
    /// The code of the currency that amounts are in; ``currency`` if it is one in force.
    var currencyCode: String?
    var currency: Currency?
    private(set) var balances: [BankBalance] = []
    private(set) var stated: [StatedFigure] = []
    private(set) var information: [String] = []
    private(set) var hasOpening = false
    private(set) var hasClosing = false
    private(set) var isReport = false
    /// How many dates of its balances the calendar does not have.
    private(set) var monthEnds = 0

    init(number: Int, reference: MTField) {
        head = BankStatementHead(number: number, line: reference.line, kind: .statement)
        head.identifier = MTText.optional(reference.first)
        head.repeatsNames = true
    }

    /// Takes a field that is none of an entry's; one that is not known is passed over.
    mutating func take(_ field: MTField) throws(BankProblem) {
        switch field.tag {
        case "21": head.relatedReference = MTText.optional(field.first)
        case "25", "25P": head.account = MTAccount.account(field)
        case "28", "28C": takeSequence(field)
        case "13", "13D": takeTime(field)
        case "34F": try takeFloor(field)
        case "60F", "60M": try takeOpening(field)
        case "62F", "62M": try takeClosing(field)
        case "64": try add(field, .closingAvailable)
        case "65": try add(field, .forwardAvailable)
        case "90D": try takeTotals(field, count: .debitCount, sum: .debitSum)
        case "90C": try takeTotals(field, count: .creditCount, sum: .creditSum)
        case "86": information += field.lines.compactMap { MTText.optional($0[...]) }
        default: break
        }
    }

    /// What is missing for a whole message; nil if nothing is.
    var missing: String? {
        if head.identifier == nil { return ":20: says nothing" }
        if head.account == nil { return "there is no :25:" }
        if isReport { return nil }
        return hasOpening ? hasClosing ? nil : "there is no :62F: or :62M:" : "there is no :60F: or :60M:"
    }

    private mutating func takeSequence(_ field: MTField) {
        let parts = field.first.split(separator: UInt8(ascii: "/"), maxSplits: 1)
        head.electronicSequence = parts.first.flatMap { MTText.optional($0) }
        head.page = parts.count > 1 ? Digits.number(parts[1]) : nil
    }

    /// `YYMMDDhhmm`, and an offset in `:13D:`.
    private mutating func takeTime(_ field: MTField) {
        isReport = true
        head.kind = .report
        let text = field.first
        guard let day = CalendarDay(swift: text.prefix(6)), let time = Digits.number(text.dropFirst(6).prefix(4)) else {
            return
        }
        let offset = MTText.string(text.dropFirst(10))
        let zone = offset.utf8.count == 5 ? "\(offset.prefix(3)):\(offset.suffix(2))" : ""
        let clock = "\(Digits.padded(time / 100, 2)):\(Digits.padded(time % 100, 2)):00"
        head.createdOn = SettlementDate("\(day.date.text)T\(clock)\(zone)")
    }

    /// The smallest amount that is reported; what counts here is the currency.
    private mutating func takeFloor(_ field: MTField) throws(BankProblem) {
        isReport = true
        head.kind = .report
        try note(MTText.string(field.first.prefix(3)), line: field.line)
    }

    private mutating func takeOpening(_ field: MTField) throws(BankProblem) {
        guard !hasOpening else { throw .malformed(line: field.line, "a second opening balance in one message") }
        hasOpening = true
        try add(field, .openingBooked)
    }

    private mutating func takeClosing(_ field: MTField) throws(BankProblem) {
        guard !hasClosing else { throw .malformed(line: field.line, "a second closing balance in one message") }
        hasClosing = true
        head.isLastPage = field.tag == "62F"
        try add(field, .closingBooked)
    }

    private mutating func add(_ field: MTField, _ kind: BankBalanceKind) throws(BankProblem) {
        guard balances.count < BankStatementEnd.balanceLimit else {
            throw .tooLarge(line: field.line, "more than \(BankStatementEnd.balanceLimit) balances")
        }
        let balance = try MTBalance(field)
        if balance.day.isMonthEnd { monthEnds += 1 }
        if currencyCode == nil { try note(balance.code, line: field.line) }
        guard let amount = balance.amount else { return }
        balances.append(
            BankBalance(
                line: field.line,
                kind: kind,
                isIntermediate: field.tag.hasSuffix("M"),
                amount: amount,
                date: balance.day.day.date
            )
        )
    }

    /// `2EUR3,50`: a number and a sum.
    private mutating func takeTotals(
        _ field: MTField,
        count: BankCheck.Subject,
        sum: BankCheck.Subject
    ) throws(BankProblem) {
        let digits = field.first.prefix { Digits.isDigit($0) }
        let code = MTText.string(field.first.dropFirst(digits.count).prefix(3))
        let text = DecimalText.swift(field.first.dropFirst(digits.count + 3))
        guard let number = Digits.number(digits) else {
            throw .malformed(line: field.line, ":\(field.tag): is no total")
        }
        stated.append(StatedFigure(subject: count, value: .count(number)))
        guard let currency = Currency(code: code) else { return }
        guard let amount = try? SettlementAmount(decimal: text, currency: currency) else {
            throw .malformed(line: field.line, ":\(field.tag): is no total")
        }
        stated.append(StatedFigure(subject: sum, value: .amount(amount)))
    }

    private mutating func note(_ code: String, line: Int) throws(BankProblem) {
        guard code.utf8.count == 3 else { throw .malformed(line: line, "no currency") }
        currencyCode = code
        currency = Currency(code: code)
    }
}

/// A field of a message: `:86:` and its lines.
struct MTField {
    /// The longest field, in lines; SWIFT's longest has six.
    static let lineLimit = 200

    /// What stands between the colons: `60F`.
    let tag: String
    /// The line it begins in.
    let line: Int
    /// Its lines, the first without the tag.
    var lines: [[UInt8]]

    /// The first line without spaces around it.
    var first: ArraySlice<UInt8> { MTText.trimmed(lines.first?[...] ?? []) }

    /// Reads a line that begins with a tag; nil for one that does not.
    static func starting(_ bytes: ArraySlice<UInt8>, line: Int) -> MTField? {
        guard bytes.first == UInt8(ascii: ":") else { return nil }
        let tag = bytes.dropFirst().prefix(4).prefix { $0 != UInt8(ascii: ":") }
        guard (2...3).contains(tag.count), tag.allSatisfy({ isTagByte($0) }),
            bytes.dropFirst(tag.count + 1).first == UInt8(ascii: ":")
        else { return nil }
        return MTField(
            tag: String(decoding: tag, as: UTF8.self),
            line: line,
            lines: [Array(bytes.dropFirst(tag.count + 2))]
        )
    }

    private static func isTagByte(_ byte: UInt8) -> Bool {
        Digits.isDigit(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }
}

/// Text of SWIFT messages, which banks write in UTF-8 or ISO-8859-1 where SWIFT allows neither.
enum MTText {
    /// The text, read as UTF-8 if it is, and as ISO-8859-1 otherwise.
    static func string(_ bytes: ArraySlice<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text.withBoundedRuns }
        return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }

    /// The text without spaces around it; nil if there is none.
    static func optional(_ bytes: ArraySlice<UInt8>) -> String? {
        let bytes = trimmed(bytes)
        return bytes.isEmpty ? nil : string(bytes)
    }

    /// Where a byte first stands twice.
    static func firstPair(_ byte: UInt8, in bytes: ArraySlice<UInt8>) -> Int? {
        var index = bytes.startIndex
        while index + 1 < bytes.endIndex {
            if bytes[index] == byte, bytes[index + 1] == byte { return index }
            index += 1
        }
        return nil
    }

    /// The bytes without spaces around them.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes.drop { $0 == 0x20 }
        while bytes.last == 0x20 { bytes.removeLast() }
        return bytes
    }
}
