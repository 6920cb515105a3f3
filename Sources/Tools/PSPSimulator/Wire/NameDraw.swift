/// The random numbers that a PSP's names are made of: the system's, unless a simulator without a server was given others.
struct NameDraw: RandomNumberGenerator {
    /// Answers 64 random bits in place of the system; nil for the system's own.
    @TaskLocal static var source: (@Sendable () -> UInt64)?

    mutating func next() -> UInt64 {
        if let source = Self.source { return source() }
        var system = SystemRandomNumberGenerator()
        return system.next()
    }

    /// A number with any bits.
    static func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type = Number.self) -> Number {
        var draw = NameDraw()
        return Number.random(in: .min ... .max, using: &draw)
    }
}
