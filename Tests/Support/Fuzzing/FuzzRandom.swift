/// Random numbers that come again for the same seed, on every machine (Steele, Lea and Flood, "Fast splittable pseudorandom
/// number generators").
package struct FuzzRandom: RandomNumberGenerator, Sendable {
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
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    /// A number below `limit`, which is above 0.
    package mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }

    /// One of several; there is at least one.
    package mutating func one<Value>(of values: [Value]) -> Value { values[below(values.count)] }
}
