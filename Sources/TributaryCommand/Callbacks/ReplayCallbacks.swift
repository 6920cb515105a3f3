import ArgumentParser
import Domain
import SQL
import Storage

/// `tributary callbacks replay`.
struct ReplayCallbacks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay",
        abstract: "Deliver callbacks again, under the same identifiers, as if they had just been written down.",
        discussion: """
            Names callbacks by id, or all that pass the options: by state, endpoint, order, type and time. The next
            serving instance that looks delivers them; an endpoint that fails or is disabled is tried when it is its
            turn, or at once after `callbacks enable`. Receivers know what they have seen by its identifier.
            Exits 1 if there is nothing to replay.

            Examples:
              tributary callbacks replay cb_01jd…
              tributary callbacks replay --state dead --endpoint hotel-7
              tributary callbacks replay --from 2026-11-21T07:00:00Z --to 2026-11-21T09:00:00Z --dry-run
            """
    )

    private static let atOnce = 1_000

    @Argument(help: ArgumentHelp("The callbacks' ids.", valueName: "cb_…"))
    var callbacks: [String] = []

    @OptionGroup var filter: CallbackFilter

    @Flag(name: .long, help: "Say how many, and change nothing.")
    var dryRun = false

    @OptionGroup var database: DatabaseOptions

    func run() async throws {
        guard callbacks.isEmpty == filter.isNarrow else {
            throw CommandFailure.unusable(
                callbacks.isEmpty ? "say which: ids, or options such as --state dead" : "give ids or options, not both"
            )
        }
        let ids = try callbacks.map { text throws(CommandFailure) in
            guard let id = CallbackID(text) else {
                throw CommandFailure.unusable(
                    "\(text.harmless) is no callback's id; `tributary callbacks list` shows them"
                )
            }
            return id
        }
        let count = try await DatabaseUse.looking.open(database.settings()) { [filter, dryRun] database in
            let now = Timestamp(microseconds: try await database.now())
            return ids.isEmpty
                ? try await Self.replayAll(filter, isDryRun: dryRun, at: now, in: database)
                : try await Self.replay(ids, isDryRun: dryRun, at: now, in: database)
        }
        guard count > 0 else { throw CommandFailure.finding("there is nothing to replay") }
        Console.note(dryRun ? "would be due again: \(count)" : "due again: \(count)")
    }

    /// Replays those, or none if one is unknown.
    private static func replay(
        _ ids: [CallbackID],
        isDryRun: Bool,
        at now: Timestamp,
        in database: any Database
    ) async throws -> Int {
        try await database.write { session in
            for id in ids where try CallbackTable.find(id, in: session) == nil {
                throw CommandFailure.finding("there is no callback \(id)")
            }
            if !isDryRun { try CallbackTable.replay(ids, at: now, in: session) }
            return ids.count
        }
    }

    /// Goes through all of them from the oldest on, some at a time, so that delivering goes on meanwhile.
    private static func replayAll(
        _ options: CallbackFilter,
        isDryRun: Bool,
        at now: Timestamp,
        in database: any Database
    ) async throws -> Int {
        var filter = try await database.read { session in try options.filter(in: session) }
        // What is written down from now on is due by itself.
        filter.until = min(filter.until ?? now, now)
        let wanted = filter
        var (count, last) = (0, CallbackID?.none)
        while true {
            let after = last
            let some = try await database.write { session in
                isDryRun
                    ? try CallbackTable.next(wanted, after: after, limit: atOnce, in: session)
                    : try CallbackTable.replay(wanted, after: after, limit: atOnce, at: now, in: session)
            }
            count += some.count
            last = some.last
            if some.count < atOnce { return count }
        }
    }
}
