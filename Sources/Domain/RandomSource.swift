/// Random numbers from a function: the system's, or those of a seed.
///
/// Copies of a source draw from the same numbers.
package struct RandomSource: RandomNumberGenerator, Sendable {
    private let draw: @Sendable () -> UInt64

    /// The system's random numbers.
    package static let system = RandomSource {
        var system = SystemRandomNumberGenerator()
        return system.next()
    }

    /// A source over a function that answers 64 random bits each time.
    package init(_ draw: @escaping @Sendable () -> UInt64) { self.draw = draw }

    package mutating func next() -> UInt64 { draw() }

    /// A random number of a range, for those that have the source as a constant.
    package func number(in range: ClosedRange<Int64>) -> Int64 {
        var source = self
        return Int64.random(in: range, using: &source)
    }
}
