import AdapterKit
import Domain
import SpillFiles

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
