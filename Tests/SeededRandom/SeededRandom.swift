/// Random numbers that come again for the same seed, on every machine: SplitMix64 (Steele, Lea and Flood, "Fast splittable
/// pseudorandom number generators").
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Begins with a seed.
    package init(seed: UInt64) { state = seed }

    /// Begins with the seed of one execution of many, which needs none of those before it.
    package init(seed: UInt64, number: Int) {
        state = seed
        state = next() ^ (UInt64(number) &* 0xD1B5_4A32_D192_ED03)
        _ = next()
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// A number of a range.
    package mutating func number(in range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &self) }

    /// A number below `limit`, which is above 0.
    package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// Whether something of `percent` in a hundred happens.
    package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }

    /// One of several, of which there is at least one; what is repeated comes more often.
    package mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }
}
