package import Domain
package import SQL
package import Storage
import StrictJSON

/// An agreement that is wanted: well-formed, but not yet checked against anything stored.
package struct AgreementDraft: Hashable, Sendable {
    /// The merchant that may charge.
    package var externalIdentifier: String
    /// What may be charged.
    package var terms: AgreementTerms
    /// The marketplace's own name for the buyer.
    package var reference: String?

    /// Makes a draft.
    package init(externalIdentifier: String, terms: AgreementTerms, reference: String? = nil) {
        self.externalIdentifier = externalIdentifier
        self.terms = terms
        self.reference = reference
    }
}

/// A charge under an agreement.
package struct ChargeDraft: Hashable, Sendable {
    /// The amount.
    package var amount: Money
    /// Why.
    package var reason: ChargeReason
    /// The marketplace's own name for the order.
    package var reference: String?
    /// When money is taken.
    package var capture: OrderTerms.Capture
    /// A reference that the merchant sees.
    package var merchantReference: String?
    /// What the buyer reads on the statement.
    package var statementDescriptor: String?
    /// The commission, if it is not the merchant's rule.
    package var commission: CommissionCharge?
    /// What the marketplace attached.
    package var metadata: [MetadataItem]

    /// Makes a draft.
    package init(
        amount: Money,
        reason: ChargeReason,
        reference: String? = nil,
        capture: OrderTerms.Capture = .automatic,
        merchantReference: String? = nil,
        statementDescriptor: String? = nil,
        commission: CommissionCharge? = nil,
        metadata: [MetadataItem] = []
    ) {
        self.amount = amount
        self.reason = reason
        self.reference = reference
        self.capture = capture
        self.merchantReference = merchantReference
        self.statementDescriptor = statementDescriptor
        self.commission = commission
        self.metadata = metadata
    }
}

