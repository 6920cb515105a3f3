package import Domain
package import SQL
import Storage
import StrictJSON

extension Gateway {
    /// Takes down what merchants were paid, and what of it failed: each in one transaction with its journal entry and with
    /// what others are to be told of it.
    package struct Payouts: Sendable {
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
        private let presentation: Presentation
        private let actor: AuditActor

        /// The payouts in a database, as somebody tells of them.
        package init(
            database: any Database,
            clock: any GatewayClock,
            presentation: Presentation,
            by actor: AuditActor
        ) {
            self.actor = actor
            self.database = database
            self.clock = clock
            self.presentation = presentation
        }

        /// Records a payout; the same one again, by its reference, changes nothing.
        ///
        /// - Throws: ``PayoutRefusal/notPaidYet``, ``PayoutRefusal/referenceInUse(_:differsIn:)``, or `SQLError`.
        package func record(_ draft: PayoutDraft) async throws -> Told {
            let shown = try await database.read { [now = clock.now()] session in
                try TestClockTable.clock(of: draft.marketplace, in: session)?.time(at: now) ?? now
            }
            if let time = draft.paidAt, time > shown { throw PayoutRefusal.notPaidYet }
            do {
                return try await write(draft)
            } catch SQLError.uniqueViolation {
                // Somebody told of it meanwhile.
                return try await write(draft)
            }
        }

        /// Records that a payout has failed; for the same reason again, changes nothing.
        ///
        /// - Throws: ``PayoutRefusal/unusableReason``, ``PayoutRefusal/unknown(_:)``,
        ///   ``PayoutRefusal/failedOtherwise(_:)``, or `SQLError`.
        package func fail(_ id: PayoutID, of marketplace: String, because reason: String) async throws -> Told {
            _ = try Payout.Failure(reason, at: clock.now())
            return try await database.write { session in
                guard var payout = try PayoutTable.lock(id, of: marketplace, in: session) else {
                    throw PayoutRefusal.unknown(id)
                }
                if case .failed(let known) = payout.state {
                    guard known.reason == reason else { throw PayoutRefusal.failedOtherwise(payout) }
                    return Told(payout: payout, isNews: false)
                }
                let series = try Self.series(of: payout.merchant, in: payout.amount.currency, marketplace, session)
                let clock = try Self.clock(of: marketplace, in: session)
                let now = clock.time(at: self.clock.now())
                let failure = try Payout.Failure(reason, at: series.failureTime(at: now))
                var ids = IdentifierSource()
                try PayoutTable.fail(payout, failure, entry: ids.make(at: failure.at), in: session)
                payout.state = .failed(failure)
                let covers = try PayoutTable.covers(of: id, in: session).map { text in try JSON.parse(text: text) }
                try tell(payout, paying: covers ?? .null, number: series.number, by: clock, in: session)
                try audit(.failPayout, payout, at: self.clock.now(), in: session)
                return Told(payout: payout, isNews: true)
            }
        }

        private func write(_ draft: PayoutDraft) async throws -> Told {
            try await database.write { session in
                if let known = try PayoutTable.find(reference: draft.reference, of: draft.marketplace, in: session) {
                    let fields = known.differences(from: draft)
                    guard fields.isEmpty else { throw PayoutRefusal.referenceInUse(known, differsIn: fields) }
                    return Told(payout: known, isNews: false)
                }
                let series = try Self.series(of: draft.merchant, in: draft.amount.currency, draft.marketplace, session)
                let clock = try Self.clock(of: draft.marketplace, in: session)
                let time = series.recordingTime(at: clock.time(at: self.clock.now()))
                var ids = IdentifierSource()
                let payout = Payout(draft, id: ids.make(at: time), at: time)
                let cover = try Self.cover(payout, since: series, in: session)
                let covers = presentation.cover(cover)
                try PayoutTable.insert(payout, covers: covers.text, entry: ids.make(at: time), in: session)
                try PayoutSeriesTable.advance(to: cover, in: session)
                try tell(payout, paying: covers, number: series.number, by: clock, in: session)
                try audit(.recordPayout, payout, at: self.clock.now(), in: session)
                return Told(payout: payout, isNews: true)
            }
        }

        private func audit(
            _ act: AuditAct,
            _ payout: Payout,
            at now: Timestamp,
            in session: any Session
        ) throws(SQLError) {
            try AuditTrailTable.record(
                act,
                by: actor,
                on: AuditSubject(.payout, payout.id.text),
                of: payout.marketplace,
                at: now,
                [
                    "merchant": .string(payout.merchant.text), "currency": .string(payout.amount.currency.code),
                    "amount": .integer(payout.amount.minorUnits), "reference": .string(payout.reference),
                ],
                in: session
            )
        }

        private static func clock(of marketplace: String, in session: any Session) throws(SQLError) -> MarketplaceClock
        {
            try TestClockTable.clock(of: marketplace, in: session) ?? .unmoved
        }

        /// The number of what is told, under a lock for which this may wait: the clock is read behind it, because the feed
        /// of events takes the moment of a transaction for one at which it runs.
        private static func series(
            of merchant: MerchantID,
            in currency: Currency,
            _ marketplace: String,
            _ session: any Session
        ) throws(SQLError) -> PayoutSeries {
            try PayoutSeriesTable.next(of: merchant, in: currency, marketplace: marketplace, session)
        }

        /// What a payout pays for that is posted behind all that the one before pays for.
        private static func cover(
            _ payout: Payout,
            since series: PayoutSeries,
            in session: any Session
        ) throws(SQLError) -> PayoutBreakdown {
            let scope = StatementScope(
                marketplace: payout.marketplace,
                merchant: payout.merchant,
                currency: payout.amount.currency,
                from: series.coveredTo,
                to: payout.recordedAt
            )
            guard let scope else { preconditionFailure("a payout is recorded later than the one before") }
            return try PayoutBreakdownTable.cover(scope, told: series.closing, in: session)
        }

        private func tell(
            _ payout: Payout,
            paying covers: JSON,
            number: Int64,
            by clock: MarketplaceClock,
            in session: any Session
        ) throws(SQLError) {
            let names = try MerchantTable.names(of: [payout.merchant], in: session)
            let writer = PayoutCallbacks(
                presentation: presentation,
                name: names[payout.merchant] ?? payout.merchant.text,
                clock: clock
            )
            try Outbox.insert(writer.callbacks(for: payout, paying: covers, number: number), in: session)
        }
    }
}
