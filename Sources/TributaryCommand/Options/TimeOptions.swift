import ArgumentParser
import Domain
import Foundation

/// `--time-zone`, and dates as they are meant there.
struct TimeZoneOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The time zone of dates, as Europe/Berlin; UTC unless said.", valueName: "name")
    )
    var timeZone = "UTC"

    func validate() throws { _ = try zone() }

    /// The moment that a text says: a time as RFC 3339 writes it, or a date, which means its beginning in the zone.
    ///
    /// - Throws: `ValidationError` for anything else.
    func moment(_ text: String) throws -> Timestamp {
        guard text.utf8.count == 10 else { return try MomentOption.moment(text) }
        guard let parts = text.wholeMatch(of: /(\d{4})-(\d\d)-(\d\d)/), let year = Int(parts.1),
            let month = Int(parts.2), let day = Int(parts.3)
        else { throw Self.refusal(text) }
        let calendar = try calendar()
        let wanted = DateComponents(year: year, month: month, day: day)
        // Noon exists on every day; midnight does not where clocks are set forward then.
        guard let noon = calendar.date(from: DateComponents(year: year, month: month, day: day, hour: 12)),
            calendar.dateComponents([.year, .month, .day], from: noon) == wanted
        else { throw Self.refusal(text) }
        return Self.timestamp(calendar.startOfDay(for: noon))
    }

    /// The month in the zone that a moment is in.
    func month(of moment: Timestamp) throws -> Range<Timestamp> {
        let date = Date(timeIntervalSince1970: Double(moment.microseconds) / 1_000_000)
        guard let month = try calendar().dateInterval(of: .month, for: date) else {
            throw ValidationError("there is no month of \(moment)")
        }
        return Self.timestamp(month.start)..<Self.timestamp(month.end)
    }

    private func calendar() throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = try zone()
        return calendar
    }

    private func zone() throws -> TimeZone {
        guard let zone = TimeZone(identifier: timeZone) else {
            throw ValidationError("there is no time zone \(timeZone.harmless)")
        }
        return zone
    }

    private static func refusal(_ text: String) -> ValidationError {
        ValidationError("\(text.harmless) is no date; write 2026-11-21, or a time as 2026-11-21T07:40:09Z")
    }

    private static func timestamp(_ date: Date) -> Timestamp {
        Timestamp(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }
}

/// `--at`, which every command that checks against a time understands.
struct MomentOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The time to check against, as 2026-11-21T07:40:09Z; now unless said.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var at: Timestamp?

    /// The time that was typed, else now.
    var moment: Timestamp { at ?? Self.now }

    /// This moment.
    static var now: Timestamp { .processNow }

    /// Reads RFC 3339, as callers write it: capital letters, and at most six digits of a fraction.
    ///
    /// - Throws: `ValidationError` for anything else.
    static func moment(_ text: String) throws -> Timestamp {
        let form = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)/
        guard text.wholeMatch(of: form) != nil, let moment = RFC3339.timestamp(text, .strict) else {
            throw ValidationError("write a time as RFC 3339 does: 2026-11-21T07:40:09Z")
        }
        return moment
    }
}
