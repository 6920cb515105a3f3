import AdapterKit
import Domain
import SpillFiles

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

    /// Whether it names a payment in any way.
    var namesSomething: Bool {
        let lengths = header.lengths
        return lengths.attempt != 0 || lengths.operation != 0 || lengths.object != 0 || lengths.payment != 0
    }
}
