/// A moment in UTC, in microseconds since 1970-01-01T00:00:00Z.
public struct Timestamp: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Microseconds since 1970, UTC.
    public let microseconds: Int64

    /// Makes a moment.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Makes a moment of whole seconds since 1970; saturates.
    package init(seconds: Int64) {
        let (milliseconds, overflowed) = seconds.multipliedReportingOverflow(by: 1000)
        self = Timestamp(microseconds: 0).adding(
            milliseconds: overflowed ? (seconds < 0 ? .min : .max) : milliseconds
        )
    }

    /// Later than anything that happens.
    static let endOfTime = Timestamp(microseconds: .max)

    /// The earlier of two moments is less.
    public static func < (earlier: Timestamp, later: Timestamp) -> Bool { earlier.microseconds < later.microseconds }

    /// The moment `milliseconds` later; saturates at either end of time.
    public func adding(milliseconds: Int64) -> Timestamp {
        let (scaled, overflowed) = milliseconds.multipliedReportingOverflow(by: 1000)
        let (sum, overflowedAgain) = microseconds.addingReportingOverflow(scaled)
        guard overflowed || overflowedAgain else { return Timestamp(microseconds: sum) }
        return Timestamp(microseconds: milliseconds < 0 ? .min : .max)
    }

    /// Milliseconds from `earlier` to this moment, rounded down; saturates.
    public func milliseconds(since earlier: Timestamp) -> Int64 {
        let (difference, overflowed) = microseconds.subtractingReportingOverflow(earlier.microseconds)
        guard !overflowed else { return microseconds < 0 ? .min : .max }
        return Self.floorDivide(difference, 1000)
    }

    /// RFC 3339 in UTC with milliseconds: `2026-11-21T07:40:09.123Z`.
    ///
    /// A moment outside the years 0000 to 9999 is written as the nearest that RFC 3339 can write.
    public var description: String {
        let writable = min(max(microseconds, Self.yearZero), Self.endOfYear9999)
        let day = Self.floorDivide(writable, 86_400_000_000)
        let inDay = writable - day * 86_400_000_000
        let (year, month, dayOfMonth) = CalendarDay.date(day)
        let seconds = inDay / 1_000_000
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let fraction = String(1000 + inDay / 1000 % 1000).dropFirst()
        return "\(String(10000 + year).dropFirst())-\(two(month))-\(two(dayOfMonth))"
            + "T\(two(seconds / 3600)):\(two(seconds / 60 % 60)):\(two(seconds % 60)).\(fraction)Z"
    }

    /// The last whole second that is not later.
    package var wholeSecond: Timestamp {
        Timestamp(microseconds: Self.floorDivide(microseconds, 1_000_000) * 1_000_000)
    }

    /// RFC 3339 without a fraction, for what is known to the second: `2026-11-21T07:40:09Z`.
    package var wholeSeconds: String { description.dropLast(".000Z".count) + "Z" }

    /// 0000-01-01T00:00:00Z.
    private static let yearZero: Int64 = -62_167_219_200_000_000
    /// 9999-12-31T23:59:59.999999Z.
    private static let endOfYear9999: Int64 = 253_402_300_799_999_999

    /// The quotient, rounded down.
    static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}