/// Makes, shows and ends agreements.
package struct Agreements: Sendable {
    private let database: any Database
    private let clock: any GatewayClock
    private let writer: AgreementWriter

    /// The agreements in a database.
    package init(
        database: any Database,
        clock: any GatewayClock,
        presentation: Presentation,
        random: RandomSource = .system
    ) {
        self.database = database
        self.clock = clock
        writer = AgreementWriter(presentation: presentation, random: random)
    }

    init(_ ports: Gateway.Ports) {
        self.init(
            database: ports.database,
            clock: ports.clock,
            presentation: ports.presentation,
            random: ports.random
        )
    }

    /// An agreement with why PSPs have not forgotten what they were asked to forget, and Apple has not unlinked.
    package struct Found: Hashable, Sendable {
        /// The agreement.
        package let agreement: Agreement
        /// The latest reason of each removal that was tried in vain.
        package let failures: [String]
    }

    /// Makes an agreement; nothing is paid under it yet.
    ///
    /// - Returns: the agreement; nil if the marketplace has no such merchant.
    /// - Throws: `SQLError`.
    package func create(_ draft: AgreementDraft, of marketplace: String) async throws -> Agreement? {
        try await database.write { [now = clock.now()] session in
            let found = try MerchantTable.find([draft.externalIdentifier], of: marketplace, in: session).first
            guard let merchant = found else { return nil }
            return try insert(draft, with: merchant, of: marketplace, at: now, in: session)
        }
    }

    /// The agreement with that id, if the marketplace has it; of any marketplace, if none is named.
    ///
    /// - Throws: `SQLError`.
    package func find(_ id: AgreementID, of marketplace: String?) async throws -> Found? {
        try await database.read { session in
            guard let agreement = try AgreementTable.find(id, of: marketplace, in: session) else { return nil }
            return Found(
                agreement: agreement,
                failures: try Self.failures(of: id, in: session)
            )
        }
    }

    /// The agreements that pass the filter, newest first, at most `limit`.
    ///
    /// - Throws: `SQLError`.
    package func list(_ filter: AgreementTable.Filter, limit: Int) async throws -> [Agreement] {
        try await database.read { session in try AgreementTable.list(filter, limit: limit, in: session) }
    }

    /// Ends an agreement at once: nothing more is charged, and the PSP is asked to forget the method until it has.
    ///
    /// What was charged before goes on. Ended again, nothing changes.
    ///
    /// - Returns: the agreement after it; nil if the marketplace has none of that name.
    /// - Throws: `SQLError`.
    package func end(_ id: AgreementID, of marketplace: String?, by actor: AuditActor) async throws -> Found? {
        try await database.write { [now = clock.now()] session in
            guard let agreement = try AgreementTable.lock(id, of: marketplace, in: session) else { return nil }
            let ended = try writer.apply(
                [.end],
                to: agreement,
                by: try TestClockTable.clock(of: agreement.marketplace, in: session) ?? .live,
                at: now,
                in: session
            )
            if ended != agreement {
                try AuditTrailTable.record(
                    .endAgreement,
                    by: actor,
                    on: AuditSubject(.agreement, id.text),
                    of: agreement.marketplace,
                    at: now,
                    ["merchant": .string(agreement.merchant.text)],
                    in: session
                )
            }
            return Found(agreement: ended, failures: try Self.failures(of: id, in: session))
        }
    }

    /// Why PSPs have not forgotten what they were asked to forget, and why Apple has not unlinked what it was asked to unlink.
    private static func failures(of id: AgreementID, in session: any Session) throws(SQLError) -> [String] {
        try AgreementMethodTable.failures(of: id, in: session) + MerchantTokenTable.failures(of: id, in: session)
    }

    private func insert(
        _ draft: AgreementDraft,
        with merchant: Merchant,
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) -> Agreement {
        var ids = IdentifierSource(random: writer.random)
        let clock = try TestClockTable.clock(of: marketplace, in: session) ?? .live
        let agreement = Agreement(
            id: ids.make(at: now),
            marketplace: marketplace,
            merchant: merchant.id,
            externalIdentifier: merchant.externalIdentifier,
            terms: draft.terms,
            reference: draft.reference,
            createdAt: clock.time(at: now)
        )
        try AgreementTable.insert(agreement, in: session)
        return agreement
    }
}

extension Gateway {
    /// Charges under an agreement: an order of one context that the merchant starts, and waits for the answer like a checkout.
    ///
    /// - Parameters:
    ///   - charge: what is charged.
    ///   - id: the agreement.
    ///   - use: the key it comes under.
    ///   - caller: who charges.
    ///   - visit: the request's stay inside the door.
    /// - Returns: the answer; nil if the marketplace has no such agreement.
    /// - Throws: what ``place(_:under:by:on:)`` throws; ``PlacementRefusal/agreement(_:)`` if it may not be charged so.
    package func charge(
        _ charge: ChargeDraft,
        under id: AgreementID,
        under use: IdempotencyTable.Use,
        by caller: Caller? = nil,
        on visit: Visit? = nil
    ) async throws -> Answer? {
        guard let agreement = try await agreements.find(id, of: use.marketplace)?.agreement else { return nil }
        let context = OrderDraft.Context(
            externalIdentifier: agreement.externalIdentifier,
            amount: charge.amount,
            commission: charge.commission,
            reference: charge.merchantReference,
            statementDescriptor: charge.statementDescriptor,
            agreement: id
        )
        var draft = OrderDraft(
            reference: charge.reference,
            amount: charge.amount,
            policy: .allOrNothing,
            capture: charge.capture,
            onDeadline: .continue,
            contexts: [context],
            metadata: charge.metadata
        )
        draft.charge = charge.reason
        return try await place(draft, under: use, by: caller, on: visit)
    }

    /// Has PSPs forget what is due to be forgotten now, once; for tests with a clock of their own.
    package func removeMethods() async -> Int { await remover.remove() }
}
