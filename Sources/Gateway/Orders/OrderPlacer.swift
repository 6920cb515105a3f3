import AdapterKit
import Domain
import SQL
import Storage
import StrictJSON
import Synchronization
import Telemetry

/// Places an order: checks the draft against what is stored, and writes down order, intents, credentials and key in
/// one transaction.
///
/// Nothing has left for any PSP when it returns.
struct OrderPlacer: Sendable {
    /// What became of a request.
    enum Result: Sendable {
        /// The order is written down; its authorizations are leased to this instance.
        case placed(OrderStep, [AttemptID: AuthorizationDetails])
        /// The key had made an order before.
        case known(OrderID)
    }

    let database: any Database
    let directory: PSPDirectory
    let wallets: Wallets
    let credentials: CredentialKeys
    let clock: any GatewayClock
    let log: OrderLog
    let settings: GatewaySettings
    let lines: CallLines
    /// Where the placing is told of, and what an order is kept with.
    var traces = TraceWriter.none
    /// Where identifiers are drawn from.
    var random = RandomSource.system
    /// Stores what comes of agreements.
    let agreements: AgreementWriter
    /// Seals and opens what is kept for agreements.
    let vault: Vault
    /// Plans how the buyer follows an order in Wallet; nil where nobody does.
    var walletOrders: WalletOrderPlanner?

    /// Credentials are erased this long after the order is decided at the latest.
    private static let credentialMarginMilliseconds: Int64 = 300_000

    /// Places an order under a key.
    ///
    /// - Throws: ``PlacementRefusal``, ``Overload``, `SQLError` if the database cannot be reached, or `CancellationError` if
    ///   nobody waits any more before anything is written; then nothing is stored.
    func place(
        _ draft: OrderDraft,
        under use: IdempotencyTable.Use,
        by caller: Caller? = nil
    ) async throws -> Result {
        let read = try await PlacementContext.read(for: draft, under: use, from: database, with: directory)
        let idempotency = Idempotency(use: use)
        if let earlier = try idempotency.earlierPlacement(read.known) {
            return .known(earlier.order)
        }
        // The database may have taken so long that the caller is gone, or was told so.
        try Task.checkCancellation()
        let placement = read.context(settings: settings, at: clock.now())
        let draft = try placement.agreement?.charging(draft, at: placement.time, with: vault) ?? draft
        let decrypted = try await wallets.open(draft, of: read.tenant, on: placement)
        var ids = IdentifierSource(random: random)
        let plan = try OrderPlan(decrypted, in: placement, ids: &ids, random: random)
        var order = plan.order
        order.traceParent = traces.current?.text
        let walletOrder = try await walletOrders?.plan(
            draft,
            of: order,
            in: read.tenant,
            merchants: placement.merchants.mapValues(\.name),
            at: placement.now
        )
        order.walletOrder = walletOrder?.reference
        let step = try log.placement(
            of: order,
            tokens: plan.tokenDetails,
            by: caller,
            at: placement.time,
            ids: ids
        )
        let proposal = Proposal(
            step: step,
            details: plan.details,
            decrypted: decrypted,
            agreement: try agreement(plan, of: draft, paidWith: decrypted.draft.merchantToken),
            walletOrder: walletOrder,
            at: placement.now
        )
        try lines.expect(plan.order, at: placement.now)
        do {
            let result = try await write(proposal, under: use, idempotency)
            if case .known = result { lines.forget(plan.order) }
            return result
        } catch {
            lines.forget(plan.order)
            throw error
        }
    }

    /// An order that is about to be written down.
    private struct Proposal {
        let step: OrderStep
        let details: [AttemptID: AuthorizationDetails]
        let decrypted: DecryptedDraft
        let agreement: PlacedAgreement?
        let walletOrder: WalletOrderPlanner.Plan?
        /// The real time.
        let at: Timestamp
    }

