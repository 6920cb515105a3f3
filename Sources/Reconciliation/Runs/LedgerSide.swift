import Domain
import SQL
import Storage

/// What our books expect, and what earlier files left open.
struct LedgerSide {
    /// How many rows are read at once.
    private static let pageSize = 5_000

    /// The imports of earlier files that have open rows, by their SHA-256.
    var imports: [String: ImportID] = [:]
    /// The lines of earlier files whose match says nothing any more, and which are looked at again.
    private(set) var reopened: [ImportPlace] = []

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
    }

    private func readExpectations(
        of account: PSPAccountName,
        _ reopening: Set<OperationID>,
        into reconciler: Reconciler,
        _ progress: (ReconciliationStage) -> Void
    ) async throws {
        let end = reconciler.asOf.map {
            request.scope.calendar.end(of: $0.adding(days: ReconciliationScope.aheadDays))
        }
        let scope = ExpectationScope(
            marketplace: request.marketplace,
            pspAccount: account.account,
            to: end ?? Timestamp(microseconds: .max),
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
    private mutating func readReopened(
        of account: PSPAccountName,
        into reconciler: Reconciler
    ) async throws -> Set<OperationID> {
        let (marketplace, superseding) = (request.marketplace, superseding)
        var places: [ImportPlace] = []
        try await pages { place, session in
            try UnmatchedTable.reopened(
                of: account.account,
                marketplace: marketplace,
                releasing: superseding,
                after: place,
                limit: Self.pageSize,
                in: session
            )
        } take: { found in
            places.append(found.place)
            try add(found, of: account, into: reconciler)
        }
        guard !places.isEmpty else { return [] }
        reopened += places
        return try await database.read { [places] session in
            try MatchTable.operations(confirmedBy: places, in: session)
        }
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
