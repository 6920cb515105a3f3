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
