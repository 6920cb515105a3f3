package import Domain

/// Reading Braintree's times.
extension Timestamp {
    /// Reads RFC 3339 in UTC, with or without a fraction: `2026-11-21T10:33:20.000000Z`; nil if it is none.
    ///
    /// Digits beyond microseconds are dropped.
    package init?(rfc3339 text: String) {
        guard text.utf8.last == UInt8(ascii: "Z"), let moment = RFC3339.timestamp(text, .strict) else { return nil }
        self = moment
    }

    /// Reads a date, `2026-11-21`, as the moment it begins in UTC; nil if it is none.
    package init?(date text: String) {
        guard text.utf8.count == 10, let day = CalendarDay(text) else { return nil }
        self = day.start
    }
}
