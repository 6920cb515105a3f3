import ArgumentParser
import Domain
import Foundation

/// `--at`, which every command that checks against a time understands.
struct MomentOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The time to check against, as 2026-11-21T07:40:09Z; now unless said.", valueName: "time"),
        transform: { try MomentOption.moment($0) }
    )
    var at: Timestamp?

    /// The time that was typed, else now.
    var moment: Timestamp {
        at ?? Timestamp(microseconds: Int64((Date.now.timeIntervalSince1970 * 1_000_000).rounded()))
    }

    /// Reads RFC 3339.
    ///
    /// Foundation alone would read 30 February as 2 March and overlook what follows the time.
    ///
    /// - Throws: `ValidationError` for anything else.
    static func moment(_ text: String) throws -> Timestamp {
        let form = /(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,6})?(Z|[+-]\d\d:\d\d)/
        guard let parts = text.wholeMatch(of: form), let local = timestamp(parts.1 + "Z"),
            local.description.hasPrefix(parts.1), let moment = timestamp(text)
        else { throw ValidationError("write a time as RFC 3339 does: 2026-11-21T07:40:09Z") }
        return moment
    }

    private static func timestamp(_ text: some StringProtocol) -> Timestamp? {
        guard let date = try? Date.ISO8601FormatStyle().parse(String(text)) else { return nil }
        return Timestamp(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
    }
}
