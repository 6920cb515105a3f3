/// The fixed part of a batch's partial sum in a spill file; the batch's name follows it.
struct BatchHeader: BitwiseCopyable {
    var digest: UInt64 = 0
    var net = WideAmount()
    var repeated = WideAmount()
    var excess = WideAmount()
    var count: UInt64 = 0
    /// The row of a payout line that repeats another; only where ``isRepeatedPayout`` is set.
    var row: UInt64 = 0
    var size: UInt32 = 0
    var file: UInt32 = 0
    var currency: UInt16 = 0
    var account: UInt16 = 0
    var flags: UInt16 = 0
    var spare: UInt16 = 0

    /// Some line has no net amount.
    static let lacksNet: UInt16 = 1
    /// The lines are of more files than one.
    static let hasManyFiles: UInt16 = 2
    static let isRepeatedPayout: UInt16 = 4

    func has(_ flag: UInt16) -> Bool { flags & flag != 0 }
}