    /// What is written down with an order under an agreement: for a first payment that leaves nothing at the PSP, the
    /// number that later ones are made with, without its cryptogram.
    private func agreement(
        _ plan: OrderPlan,
        of draft: OrderDraft,
        paidWith merchantToken: String?
    ) throws -> PlacedAgreement? {
        guard let use = plan.order.agreement, let attempt = plan.order.payments.first?.attempt else { return nil }
        var candidate: (method: AgreementMethod, sealed: CredentialTable.Sealed)?
        if draft.charge == nil, case .networkToken(let token)? = plan.details[attempt.id]?.credential,
            directory.capabilities[attempt.route.psp]?.agreements.keepsHere(.networkToken) == true
        {
            var ids = IdentifierSource(random: random)
            let kept = StoredNetworkToken(token)
            let method = AgreementMethod(
                id: ids.make(at: clock.now()),
                kind: .networkToken,
                route: attempt.route,
                last4: String(token.number.reveal().suffix(4)),
                expiryMonth: kept.expiryMonth,
                expiryYear: kept.expiryYear,
                merchantTokenIdentifier: merchantToken
            )
            let context = AgreementMethodTable.context(of: method.id, use.agreement)
            let sealed = try vault.seal(Credential.storedNetworkToken(kept).json.bytes, context)
            candidate = (method: method, sealed: sealed)
        }
        return PlacedAgreement(
            writer: agreements,
            charge: draft.charge,
            candidate: candidate,
            merchantToken: draft.charge == nil ? merchantToken : nil
        )
    }

    /// Writes the order down, unless another request was first.
    ///
    /// Who used the reference may have failed just now; then it is free after all. A token or a payment request that
    /// is used up may be so by the same request, sent twice.
    private func write(
        _ proposal: Proposal,
        under use: IdempotencyTable.Use,
        _ idempotency: Idempotency
    ) async throws -> Result {
        for isLast in [false, false, true] {
            do {
                return .placed(try await writeDown(proposal, under: use, idempotency), proposal.details)
            } catch let error where !isLast && Self.isCollision(error) {
                if let earlier = try await earlierOrder(proposal.decrypted.draft, use, idempotency) { return earlier }
                if let refusal = error as? PlacementRefusal { throw refusal }
            }
        }
        throw SQLError.serializationFailure
    }

    private static func isCollision(_ error: any Error) -> Bool {
        if case SQLError.uniqueViolation = error { true } else { error is PlacementRefusal }
    }

    /// Writes the order down in one transaction.
    ///
    /// A commit of which no answer came was done if the order is there.
    private func writeDown(
        _ proposal: Proposal,
        under use: IdempotencyTable.Use,
        _ idempotency: Idempotency
    ) async throws -> OrderStep {
        let order = proposal.step.order
        let sealed = try credentials.seal(proposal.details)
        let end = order.clock.realTime(of: order.terms.decideBy)
        let eraseAt = end.adding(milliseconds: Self.credentialMarginMilliseconds)
        let decrypted = proposal.decrypted
        let begin = traces.now
        let isKeyLate = PlantedBug.keyBehindOrder.isPlanted
        let isSent = Mutex(false)
        let step: OrderStep
        do {
            step = try await database.write { session in
                let step = try (isKeyLate ? Idempotency(use: nil) : idempotency).once(
                    for: order.id,
                    at: proposal.at,
                    in: session
                ) {
                    try log.insert(proposal.step, in: session)
                    try proposal.agreement?.begin(order, at: proposal.at, in: session)
                    try proposal.walletOrder?.insert(order, at: proposal.at, in: session)
                    try CredentialTable.insert(sealed.rows, eraseAt: eraseAt, in: session)
                    try decrypted.useUp(for: order, in: session)
                    // Last, because orders that bring the same key wait for one another from here on.
                    if let key = sealed.key { try CredentialKeyTable.insert([key], in: session) }
                    return proposal.step
                }
                isSent.withLock { $0 = true }
                return step
            }
        } catch SQLError.unavailable(let reason) {
            guard isSent.withLock(\.self),
                case .known(order.id)? = try? await earlierOrder(decrypted.draft, use, idempotency)
            else { throw SQLError.unavailable(reason) }
            step = proposal.step
        }
        if isKeyLate {
            _ = try await database.write { session in
                try idempotency.once(for: order.id, at: proposal.at, in: session) { step }
            }
        }
        credentials.confirm(sealed.key)
        traces.record(step, since: begin)
        return step
    }

    /// The order of the request that was first under the same key; nil if there is none, and none has the reference.
    private func earlierOrder(
        _ draft: OrderDraft,
        _ use: IdempotencyTable.Use,
        _ idempotency: Idempotency
    ) async throws -> Result? {
        let found = try await database.read { session in
            (
                known: try IdempotencyTable.read(session.rows(IdempotencyTable.find(use))),
                live: try draft.reference.flatMap { reference in
                    try OrderSearch.live(reference: reference, of: use.marketplace, in: session)
                }
            )
        }
        if let earlier = try idempotency.earlierPlacement(found.known) {
            return .known(earlier.order)
        }
        if let live = found.live { throw PlacementRefusal.referenceInUse(live) }
        return nil
    }
}
