import Domain
import SpillFiles

/// An expectation in bytes that were read back.
struct ExpectationRecord {
    let bytes: [UInt8]
    let offset: Int
    let header: ExpectationHeader

    init(_ bytes: [UInt8], at offset: Int) {
        self.bytes = bytes
        self.offset = offset
        header = bytes.bits(ExpectationHeader.self, at: offset)
    }

    var range: Range<Int> { offset..<(offset + Int(header.size)) }

    var subject: Range<Int> {
        let start = offset + MemoryLayout<ExpectationHeader>.size
        return start..<(start + Int(header.lengths.subject))
    }
    var order: Range<Int> { next(subject, header.lengths.order) }
    var payment: Range<Int> { next(order, header.lengths.payment) }
    var attempt: Range<Int> { next(payment, header.lengths.attempt) }
    var merchant: Range<Int> { next(attempt, header.lengths.merchant) }
    var merchantAccount: Range<Int> { next(merchant, header.lengths.merchantAccount) }
    var paymentReference: Range<Int> { next(merchantAccount, header.lengths.paymentReference) }
    var objectReference: Range<Int> { next(paymentReference, header.lengths.objectReference) }

    private func next(_ range: Range<Int>, _ length: UInt16) -> Range<Int> {
        range.upperBound..<(range.upperBound + Int(length))
    }

    /// A text; nil if it is not there.
    func text(_ range: Range<Int>) -> String? {
        range.isEmpty ? nil : String(decoding: bytes[range], as: UTF8.self)
    }

    var currency: Currency { Currencies.currency(header.currency) }

    /// The amount in units of 10⁻¹² of the major unit.
    var trillionths: Int128 { Scale.trillionths(minorUnits: header.amount, currency) }

    /// The commission on the same scale; zero if the PSP was not told.
    var commissionTrillionths: Int128 { Scale.trillionths(minorUnits: header.commission, currency) }

    /// What had the effect.
    var identity: Expectation.Subject? {
        guard let text = text(subject) else { return nil }
        switch header.subjectKind {
        case 0: return OperationID(text).map { .operation($0) }
        case 1: return DisputeID(text).map { .chargeback($0) }
        default: return DisputeID(text).map { .chargebackReversal($0) }
        }
    }
}
