import Domain
import ExternalJoin

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

/// The fixed part of an expectation in a spill file; five identifiers and the texts follow it.
struct ExpectationHeader: BitwiseCopyable {
    /// In bytes, in the order of the texts.
    struct Lengths: BitwiseCopyable {
        var merchantAccount: UInt16 = 0
        var paymentReference: UInt16 = 0
        var objectReference: UInt16 = 0
    }

    /// The digest of the key of the pass that it is written for.
    var digest: UInt64 = 0
    var amount: Int64 = 0
    var commission: Int64 = 0
    var at: Int64 = 0
    var size: UInt32 = 0
    var currency: UInt16 = 0
    var account: UInt16 = 0
    var lengths = Lengths()
    var kind: UInt8 = 0
    var subjectKind: UInt8 = 0
    var flags: UInt8 = 0
    var spare: UInt8 = 0

    /// The commission was told to the PSP.
    static let hasCommission: UInt8 = 1
    /// The money is confirmed; a line of its commission is not found yet.
    static let isConfirmed: UInt8 = 2
    /// It was undone before it settled, or failed after all; a PSP may report it or not.
    static let isVoided: UInt8 = 4

    var isConfirmed: Bool { flags & Self.isConfirmed != 0 }

    var isVoided: Bool { flags & Self.isVoided != 0 }

    /// Whether it is what came back of an operation that failed after all, so that it goes the other way than its kind.
    var isReturn: Bool { subjectKind == 0 && (expectationKind == .payment ? amount < 0 : amount > 0) }

    var expectationKind: Expectation.Kind { Expectation.Kind.allCases[Int(kind)] }

    /// The digest of the record that stands at a place, and how long it is, texts included.
    static func extent(in bytes: [UInt8], at place: Int) -> (digest: UInt64, size: Int) {
        let header = bytes.bits(ExpectationHeader.self, at: place)
        return (header.digest, Int(header.size))
    }
}
