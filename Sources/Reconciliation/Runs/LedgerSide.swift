import Domain
import SQL
import Storage

/// What our books expect, and what earlier files left open.
struct LedgerSide {
    /// How many rows are read at once.
    private static let pageSize = 5_000
    /// How many lines whose match says nothing any more one run looks at again of an account; the next has the others.
    private static let reopenedLimit = 2_000

    /// The imports of earlier files that have open rows, by their SHA-256.
    var imports: [String: ImportID] = [:]
    /// The lines of earlier files whose match says nothing any more, and which are looked at again.
    private(set) var reopened: [ImportPlace] = []
    /// The operations that those lines had confirmed, which are expected again.
    private(set) var reopening: Set<OperationID> = []

    private let database: any Database
    private let request: ReconciliationRequest
    private let superseding: Set<ImportID>

    init(database: any Database, request: ReconciliationRequest, superseding: Set<ImportID>) {
        self.database = database
        self.request = request
        self.superseding = superseding
    }

    /// Hands everything of the accounts over; and if a bank's files are compared, payouts of all of them.
    ///
    /// - Throws: ``ReconciliationFailure`` and `SQLError`.
    mutating func read(
        into reconciler: Reconciler,
        accounts: [PSPAccountName],
        progress: (ReconciliationStage) -> Void
    ) async throws {
        for account in accounts {
            let reopening = try await readReopened(of: account, into: reconciler)
            try await readExpectations(of: account, reopening, into: reconciler, progress)
            try await readLines(of: account, into: reconciler)
        }
        try await readPayouts(into: reconciler)
        try await readRecordedPayouts(into: reconciler)
        try await readBankEntries(into: reconciler)
        try await readExplainedPayouts(into: reconciler)
    }

    private func readExpectations(
        of account: PSPAccountName,
        _ reopening: Set<OperationID>,
        into reconciler: Reconciler,
        _ progress: (ReconciliationStage) -> Void
    ) async throws {
        let scope = ExpectationScope(
            marketplace: request.marketplace,
            pspAccount: account.account,
            to: end(of: reconciler),
            releasing: superseding.sorted(),
            reopening: reopening
        )
        var place: ExpectationTable.Place?
        repeat {
            try Task.checkCancellation()
            let after = place
            let page = try await database.read { session in
                try ExpectationTable.page(scope, after: after, limit: Self.pageSize, in: session)
            }
            try reconciler.add(page.expectations)
            progress(.expecting(count: reconciler.findings.summary.expectations))
            place = page.last
        } while place != nil
    }

    /// Hands over lines whose match says nothing any more, and answers all that they had confirmed.
    ///
    /// A run of some days only may not have what takes their place.
    private mutating func readReopened(
        of account: PSPAccountName,
        into reconciler: Reconciler
    ) async throws -> Set<OperationID> {
        guard request.scope.from == nil, request.scope.to == nil else { return [] }
        let (marketplace, superseding, end) = (request.marketplace, superseding, end(of: reconciler))
        let (found, confirmed) = try await database.read { session in
            let found = try UnmatchedTable.reopened(
                of: account.account,
                marketplace: marketplace,
                before: end,
                releasing: superseding,
                limit: Self.reopenedLimit,
                in: session
            )
            return (found, try MatchTable.operations(confirmedBy: found.map(\.place), in: session))
        }
        for line in found { try add(line, of: account, into: reconciler) }
        reopened += found.map(\.place)
        reopening.formUnion(confirmed)
        return confirmed
    }

    /// When what a run expects ends.
    private func end(of reconciler: Reconciler) -> Timestamp {
        let day = reconciler.asOf.map { $0.adding(days: ReconciliationScope.aheadDays) }
        return day.map { request.scope.calendar.end(of: $0) } ?? Timestamp(microseconds: .max)
    }

