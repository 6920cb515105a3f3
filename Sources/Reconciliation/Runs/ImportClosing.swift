import Domain
import SQL
import Storage
import StrictJSON

/// The end of a run: one transaction in which all that it found comes to count.
struct ImportClosing: Sendable {
    let request: ReconciliationRequest
    let run: BreakRun
    /// How many reconciliations counted when the run looked at the books.
    let turn: Int64
    let completions: [ImportCompletion]
    let matches: WaitingMatches
    /// Lines that count already, and whose match says nothing any more.
    let reopened: [ImportPlace]
    /// Lines of earlier files that another line takes back.
    let canceled: [LinePlace]
    /// The keys of breaks that batches no longer have, with what earlier files have of them.
    let agreed: [String]
    /// Earlier files whose lines were looked at again, by their SHA-256.
    let earlier: [String: ImportID]
    let breaks: FoundBreaks.Pages
    /// The PSP accounts all of whose expectations were looked at.
    let accounts: [PSPAccountName]
    /// What identifiers are drawn from.
    let random: RandomSource

    /// Stores what was deferred, makes files count, posts what they settle, and closes breaks that are explained.
    ///
    /// - Throws: ``ReconciliationRefusal/disturbed``, ``ReconciliationFailure`` or `SQLError`.
    func finish(in database: any Database) async throws -> ReconciliationResult.Outcome {
        let now = Timestamp(microseconds: try await database.now())
        do {
            return try await database.write { session in try finish(at: now, in: session) }
        } catch ImportRefusal.overtaken, ImportRefusal.disturbed, ImportRefusal.notImporting {
            throw ReconciliationRefusal.disturbed
        }
    }

    private func finish(at now: Timestamp, in session: any Session) throws -> ReconciliationResult.Outcome {
        var ids = IdentifierSource(random: random)
        var outcome = ReconciliationResult.Outcome()
        let marketplace = request.marketplace
        let isFirst = try ReconciliationTurn.claim(of: marketplace, in: session) == turn
        // Whoever was faster may have explained the same rows, or what is missed here.
        guard isFirst || PlantedBug.disturbanceIgnored.isPlanted else { throw ReconciliationRefusal.disturbed }
        try MatchTable.release(Set(completions.flatMap(\.superseding)), in: session)
        try MatchTable.reopen(reopened, of: marketplace, in: session)
        try matches.add(of: marketplace, in: session)
        var compared: [ImportPlace] = []
        try breaks.handOver { page in
            compared += page.flatMap(comparedCommissions)
            try record(page, &outcome.recorded, at: now, ids: &ids, in: session)
        }
        outcome.entries = try ImportCompletion.finish(
            completions,
            matching: matches.lines.map(\.line) + reopened,
            comparing: compared,
            canceling: canceled.compactMap(importPlace),
            agreeing: agreed,
            run: run,
            of: marketplace,
            at: now,
            ids: &ids,
            in: session
        ).count
        let days = (request.scope.from?.description ?? "0000-01-01")...(request.scope.to?.description ?? "9999-12-31")
        for account in accounts where !run.asOf.isEmpty {
            outcome.closed += try BreakTable.closeUnseen(
                [.late, .missingAtPSP],
                pspAccount: account.account,
                days: days,
                run,
                of: marketplace,
                at: now,
                ids: &ids,
                in: session
            )
        }
        try audit(outcome, at: now, in: session)
        return outcome
    }

    private func audit(_ outcome: ReconciliationResult.Outcome, at now: Timestamp, in session: any Session) throws {
        try AuditTrailTable.record(
            .reconcile,
            by: request.actor,
            on: AuditSubject(.marketplace, request.marketplace),
            of: request.marketplace,
            at: now,
            [
                "imports": .strings(completions.map(\.id.text)),
                "superseded": .strings(completions.flatMap(\.superseding).sorted().map(\.text)),
                "entries": .integer(Int64(outcome.entries)),
                "breaks_opened": .integer(Int64(outcome.recorded.opened + outcome.recorded.reopened)),
                "breaks_closed": .integer(Int64(outcome.closed)),
            ],
            in: session
        )
    }

    /// The commissions of earlier files that a break says to differ from what was expected.
    private func comparedCommissions(_ found: Break) -> [ImportPlace] {
        guard found.type == .splitMismatch, found.subject != nil else { return [] }
        return found.lines.compactMap(importPlace)
    }

    /// Where a line of an earlier file stands; nil for one of this run's.
    private func importPlace(_ line: LinePlace) -> ImportPlace? {
        earlier[line.file].map { ImportPlace(file: $0, member: line.member, row: line.row) }
    }

    private func record(
        _ page: [Break],
        _ recorded: inout BreakTable.Recorded,
        at now: Timestamp,
        ids: inout IdentifierSource,
        in session: any Session
    ) throws {
        let marketplace = request.marketplace
        let named = page.map { ($0.key, $0.id(of: marketplace)) }
        let added = try BreakTable.record(
            page,
            named: Dictionary(named, uniquingKeysWith: { first, _ in first }),
            run,
            of: marketplace,
            at: now,
            ids: &ids,
            in: session
        )
        recorded.opened += added.opened
        recorded.kept += added.kept
        recorded.reopened += added.reopened
    }
}
