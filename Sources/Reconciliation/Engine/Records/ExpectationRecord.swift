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

    var subject: Range<Int> { identifier(0) }
    var attempt: Range<Int> { identifier(3) }
    var merchantAccount: Range<Int> { next(identifier(4), header.lengths.merchantAccount) }
    var paymentReference: Range<Int> { next(merchantAccount, header.lengths.paymentReference) }
    var objectReference: Range<Int> { next(paymentReference, header.lengths.objectReference) }

    private func identifier(_ place: Int) -> Range<Int> {
        let start = offset + MemoryLayout<ExpectationHeader>.size + place * RecordWriter.identifierBytes
        return start..<(start + RecordWriter.identifierBytes)
    }

    private func next(_ range: Range<Int>, _ length: UInt16) -> Range<Int> {
        range.upperBound..<(range.upperBound + Int(length))
    }

    /// A text; nil if it is not there.
    func text(_ range: Range<Int>) -> String? {
        range.isEmpty ? nil : String(decoding: bytes[range], as: UTF8.self).withBoundedRuns
    }

    var currency: Currency { Currencies.currency(header.currency) }

    /// The amount in units of 10⁻¹² of the major unit.
    var trillionths: Int128 { Scale.trillionths(minorUnits: header.amount, currency) }

    /// The commission on the same scale; zero if the PSP was not told.
    var commissionTrillionths: Int128 { Scale.trillionths(minorUnits: header.commission, currency) }

    /// What had the effect.
    var identity: Expectation.Subject {
        switch header.subjectKind {
        case 0: .operation(OperationID(bits: bytes.identifier(at: subject)))
        case 1: .chargeback(DisputeID(bits: bytes.identifier(at: subject)))
        default: .chargebackReversal(DisputeID(bits: bytes.identifier(at: subject)))
        }
    }

    /// The text of what had the effect; that of a chargeback and of its reversal is the same.
    var subjectText: String {
        switch identity {
        case .operation(let operation): operation.text
        case .chargeback(let dispute), .chargebackReversal(let dispute): dispute.text
        }
    }

    /// Whose it is.
    var owner: PaymentOwner {
        PaymentOwner(
            order: OrderID(bits: bytes.identifier(at: identifier(1))),
            payment: PaymentID(bits: bytes.identifier(at: identifier(2))),
            attempt: AttemptID(bits: bytes.identifier(at: attempt)),
            merchant: MerchantID(bits: bytes.identifier(at: identifier(4)))
        )
    }
}