    private mutating func readLines(of account: PSPAccountName, into reconciler: Reconciler) async throws {
        let (marketplace, superseding) = (request.marketplace, superseding)
        try await pages { place, session in
            try UnmatchedTable.lines(
                of: account.account,
                marketplace: marketplace,
                releasing: superseding,
                after: place,
                limit: Self.pageSize,
                in: session
            )
        } take: { found in
            try add(found, of: account, into: reconciler)
        }
    }

    private mutating func readPayouts(into reconciler: Reconciler) async throws {
        guard reconciler.bank.isPresent || !superseding.isEmpty else { return }
        let (marketplace, superseding) = (request.marketplace, superseding)
        try await pages { place, session in
            try UnmatchedTable.payouts(
                of: marketplace,
                releasing: superseding,
                after: place,
                limit: Self.pageSize,
                in: session
            )
        } take: { found in
            try add(found, of: nil, into: reconciler)
        }
    }

    private mutating func add(
        _ found: UnmatchedTable.Line,
        of account: PSPAccountName?,
        into reconciler: Reconciler
    ) throws {
        let whose = account ?? PSPAccountName(psp: found.account.psp, account: found.account.name)
        imports[found.sha256] = found.place.file
        let file = SettlementFile(account: whose, sha256: found.sha256, member: found.place.member, isEarlier: true)
        try reconciler.add([found.line.line], of: file)
    }

    /// Entries of earlier statements that may be what is paid out, as far as any day of a payout is near.
    private mutating func readBankEntries(into reconciler: Reconciler) async throws {
        guard let days = reconciler.bankDays else { return }
        let (marketplace, superseding) = (request.marketplace, superseding)
        var place: ImportPlace?
        while true {
            let after = place
            let page = try await database.read { session in
                try UnmatchedTable.bankEntries(
                    of: marketplace,
                    booked: days,
                    releasing: superseding,
                    after: after,
                    limit: Self.pageSize,
                    in: session
                )
            }
            for found in page {
                imports[found.sha256] = found.place.file
                if let movement = found.entry.movement(in: found.sha256) {
                    try reconciler.add(movement, isEarlier: true)
                }
            }
            guard page.count == Self.pageSize else { return }
            place = page.last?.place
        }
    }

    /// What payouts are called that entries explained which are not compared any more, as far as an entry may name one.
    private func readExplainedPayouts(into reconciler: Reconciler) async throws {
        guard let days = reconciler.namedPayoutDays else { return }
        let (marketplace, superseding, calendar) = (request.marketplace, superseding, request.scope.calendar)
        let names = try await database.read { session in
            try UnmatchedTable.explainedPayouts(
                of: marketplace,
                days: days,
                times: calendar.end(of: days.lowerBound.adding(days: -1))..<calendar.end(of: days.upperBound),
                releasing: superseding,
                in: session
            )
        }
        reconciler.add(explainedPayout: names)
    }

    private func readRecordedPayouts(into reconciler: Reconciler) async throws {
        guard reconciler.bank.isPresent || !superseding.isEmpty else { return }
        let (marketplace, superseding) = (request.marketplace, superseding)
        var last: PayoutID?
        while true {
            let after = last
            let page = try await database.read { session in
                try UnmatchedTable.recordedPayouts(
                    of: marketplace,
                    releasing: superseding,
                    after: after,
                    limit: Self.pageSize,
                    in: session
                )
            }
            for payout in page { try reconciler.add(payout) }
            guard page.count == Self.pageSize else { return }
            last = page.last?.id
        }
    }

    private func pages(
        _ read: @escaping @Sendable (ImportPlace?, any Session) throws -> [UnmatchedTable.Line],
        take: (UnmatchedTable.Line) throws -> Void
    ) async throws {
        var place: ImportPlace?
        while true {
            let after = place
            let page = try await database.read { session in try read(after, session) }
            for found in page { try take(found) }
            guard page.count == Self.pageSize else { return }
            place = page.last?.place
        }
    }
}
