/// 128 bits that can stand anywhere in a record.
struct WideAmount: BitwiseCopyable {
    private var high: Int64 = 0
    private var low: UInt64 = 0

    init() {}

    init(_ value: Int128) {
        high = Int64(truncatingIfNeeded: value >> 64)
        low = UInt64(truncatingIfNeeded: value)
    }

    var value: Int128 { Int128(high) << 64 | Int128(low) }
}
