/// The random numbers that a PSP's names are made of: the system's, unless a simulator without a server was given others.
struct NameDraw: RandomNumberGenerator, Sendable {
    /// Where the names of the current task are drawn from.
    ///
    /// A type of our own, since a task-local closure has no metadata in optimised code (Swift 6.3) and crashes.
    @TaskLocal static var current = NameDraw()

    /// Answers 64 random bits in place of the system; nil for the system's own.
    private let source: (@Sendable () -> UInt64)?

    /// A draw from `source`, or from the system.
    init(_ source: (@Sendable () -> UInt64)? = nil) { self.source = source }

    mutating func next() -> UInt64 {
        if let source { return source() }
        var system = SystemRandomNumberGenerator()
        return system.next()
    }

    /// A number with any bits.
    static func number<Number: FixedWidthInteger & UnsignedInteger>(_ type: Number.Type = Number.self) -> Number {
        var draw = current
        return Number.random(in: .min ... .max, using: &draw)
    }
}
