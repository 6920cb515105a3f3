/// The days and the time of day of a place: its offsets from UTC, and since when each holds.
package struct LocalCalendar: Hashable, Sendable {
    /// A moment from which on another offset holds: clocks are set forward or back.
    package struct Change: Hashable, Sendable {
        /// The moment.
        package let at: Timestamp
        /// Seconds east of UTC from then on.
        package let offsetSeconds: Int64

        /// Makes a change.
        package init(at: Timestamp, offsetSeconds: Int64) {
            self.at = at
            self.offsetSeconds = offsetSeconds
        }
    }

    /// The time zone's name, as `Europe/Berlin`.
    package let zone: String
    /// Seconds east of UTC before the first change.
    private let firstOffset: Int64
    /// When the offset changes, the earliest first.
    private let changes: [Change]

    /// Days of UTC.
    package static let utc = LocalCalendar(zone: "UTC", offsetSeconds: 0, changes: [])

    /// Makes a calendar; the changes are in order.
    init(zone: String, offsetSeconds: Int64, changes: [Change]) {
        self.zone = zone
        firstOffset = offsetSeconds
        self.changes = changes
    }

    /// Seconds east of UTC at a moment.
    package func offsetSeconds(at moment: Timestamp) -> Int64 {
        var (low, high) = (0, changes.count)
        while low < high {
            let middle = (low + high) / 2
            if changes[middle].at <= moment { low = middle + 1 } else { high = middle }
        }
        return low == 0 ? firstOffset : changes[low - 1].offsetSeconds
    }

    /// The day that a moment is in; moments too far from 1970 to count belong to the first or last day there is.
    package func day(of moment: Timestamp) -> CalendarDay {
        let local = moment.adding(milliseconds: offsetSeconds(at: moment) * 1000).microseconds
        return CalendarDay(number: Int32(clamping: Timestamp.floorDivide(local, Self.dayMicroseconds)))
    }

    /// The first moment of a day: its midnight, the first of two where clocks are set back then, and where midnight does
    /// not exist the moment at which they are set forward.
    package func start(of day: CalendarDay) -> Timestamp {
        let local = day.start
        let near = changes.indices.filter { index in
            abs(changes[index].at.milliseconds(since: local)) <= Self.reachMilliseconds
        }
        let before = offsetSeconds(at: local.adding(milliseconds: -Self.reachMilliseconds - 1))
        let offsets = [before] + near.map { changes[$0].offsetSeconds }
        let midnights = offsets.compactMap { offset -> Timestamp? in
            let moment = local.adding(milliseconds: -offset * 1000)
            return offsetSeconds(at: moment) == offset ? moment : nil
        }
        if let first = midnights.min() { return first }
        let gap = near.first { index in
            let earlier = index == 0 ? firstOffset : changes[index - 1].offsetSeconds
            let at = changes[index].at
            return at.adding(milliseconds: earlier * 1000) <= local
                && local < at.adding(milliseconds: changes[index].offsetSeconds * 1000)
        }
        return gap.map { changes[$0].at } ?? local.adding(milliseconds: -before * 1000)
    }

    /// The month that a moment is in, from its first moment to that of the next one.
    package func month(of moment: Timestamp) -> Range<Timestamp> {
        let day = day(of: moment)
        let first = day.adding(days: Int32(1 - day.day))
        let later = first.adding(days: 31)
        return start(of: first)..<start(of: later.adding(days: Int32(1 - later.day)))
    }

    /// The time of day, as `08:40:09`.
    package func timeOfDay(at moment: Timestamp) -> String {
        let local = moment.adding(milliseconds: offsetSeconds(at: moment) * 1000)
        return String(local.description.dropFirst(11).prefix(8))
    }

    /// The offset, as `+01:00`.
    package func offset(at moment: Timestamp) -> String {
        let seconds = offsetSeconds(at: moment)
        let minutes = abs(seconds) / 60
        func two(_ value: Int64) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return (seconds < 0 ? "-" : "+") + two(minutes / 60) + ":" + two(minutes % 60)
    }

    /// Date, time of day and offset, as RFC 3339 and XML Schema write them: `2026-11-21T08:40:09+01:00`.
    package func text(of moment: Timestamp) -> String {
        "\(day(of: moment))T\(timeOfDay(at: moment))\(offset(at: moment))"
    }

    private static let dayMicroseconds: Int64 = 86_400_000_000
    /// How far from UTC a midnight may be.
    private static let reachMilliseconds: Int64 = 26 * 3_600_000
}

/// Names of time zones, as the tz database has them.
package enum TimeZoneName {
    /// Whether a text has the form of a name: `Europe/Berlin`, `Etc/GMT+5`, `UTC`; it may still be nobody's.
    package static func isValid(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        return (1...64).contains(text.utf8.count)
            && parts.allSatisfy { part in
                guard let first = part.first, isLetter(first) else { return false }
                return part.allSatisfy { byte in
                    isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                        || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+")].contains(byte)
                }
            }
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }
}
