package import Domain
package import SQL
import Storage
import StrictJSON

/// Issues commission invoices: each in one transaction with its number, once for a merchant, a currency and a time.
package struct Invoices: Sendable {
    private let database: any Database
    private let clock: any GatewayClock
    private let actor: AuditActor

    /// The invoices in a database, as somebody issues them.
    package init(database: any Database, clock: any GatewayClock, by actor: AuditActor) {
        self.actor = actor
        self.database = database
        self.clock = clock
    }

    /// Issues the invoice of a time whose books are closed; the one of the same time again changes nothing.
    ///
    /// - Parameters:
    ///   - merchant: whose commission it is.
    ///   - currency: the currency.
    ///   - time: the time, from its first moment.
    ///   - calendar: whose days the time begins and ends with.
    /// - Returns: the invoice, and whether it is new.
    /// - Throws: ``InvoiceRefusal``, `StatementMismatch` if the books are wrong, or `SQLError`.
    package func issue(
        to merchant: Merchant,
        in currency: Currency,
        over time: Range<Timestamp>,
        of calendar: LocalCalendar
    ) async throws -> (invoice: CommissionInvoice, isNew: Bool) {
        let scope = StatementScope(
            marketplace: merchant.marketplace,
            merchant: merchant.id,
            currency: currency,
            from: time.lowerBound,
            to: time.upperBound
        )
        guard let scope else { preconditionFailure("a month has moments") }
        let realNow = clock.now()
        let now = try await database.read { session in
            try TestClockTable.clock(of: merchant.marketplace, in: session)?.time(at: realNow) ?? realNow
        }
        let draft = Draft(merchant: merchant, scope: scope, calendar: calendar, now: now, realNow: realNow)
        do {
            return try await write(draft)
        } catch SQLError.uniqueViolation {
            // Somebody issued it meanwhile.
            return try await write(draft)
        } catch is Overtaken {
            return try await write(draft)
        }
    }

    /// What is to be issued.
    private struct Draft {
        let merchant: Merchant
        let scope: StatementScope
        let calendar: LocalCalendar
        /// What the marketplace's clock shows.
        let now: Timestamp
        /// The real time, which the audit trail goes by.
        let realNow: Timestamp

        /// The first and the last day.
        var days: ClosedRange<CalendarDay> {
            let last = Timestamp(microseconds: scope.to.microseconds - 1)
            return calendar.day(of: scope.from)...calendar.day(of: last)
        }
    }

    /// An invoice of the time was issued between looking for one and taking a number; the number is given back.
    private struct Overtaken: Error {}

    private func write(_ draft: Draft) async throws -> (invoice: CommissionInvoice, isNew: Bool) {
        try await database.write { session in
            if let known = try Self.known(draft.scope, in: session) { return (known, false) }
            let (amounts, issuer) = try Self.amounts(draft, in: session)
            guard let recipient = draft.merchant.profile.legal else { throw InvoiceRefusal.recipientUnknown }
            let items = CommissionInvoice.items(of: amounts)
            guard !items.isEmpty else { throw InvoiceRefusal.nothingToInvoice }
            let number = try InvoiceTable.nextNumber(of: draft.scope.marketplace, in: session)
            guard try InvoiceTable.touching(draft.scope, in: session).isEmpty else { throw Overtaken() }
            var ids = IdentifierSource()
            let invoice = CommissionInvoice(
                id: ids.make(at: draft.now),
                scope: draft.scope,
                number: number,
                days: draft.days,
                timeZone: draft.calendar.zone,
                issuedAt: draft.now,
                issuer: issuer,
                recipient: recipient,
                taxBasisPoints: draft.merchant.commission.taxBasisPoints,
                volume: CommissionInvoice.volume(of: amounts),
                items: items
            )
            try InvoiceTable.insert(invoice, in: session)
            try AuditTrailTable.record(
                .issueInvoice,
                by: actor,
                on: AuditSubject(.invoice, invoice.id.text),
                of: draft.scope.marketplace,
                at: draft.realNow,
                ["merchant": .string(draft.merchant.id.text), "number": .integer(Int64(number))],
                in: session
            )
            return (invoice, true)
        }
    }

    /// The invoice of exactly this time, if there is one.
    private static func known(_ scope: StatementScope, in session: any Session) throws -> CommissionInvoice? {
        let touching = try InvoiceTable.touching(scope, in: session)
        if let same = touching.first(where: { $0.scope == scope }) { return same }
        if let other = touching.first { throw InvoiceRefusal.overlaps(other.id) }
        return nil
    }

    /// What the time's statement has, and who issues invoices.
    private static func amounts(
        _ draft: Draft,
        in session: any Session
    ) throws -> (StatementAmounts, BusinessProfile.LegalEntity) {
        let marketplace = draft.scope.marketplace
        let rolled = try LedgerRollup.rolledUntil(marketplace, in: session)
        guard let rolled, rolled >= draft.scope.to else {
            throw InvoiceRefusal.notClosed(PeriodCloser.closing(of: draft.scope.to))
        }
        let rows = try session.rows(MarketplaceTable.named(marketplace))
        guard let issuer = try MarketplaceTable.read(rows).first?.profile.legal else {
            throw InvoiceRefusal.issuerUnknown
        }
        return (try StatementTable.statement(draft.scope, in: session).amounts, issuer)
    }
}

extension PeriodCloser {
    /// When the books of what is before a moment are closed: at the end of its hour, and what that stays open.
    static func closing(of time: Timestamp) -> Timestamp {
        let period = LedgerRollup.periodMicroseconds
        let end = LedgerRollup.lastEnd(before: Timestamp(microseconds: time.microseconds + period - 1))
        return end.adding(milliseconds: openMilliseconds)
    }
}
