import Domain
import ExternalJoin

/// Writes lines and expectations as records.
struct RecordWriter {
    /// The longest text, in bytes.
    static let textLimit = Int(UInt16.max)
    /// How long an identifier of ours is, in bytes: its bits, the first first.
    static let identifierBytes = 16

    private var buffer = RecordBuffer()

    /// What the record that was written last stands in.
    var bytes: [UInt8] { buffer.bytes }
    /// Where the record stands in ``bytes``.
    var range: Range<Int> { buffer.range }

    /// Writes a line.
    ///
    /// - Throws: ``ReconciliationFailure/textTooLong(limit:)``.
    mutating func write(
        _ line: borrowing SettlementLine,
        _ header: LineHeader,
        merchantAccount: SettlementLine.Text?,
        note: String?
    ) throws(ReconciliationFailure) {
        var header = header
        buffer.clear()
        buffer.append(bitsOf: header)
        let texts = line.texts
        header.lengths.attempt = append(line.attempt)
        header.lengths.operation = append(line.operation)
        header.lengths.object = try append(.objectReference, of: texts)
        header.lengths.payment = try append(.paymentReference, of: texts)
        header.lengths.entry = try append(.entryReference, of: texts)
        if let reference = texts.range(of: .reference) {
            let bytes = texts.bytes.span.extracting(reference)
            if line.attempt == nil || AttemptID(utf8: bytes) != line.attempt {
                header.lengths.reference = try append(.reference, of: texts)
            }
            if line.attempt == nil { header.lengths.mention = append(AttemptFinder.attempt(in: bytes)) }
        }
        if let merchantAccount { header.lengths.merchantAccount = try append(merchantAccount, of: texts) }
        header.lengths.batch = try append(.batch, of: texts)
        header.lengths.note = try append(note)
        header.size = UInt32(buffer.count)
        buffer.replace(at: 0, bitsOf: header)
    }

    /// Writes an expectation, one of several.
    ///
    /// - Throws: ``ReconciliationFailure/textTooLong(limit:)``.
    mutating func write(
        _ expectations: [Expectation],
        at place: Int,
        account: UInt16
    ) throws(ReconciliationFailure) {
        var header = ExpectationHeader()
        header.amount = expectations[place].amount
        header.commission = expectations[place].commission ?? 0
        header.at = expectations[place].at.microseconds
        header.currency = UInt16(expectations[place].currency.numericCode)
        header.account = account
        header.kind = Self.code(expectations[place].kind)
        header.flags = expectations[place].commission == nil ? 0 : ExpectationHeader.hasCommission
        if expectations[place].isVoided { header.flags |= ExpectationHeader.isVoided }
        buffer.clear()
        buffer.append(bitsOf: header)
        switch expectations[place].subject {
        case .operation(let id): append(id)
        case .chargeback(let id):
            header.subjectKind = 1
            append(id)
        case .chargebackReversal(let id):
            header.subjectKind = 2
            append(id)
        }
        append(expectations[place].order)
        append(expectations[place].payment)
        append(expectations[place].attempt)
        append(expectations[place].merchant)
        header.lengths.merchantAccount = try append(expectations[place].merchantAccount)
        header.lengths.paymentReference = try append(expectations[place].paymentReference)
        header.lengths.objectReference = try append(expectations[place].objectReference)
        header.size = UInt32(buffer.count)
        buffer.replace(at: 0, bitsOf: header)
    }

    @discardableResult
    private mutating func append<Tag>(_ identifier: Identifier<Tag>?) -> UInt16 {
        guard let identifier else { return 0 }
        buffer.append(bitsOf: identifier.bits.bigEndian)
        return UInt16(Self.identifierBytes)
    }

    private mutating func append(_ text: String?) throws(ReconciliationFailure) -> UInt16 {
        guard let text else { return 0 }
        let before = buffer.count
        buffer.append(text)
        return try length(since: before)
    }

    private mutating func append(
        _ text: SettlementLine.Text,
        of texts: borrowing LineTexts
    ) throws(ReconciliationFailure) -> UInt16 {
        guard let range = texts.range(of: text) else { return 0 }
        let before = buffer.count
        buffer.append(texts.bytes, range)
        return try length(since: before)
    }

    private func length(since start: Int) throws(ReconciliationFailure) -> UInt16 {
        guard let length = UInt16(exactly: buffer.count - start) else { throw .textTooLong(limit: Self.textLimit) }
        return length
    }

