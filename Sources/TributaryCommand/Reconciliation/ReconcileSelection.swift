import ArgumentParser
import Domain
import Foundation
import Reconciliation
import Settings

/// Which files, days and rules a reconciliation is about.
struct ReconcileSelection: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The PSP account that reports are of, or its PSP.", valueName: "name"))
    var psp: String?

    @Option(
        name: .long,
        help: ArgumentHelp("What the files are in, where they can be several things.", valueName: "format")
    )
    var inputFormat: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The rules; Config/reconciliation.yaml unless said, which may be absent.", valueName: "file")
    )
    var rules: String?

    @Option(name: .long, help: ArgumentHelp("The first day whose missing lines are reported.", valueName: "date"))
    var from: String?

    @Option(name: .long, help: ArgumentHelp("The last such day.", valueName: "date"))
    var to: String?

    @Option(
        name: .long,
        help: ArgumentHelp("The time zone of days, as Europe/Berlin; UTC unless said.", valueName: "name")
    )
    var timeZone = "UTC"

    @Option(
        name: .long,
        help: ArgumentHelp("When a day is closed; what happens from then on is of the next day.", valueName: "hh:mm")
    )
    var cutOff = "24:00"

    @Option(
        name: .long,
        help: ArgumentHelp(
            "The day that ages are counted to; the last day that a file names unless said.",
            valueName: "date"
        )
    )
    var asOf: String?

    @Option(
        name: .long,
        help: ArgumentHelp(
            "By how many minor units of its currency a line may differ, in place of each rule's own.",
            valueName: "units"
        )
    )
    var tolerance: Int64?

    /// Refuses what cannot be meant.
    func check() throws { _ = try scope() }

    /// The rules and tables.
    ///
    /// - Throws: `InvalidConfiguration`.
    func settings() throws -> ReconciliationSettings {
        try ReconciliationSettings.load(
            path: rules ?? ReconciliationSettings.defaultPath,
            isRequired: rules != nil,
            surroundings: .process
        )
    }

    /// Which days, and how exactly.
    ///
    /// - Throws: `ValidationError`.
    func scope() throws -> ReconciliationScope {
        var scope = ReconciliationScope()
        scope.from = try day(from, "--from")
        scope.to = try day(to, "--to")
        scope.asOf = try day(asOf, "--as-of")
        if let from = scope.from, let to = scope.to, to < from { throw ValidationError("--to is before --from") }
        if let tolerance, !(0...ReconciliationRule.toleranceLimit ~= tolerance) {
            throw ValidationError("--tolerance is 0 to \(ReconciliationRule.toleranceLimit)")
        }
        scope.toleranceMinorUnits = tolerance
        scope.calendar = try calendar()
        scope.spillDirectory = NSTemporaryDirectory()
        return scope
    }

    private func day(_ text: String?, _ option: String) throws -> CalendarDay? {
        guard let text else { return nil }
        guard text.utf8.count == 10, let day = CalendarDay(text) else {
            throw ValidationError("\(option) is no date; write 2026-11-21")
        }
        return day
    }

    private func calendar() throws -> BusinessCalendar {
        guard let zone = TimeZone(identifier: timeZone) else {
            throw ValidationError("there is no time zone \(timeZone.harmless)")
        }
        guard let parts = cutOff.wholeMatch(of: /(\d\d):(\d\d)/), let hour = Int(parts.1), let minute = Int(parts.2),
            minute < 60, let calendar = BusinessCalendar(zone, cutOffMinutes: hour * 60 + minute)
        else { throw ValidationError("--cut-off is a time of day as 17:30, from 00:01 to 24:00") }
        return calendar
    }
}

extension BusinessCalendar {
    /// The days of a time zone, clock changes of 1990 to 2100 included.
    fileprivate init?(_ zone: TimeZone, cutOffMinutes: Int) {
        let start = Date(timeIntervalSince1970: 631_152_000)
        let end = Date(timeIntervalSince1970: 4_102_444_800)
        var changes: [Change] = []
        var moment = start
        while let next = zone.nextDaylightSavingTimeTransition(after: moment), next < end {
            let microseconds = Int64((next.timeIntervalSince1970 * 1_000_000).rounded())
            let offset = zone.secondsFromGMT(for: next.addingTimeInterval(1)) / 60
            changes.append(Change(at: Timestamp(microseconds: microseconds), offsetMinutes: offset))
            moment = next
        }
        self.init(
            offsetMinutes: zone.secondsFromGMT(for: start) / 60,
            cutOffMinutes: cutOffMinutes,
            changes: changes
        )
    }
}
