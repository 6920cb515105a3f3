import Domain
import ExternalJoin

/// A line in bytes that were read back.
struct LineRecord {
    let bytes: [UInt8]
    let offset: Int
    let header: LineHeader

    init(_ bytes: [UInt8], at offset: Int) {
        self.bytes = bytes
        self.offset = offset
        header = bytes.bits(LineHeader.self, at: offset)
    }

    var range: Range<Int> { offset..<(offset + Int(header.size)) }

    private static let texts = MemoryLayout<LineHeader>.size

    private func range(_ before: Int, _ length: UInt16) -> Range<Int> {
        let start = offset + Self.texts + before
        return start..<(start + Int(length))
    }

    var attempt: Range<Int> { range(0, header.lengths.attempt) }
    var operation: Range<Int> { next(attempt, header.lengths.operation) }
    var object: Range<Int> { next(operation, header.lengths.object) }
    var payment: Range<Int> { next(object, header.lengths.payment) }
    var entry: Range<Int> { next(payment, header.lengths.entry) }
    var reference: Range<Int> { next(entry, header.lengths.reference) }
    var mention: Range<Int> { next(reference, header.lengths.mention) }
    var merchantAccount: Range<Int> { next(mention, header.lengths.merchantAccount) }
    var batch: Range<Int> { next(merchantAccount, header.lengths.batch) }
    var note: Range<Int> { next(batch, header.lengths.note) }

    private func next(_ range: Range<Int>, _ length: UInt16) -> Range<Int> {
        range.upperBound..<(range.upperBound + Int(length))
    }

    /// Our attempt, as the report repeats it.
    var attemptID: AttemptID? { attempt.isEmpty ? nil : AttemptID(bits: bytes.identifier(at: attempt)) }
    /// Our operation, as the report repeats it.
    var operationID: OperationID? { operation.isEmpty ? nil : OperationID(bits: bytes.identifier(at: operation)) }
    /// The attempt that the reference mentions.
    var mentionID: AttemptID? { mention.isEmpty ? nil : AttemptID(bits: bytes.identifier(at: mention)) }

    /// A text; nil if it is not there.
    func text(_ range: Range<Int>) -> String? {
        range.isEmpty ? nil : String(decoding: bytes[range], as: UTF8.self).withBoundedRuns
    }

    var currency: Currency { Currencies.currency(header.currency) }

    var day: CalendarDay? { header.day == .min ? nil : CalendarDay(number: header.day) }

    /// Whether it is of another refund than the one that is expected, which our books may not have yet, however much the two
    /// are alike.
    ///
    /// So it is if it names another object of the PSP's and another operation of ours, or another object than a refund that
    /// failed after all, of which nothing need be reported. Of payments PSPs name the operation that authorized them, whoever
    /// captured.
    func isAnother(than expectation: ExpectationRecord) -> Bool {
        let (ours, header) = (expectation.objectReference, expectation.header)
        guard header.expectationKind == .refund, !object.isEmpty, !ours.isEmpty,
            !bytes.equals(object, expectation.bytes, ours)
        else { return false }
        let isOfPayment = expectation.bytes.equals(expectation.paymentReference, expectation.bytes, ours)
        return (header.isVoided && !header.isReturn && !isOfPayment)
            || (!operation.isEmpty && !bytes.equals(operation, expectation.bytes, expectation.subject))
    }

    /// Whether it names another operation of ours and another object of the PSP's than a refund that our books have.
    func isAnother(than effect: PaymentMatchCandidate.Effect) -> Bool {
        guard effect.kind == .refund, let operationID, let ours = effect.operation, let theirs = text(object),
            let name = effect.objectReference
        else { return false }
        return operationID != ours && theirs != name
    }

    /// Whether it names a payment in any way.
    var namesSomething: Bool {
        let lengths = header.lengths
        return lengths.attempt != 0 || lengths.operation != 0 || lengths.object != 0 || lengths.payment != 0
    }
}

/// The fixed part of a line in a spill file; the texts follow it.
struct LineHeader: BitwiseCopyable {
    /// The digest of the key of the pass that it is written for.
    var digest: UInt64 = 0
    /// What it is compared by, in units of the ``decimals``-th digit.
    var units: Int64 = 0
    /// What the balance changed by, in units of the ``netDecimals``-th digit.
    var net: Int64 = 0
    var row: UInt64 = 0
    var size: UInt32 = 0
    var file: UInt32 = 0
    /// ``CalendarDay/number``; `Int32.min` for none.
    var day: Int32 = .min
    var currency: UInt16 = 0
    var netCurrency: UInt16 = 0
    var account: UInt16 = 0
    var lengths = LineLengths()
    var kind: UInt8 = 0
    var flags: UInt8 = 0
    var decimals: UInt8 = 0
    var netDecimals: UInt8 = 0

    static let hasNet: UInt8 = 1
    static let hasNote: UInt8 = 2
    static let hasAmount: UInt8 = 4

    var settlementKind: SettlementKind { SettlementKind.allCases[Int(kind)] }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    /// The amount in units of 10⁻¹² of the major unit.
    var trillionths: Int128 { Scale.trillionths(units, decimals: Int(decimals)) }
    var netTrillionths: Int128 { Scale.trillionths(net, decimals: Int(netDecimals)) }

    /// The digest of the record that stands at a place, and how long it is, texts included.
    static func extent(in bytes: [UInt8], at place: Int) -> (digest: UInt64, size: Int) {
        let header = bytes.bits(LineHeader.self, at: place)
        return (header.digest, Int(header.size))
    }
}

/// How long the texts of a line are, in bytes and in their order.
///
/// Our identifiers stand among them in ``RecordWriter/identifierBytes``.
struct LineLengths: BitwiseCopyable {
    var attempt: UInt16 = 0
    var operation: UInt16 = 0
    var object: UInt16 = 0
    var payment: UInt16 = 0
    var entry: UInt16 = 0
    var reference: UInt16 = 0
    /// The attempt that the reference mentions, if it is not one itself.
    var mention: UInt16 = 0
    var merchantAccount: UInt16 = 0
    var batch: UInt16 = 0
    var note: UInt16 = 0
}

extension [UInt8] {
    /// The bits of an identifier that a ``RecordWriter`` wrote.
    func identifier(at range: Range<Int>) -> UInt128 { UInt128(bigEndian: bits(UInt128.self, at: range.lowerBound)) }
}

/// Finds an attempt's identifier in text that a PSP may have prefixed, or written in capitals.
enum AttemptFinder {
    private static let length = 30

    /// The first attempt that a text in UTF-8 mentions; nil if there is none.
    static func attempt(in text: Span<UInt8>) -> AttemptID? {
        guard text.count >= length else { return nil }
        let bytes = text.indices.map { place in
            let byte = text[place]
            return UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte ? byte | 0x20 : byte
        }
        for start in 0...(bytes.count - length) where bytes[start] == UInt8(ascii: "a") {
            if let attempt = AttemptID(utf8: bytes.span.extracting(start..<(start + length))) { return attempt }
        }
        return nil
    }
}
