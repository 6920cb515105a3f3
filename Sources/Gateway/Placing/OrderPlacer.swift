import AdapterKit
import Domain
import SQL
import Storage

/// Places an order: checks the draft against what is stored, and writes down order, intents, credentials and key in
/// one transaction.
///
/// Nothing has left for any PSP when it returns.
struct OrderPlacer: Sendable {
    /// What became of a request.
    enum Result: Sendable {
        /// The order is written down; its authorizations are leased to this instance.
        case placed(Order, [AttemptID: Credential])
        /// The key had made an order before.
        case known(OrderID, answer: [UInt8]?)
    }

    let database: any Database
    let directory: PSPDirectory
    let wallets: WalletDesk
    let credentials: CredentialKeys
    let clock: any GatewayClock
    let instance: String
    let settings: GatewaySettings
    let lines: CallLines

    /// Credentials are erased this long after the order is decided at the latest.
    private static let credentialMarginMilliseconds: Int64 = 300_000

    /// Places an order under a key.
    ///
    /// - Throws: ``PlacementRefusal``, ``Overload``, or `SQLError` if the database cannot be reached; then nothing is
    ///   stored.
    func place(
        _ draft: OrderDraft,
        under use: IdempotencyTable.Use,
        by caller: Caller? = nil
    ) async throws -> Result {
        let read = try await GroundReader(database: database, directory: directory).read(for: draft, under: use)
        if let known = read.known { return try result(of: known, for: use) }
        let ground = read.ground(settings: settings, at: clock.now())
        let opened = try await wallets.open(draft, of: read.tenant, on: ground)
        var ids = IdentifierSource()
        let plan = try OrderPlan(opened, on: ground, ids: &ids)
        var machine = OrderMachine(
            plan.order,
            at: ground.now,
            by: instance,
            rules: settings.rules,
            ids: ids
        )
        machine.caller = caller
        machine.place()
        for payment in plan.order.payments {
            if let details = plan.tokenDetails[payment.id] { machine.tell(of: details, for: payment.id) }
        }
        machine.seal()
        let proposal = Proposal(machine: machine, credentials: plan.credentials, opened: opened)
        try lines.expect(plan.order, at: ground.now)
        do {
            let result = try await write(proposal, under: use)
            if case .known = result { lines.forget(plan.order) }
            return result
        } catch {
            lines.forget(plan.order)
            throw error
        }
    }

    /// An order that is about to be written down.
    private struct Proposal {
        let machine: OrderMachine
        let credentials: [AttemptID: Credential]
        let opened: OpenedDraft
    }

    /// Writes the order down, unless another request was first.
    ///
    /// Who used the reference may have failed just now; then it is free after all. A token or a payment request that
    /// is used up may be so by the same request, sent twice.
    private func write(_ proposal: Proposal, under use: IdempotencyTable.Use) async throws -> Result {
        for isLast in [false, false, true] {
            do {
                try await writeDown(proposal, under: use)
                return .placed(proposal.machine.order, proposal.credentials)
            } catch let error where !isLast && Self.isCollision(error) {
                if let earlier = try await earlierOrder(proposal.opened.draft, use) { return earlier }
                if let refusal = error as? PlacementRefusal { throw refusal }
            }
        }
        throw SQLError.serializationFailure
    }

    private static func isCollision(_ error: any Error) -> Bool {
        if case SQLError.uniqueViolation = error { true } else { error is PlacementRefusal }
    }

    private func writeDown(_ proposal: Proposal, under use: IdempotencyTable.Use) async throws {
        let (order, record, wakeAt) = (proposal.machine.order, proposal.machine.record, proposal.machine.wakeAt)
        let sealed = try credentials.seal(proposal.credentials)
        let eraseAt = order.terms.decideBy.adding(milliseconds: Self.credentialMarginMilliseconds)
        let opened = proposal.opened
        try await database.write { session in
            try IdempotencyTable.insert(use, order: order.id, at: order.createdAt, in: session)
            try OrderWriter.insert(order, record, wakeAt: wakeAt, in: session)
            try CredentialTable.insert(sealed.rows, of: order.id, eraseAt: eraseAt, in: session)
            try opened.useUp(for: order, in: session)
            // Last, because orders that bring the same key wait for one another from here on.
            if let key = sealed.key { try CredentialKeyTable.insert([key], in: session) }
        }
        credentials.confirm(sealed.key)
    }

    private func result(of known: IdempotencyTable.Known, for use: IdempotencyTable.Use) throws -> Result {
        guard use.bodyHashes.contains(known.bodyHash) else { throw PlacementRefusal.keyReused(known.order) }
        return .known(known.order, answer: known.answer)
    }

    /// The order of the request that was first under the same key; nil if there is none, and none has the reference.
    private func earlierOrder(_ draft: OrderDraft, _ use: IdempotencyTable.Use) async throws -> Result? {
        let found = try await database.read { session in
            (
                known: try IdempotencyTable.read(session.rows(IdempotencyTable.find(use))),
                live: try draft.reference.flatMap { reference in
                    try OrderSearch.live(reference: reference, of: use.marketplace, in: session)
                }
            )
        }
        if let known = found.known { return try result(of: known, for: use) }
        if let live = found.live { throw PlacementRefusal.referenceInUse(live) }
        return nil
    }
}
