/// Random numbers that a seed determines (SplitMix64).
struct SeededDice: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Dice that always fall the same way for a seed.
    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Whether something happens that happens so many times in a hundred.
    mutating func falls(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }

    /// A number of a range.
    mutating func number(in range: ClosedRange<Int64>) -> Int64 { Int64.random(in: range, using: &self) }

    /// One of several, each as likely as it is heavy.
    mutating func pick<Value>(_ weighted: [(weight: Int, value: Value)]) -> Value {
        var left = Int.random(in: 0..<weighted.reduce(0) { $0 + $1.weight }, using: &self)
        for (weight, value) in weighted {
            if left < weight { return value }
            left -= weight
        }
        preconditionFailure("the weights sum to more than is left")
    }

    /// Dice of their own for a part of a run, so that what another part draws changes nothing there.
    mutating func fork() -> SeededDice { SeededDice(seed: next()) }
}
