package import Domain
package import SQL
import Storage

/// Takes down what merchants were paid, and what of it failed: each in one transaction with its journal entry.
package struct PayoutDesk: Sendable {
    /// A payout after it was told.
    package struct Told: Hashable, Sendable {
        /// The payout as it is stored.
        package let payout: Payout
        /// Whether it was news; if not, nothing was changed.
        package let isNews: Bool

        /// Says what became of a telling.
        package init(payout: Payout, isNews: Bool) {
            self.payout = payout
            self.isNews = isNews
        }
    }

    private let database: any Database
    private let clock: any GatewayClock

    /// Makes a desk.
    package init(database: any Database, clock: any GatewayClock) {
        self.database = database
        self.clock = clock
    }

    /// Records a payout; the same one again, by its reference, changes nothing.
    ///
    /// - Throws: ``PayoutRefusal/notPaidYet``, ``PayoutRefusal/referenceInUse(_:differsIn:)``, or `SQLError`.
    package func record(_ draft: PayoutDraft) async throws -> Told {
        let now = clock.now()
        if let time = draft.paidAt, time > now { throw PayoutRefusal.notPaidYet }
        do {
            return try await write(draft, at: now)
        } catch SQLError.uniqueViolation {
            // Somebody told of it meanwhile.
            return try await write(draft, at: now)
        }
    }

    /// Records that a payout has failed; for the same reason again, changes nothing.
    ///
    /// - Throws: ``PayoutRefusal/unusableReason``, ``PayoutRefusal/unknown(_:)``,
    ///   ``PayoutRefusal/failedOtherwise(_:)``, or `SQLError`.
    package func fail(_ id: PayoutID, of marketplace: String, because reason: String) async throws -> Told {
        let now = clock.now()
        let failure = try Payout.Failure(reason, at: now)
        return try await database.write { session in
            guard var payout = try PayoutTable.lock(id, of: marketplace, in: session) else {
                throw PayoutRefusal.unknown(id)
            }
            if case .failed(let known) = payout.state {
                guard known.reason == reason else { throw PayoutRefusal.failedOtherwise(payout) }
                return Told(payout: payout, isNews: false)
            }
            var ids = IdentifierSource()
            try PayoutTable.fail(payout, failure, entry: ids.make(at: now), in: session)
            payout.state = .failed(failure)
            return Told(payout: payout, isNews: true)
        }
    }

    private func write(_ draft: PayoutDraft, at now: Timestamp) async throws -> Told {
        try await database.write { session in
            if let known = try PayoutTable.find(reference: draft.reference, of: draft.marketplace, in: session) {
                let fields = known.differences(from: draft)
                guard fields.isEmpty else { throw PayoutRefusal.referenceInUse(known, differsIn: fields) }
                return Told(payout: known, isNews: false)
            }
            var ids = IdentifierSource()
            let payout = Payout(draft, id: ids.make(at: now), at: now)
            try PayoutTable.insert(payout, entry: ids.make(at: now), in: session)
            return Told(payout: payout, isNews: true)
        }
    }
}
