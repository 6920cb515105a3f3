import Domain
import SpillFiles

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
    static let isMet: UInt8 = 2
    /// It was undone before it settled; a PSP may report it or not.
    static let isVoided: UInt8 = 4

    var isMet: Bool { flags & Self.isMet != 0 }

    var expectationKind: Expectation.Kind { Expectation.Kind.allCases[Int(kind)] }

    /// The digest of the record that stands at a place, and how long it is, texts included.
    static func extent(in bytes: [UInt8], at place: Int) -> (digest: UInt64, size: Int) {
        let header = bytes.bits(ExpectationHeader.self, at: place)
        return (header.digest, Int(header.size))
    }
}
