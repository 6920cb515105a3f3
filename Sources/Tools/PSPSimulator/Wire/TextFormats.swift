import Tracing
import WireFormats

extension PercentEncoding {
    /// The text that is meant; nil if an escape is broken or the text is not UTF-8.
    static func text(_ encoded: some StringProtocol) -> String? { text(encoded.utf8) }

    /// The text that bytes mean; nil if an escape is broken or the text is not UTF-8.
    static func text(_ encoded: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String? {
        decode(encoded, plusIsSpace: plusIsSpace).flatMap { String(validating: $0, as: UTF8.self) }
    }
}

/// Moments as PSPs write them.
package enum Moment {
    /// A date and time of day in UTC without its zone (RFC 3339), to the second: `2026-05-27T08:30:00`.
    ///
    /// - Parameter milliseconds: since 1970, not negative.
    /// - Returns: the text.
    package static func text(_ milliseconds: Int64) -> String {
        let seconds = milliseconds / 1000
        let (year, month, day) = date(seconds / 86_400)
        let time = seconds % 86_400
        let parts = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }
        return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))T" + parts.joined(separator: ":")
    }

    /// The date so many days after 1970-01-01, in the Gregorian calendar.
    ///
    /// Years are counted from March, so that the leap day is the last (Hinnant, "chrono-Compatible Low-Level Date
    /// Algorithms", `civil_from_days`).
    private static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted / 146_097
        let dayOfEra = shifted % 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }

    /// The days from 1970-01-01 to a date, in the Gregorian calendar (Hinnant, `days_from_civil`).
    static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let yearOfEra = shifted % 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return shifted / 400 * 146_097 + dayOfEra - 719_468
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// The clock that simulators run by unless they are given another.
package enum SimulatorClock {
    /// The system's time, in milliseconds since 1970.
    package static let system: @Sendable () -> Int64 = {
        Int64(DefaultTracerClock.now.nanosecondsSinceEpoch / 1_000_000)
    }
}