    /// The place of a kind in ``Domain/Expectation/Kind/allCases``.
    static func code(_ kind: Expectation.Kind) -> UInt8 {
        switch kind {
        case .payment: 0
        case .refund: 1
        case .chargeback: 2
        case .chargebackReversal: 3
        }
    }

    /// The place of a kind in ``AdapterKit/SettlementKind/allCases``; the first four are those of expectations.
    static func code(_ kind: SettlementKind) -> UInt8 {
        switch kind {
        case .payment: 0
        case .refund: 1
        case .chargeback: 2
        case .chargebackReversal: 3
        case .commission: 4
        case .fee: 5
        case .adjustment: 6
        case .payout: 7
        case .reserve: 8
        case .other: 9
        }
    }
}

/// The order in which equals are taken: by date, reference, file and row; never by when they arrived.
struct RecordOrder {
    /// The rank of each file, by its digest, then member.
    let fileRanks: [Int]

    func precedes(_ left: LineRecord, _ right: LineRecord) -> Bool {
        if left.header.day != right.header.day { return left.header.day < right.header.day }
        let order = Self.compare(left.bytes[left.entry], right.bytes[right.entry])
        if order != 0 { return order < 0 }
        let places = (fileRanks[Int(left.header.file)], fileRanks[Int(right.header.file)])
        if places.0 != places.1 { return places.0 < places.1 }
        return left.header.row < right.header.row
    }

    /// What a PSP may report or not is behind what it has to report.
    func precedes(_ left: ExpectationRecord, _ right: ExpectationRecord) -> Bool {
        if left.header.isVoided != right.header.isVoided { return right.header.isVoided }
        if left.header.at != right.header.at { return left.header.at < right.header.at }
        let areDisputes = (left.header.subjectKind != 0, right.header.subjectKind != 0)
        if areDisputes.0 != areDisputes.1 { return areDisputes.0 }
        let subjects = (left.bytes.identifier(at: left.subject), right.bytes.identifier(at: right.subject))
        return (subjects.0, left.header.amount) < (subjects.1, right.header.amount)
    }

    static func compare(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        if left.elementsEqual(right) { return 0 }
        return left.lexicographicallyPrecedes(right) ? -1 : 1
    }
}

/// Amounts of one currency on one scale: units of 10⁻¹² of the major unit, of which every amount is a whole number.
enum Scale {
    private static let powers: [Int128] = (0...SettlementAmount.decimalsLimit).map { exponent in
        (0..<exponent).reduce(1) { power, _ in power * 10 }
    }

    static func trillionths(_ units: Int64, decimals: Int) -> Int128 {
        Int128(units) * powers[SettlementAmount.decimalsLimit - decimals]
    }

    static func trillionths(minorUnits: Int64, _ currency: Currency) -> Int128 {
        trillionths(minorUnits, decimals: currency.exponent)
    }

    /// One minor unit.
    static func minorUnit(_ currency: Currency) -> Int128 { trillionths(1, decimals: currency.exponent) }

    /// Minor units, rounded away from zero, so that no difference looks like none; clamped to 64 bits.
    static func minorUnits(_ trillionths: Int128, _ currency: Currency) -> Int64 {
        let (quotient, remainder) = trillionths.quotientAndRemainder(dividingBy: minorUnit(currency))
        return Int64(clamping: quotient + remainder.signum())
    }

    /// The amount of minor units.
    static func amount(minorUnits: Int64, _ currency: Currency) -> SettlementAmount {
        (try? SettlementAmount(minorUnits: max(minorUnits, -.max), currency: currency)) ?? .zero(currency)
    }

    /// The amount; clamped to whole minor units where it does not fit.
    static func amount(_ trillionths: Int128, _ currency: Currency) -> SettlementAmount {
        if let amount = try? SettlementAmount(trillionths: trillionths, currency: currency) { return amount }
        return amount(minorUnits: minorUnits(trillionths, currency), currency)
    }
}

/// Currencies by their numeric codes.
enum Currencies {
    private static let table: [Currency?] = {
        var table = [Currency?](repeating: nil, count: 1000)
        for currency in Currency.all { table[currency.numericCode] = currency }
        return table
    }()

    /// The currency of a code that a record has; records are written from currencies that there are.
    static func currency(_ code: UInt16) -> Currency {
        guard let currency = table[Int(code)] else { preconditionFailure("no such currency") }
        return currency
    }
}
