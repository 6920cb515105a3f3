/// Makes identifiers from a moment and random bits, so that a caller with a seed makes the same ones again.
///
/// Identifiers made in one millisecond by one source keep the order in which they were made: the twelve bits
/// behind the time count up (RFC 9562 section 6.2, method 1).
public struct IdentifierSource: Sendable {
    private var random: any RandomNumberGenerator & Sendable
    private var lastMillisecond: Int64 = -1
    private var counter: UInt64 = 0

    /// A source over the system's random numbers, or over `random`.
    public init(random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()) { self.random = random }

    /// Makes an identifier that carries the moment `time`.
    public mutating func make<Tag>(at time: Timestamp) -> Identifier<Tag> {
        let millisecond = max(time.microseconds / 1000, lastMillisecond, 0)
        if millisecond == lastMillisecond {
            counter += 1
        } else {
            lastMillisecond = millisecond
            counter = random.next() & 0x3FF
        }
        if counter > 0xFFF {
            lastMillisecond += 1
            counter = 0
        }
        let high = UInt64(bitPattern: lastMillisecond) << 16 | 0x7000 | counter
        let low = random.next() >> 2 | 0x8000_0000_0000_0000
        return Identifier(uuid: high, low)
    }
}
