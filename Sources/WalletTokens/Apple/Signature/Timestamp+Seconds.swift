package import Domain

extension Timestamp {
    /// A moment in whole seconds since 1970; saturates.
    package init(seconds: Int64) {
        let (milliseconds, overflowed) = seconds.multipliedReportingOverflow(by: 1000)
        self = Timestamp(microseconds: 0).adding(
            milliseconds: overflowed ? (seconds < 0 ? .min : .max) : milliseconds
        )
    }

    /// RFC 3339 without a fraction, for what is known to the second: `2026-11-21T07:40:09Z`.
    package var wholeSeconds: String { description.dropLast(".000Z".count) + "Z" }
}
