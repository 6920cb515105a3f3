import AdapterKit
import Domain
import SpillFiles

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
