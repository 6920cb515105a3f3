/// Which day a moment belongs to: an offset from UTC, which may change, and the time of day at which a day is closed.
package struct BusinessCalendar: Hashable, Sendable {
    /// A moment from which on another offset holds: clocks are set forward or back.
    package struct Change: Hashable, Sendable {
        /// The moment.
        package let at: Timestamp
        /// Minutes east of UTC from then on.
        package let offsetMinutes: Int

        /// Makes a change.
        package init(at: Timestamp, offsetMinutes: Int) {
            self.at = at
            self.offsetMinutes = offsetMinutes
        }
    }

    /// Minutes east of UTC before the first change, from −1080 to 1080.
    package let offsetMinutes: Int
    /// The minute of the local day that closes it, from 1 to 1440; what happens from then on belongs to the next day.
    package let cutOffMinutes: Int
    /// When the offset changes, the earliest first.
    package let changes: [Change]

    /// Days of UTC, closed at midnight.
    package static let utc = BusinessCalendar(valid: 0, 1440, [])

    /// Makes a calendar; nil if a value is out of its range, or changes are not in order.
    package init?(offsetMinutes: Int, cutOffMinutes: Int = 1440, changes: [Change] = []) {
        let offsets = [offsetMinutes] + changes.map(\.offsetMinutes)
        guard offsets.allSatisfy({ -1080...1080 ~= $0 }), 1...1440 ~= cutOffMinutes,
            zip(changes, changes.dropFirst()).allSatisfy({ $0.at < $1.at })
        else { return nil }
        self.init(valid: offsetMinutes, cutOffMinutes, changes)
    }

    private init(valid offsetMinutes: Int, _ cutOffMinutes: Int, _ changes: [Change]) {
        self.offsetMinutes = offsetMinutes
        self.cutOffMinutes = cutOffMinutes
        self.changes = changes
    }

    /// The day that a moment belongs to; moments too far from 1970 to count belong to the first or last day there is.
    package func day(of moment: Timestamp) -> CalendarDay {
        let local = moment.adding(milliseconds: shift(at: moment)).microseconds
        let (quotient, remainder) = local.quotientAndRemainder(dividingBy: 86_400_000_000)
        return CalendarDay(number: Int32(clamping: remainder < 0 ? quotient - 1 : quotient))
    }

    /// The first moment behind a day.
    package func end(of day: CalendarDay) -> Timestamp {
        let local = Timestamp(microseconds: (Int64(day.number) + 1) * 86_400_000_000)
        let guess = local.adding(milliseconds: -shift(at: local))
        // The offset is that of the moment itself; where clocks change in between, the second try has it.
        return local.adding(milliseconds: -shift(at: guess))
    }

    /// By how many milliseconds a moment is moved so that its day of UTC is the day it belongs to.
    private func shift(at moment: Timestamp) -> Int64 {
        let offset = changes.last { $0.at <= moment }?.offsetMinutes ?? offsetMinutes
        return Int64(offset + 1440 - cutOffMinutes) * 60_000
    }
}
