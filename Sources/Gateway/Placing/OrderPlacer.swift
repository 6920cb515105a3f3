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
    let vault: Vault
    let clock: any GatewayClock
    let instance: String
    let settings: GatewaySettings

    /// Credentials are erased this long after the order is decided at the latest.
    private static let credentialMarginMilliseconds: Int64 = 300_000
    /// How often to write an order whose reference is in use one moment and free the next.
    private static let writeLimit = 3

    /// Places an order under a key.
    ///
    /// - Throws: ``PlacementRefusal``, or `SQLError` if the database cannot be reached.
    func place(_ draft: OrderDraft, under use: IdempotencyTable.Use) async throws -> Result {
        let (known, ground) = try await ground(for: draft, under: use)
        if let known { return try result(of: known, for: use) }
        var ids = IdentifierSource()
        let plan = try OrderPlan(draft, on: ground, ids: &ids)
        var machine = OrderMachine(
            plan.order,
            at: ground.now,
            by: instance,
            rules: settings.rules,
            ids: ids
        )
        machine.place()
        machine.seal()
        return try await write(machine, plan.credentials, of: draft, under: use)
    }

    /// Writes the order down, unless another request was first.
    ///
    /// Who used the reference may have failed just now; then it is free after all.
    private func write(
        _ machine: OrderMachine,
        _ credentials: [AttemptID: Credential],
        of draft: OrderDraft,
        under use: IdempotencyTable.Use
    ) async throws -> Result {
        for _ in 1..<Self.writeLimit {
            do {
                try await write(machine, credentials, under: use)
                return .placed(machine.order, credentials)
            } catch SQLError.uniqueViolation {
                if let earlier = try await earlierOrder(draft, use) { return earlier }
            }
        }
        try await write(machine, credentials, under: use)
        return .placed(machine.order, credentials)
    }

    /// Everything the draft is checked against, in one round trip, and the key's order if it has one.
    private func ground(
        for draft: OrderDraft,
        under use: IdempotencyTable.Use
    ) async throws -> (IdempotencyTable.Known?, OrderPlan.Ground) {
        let names = Array(Set(draft.contexts.map(\.externalIdentifier))).sorted()
        let read = try await database.read { session in
            let answers = try session.rows(
                [IdempotencyTable.find(use)] + MerchantTable.named(names, of: use.marketplace)
                    + [PSPAccountTable.all(of: use.marketplace)]
            )
            return (
                known: try IdempotencyTable.read(answers[0]),
                merchants: try MerchantTable.read(answers[1], answers[2]),
                accounts: try PSPAccountTable.read(answers[3])
            )
        }
        for account in read.accounts { _ = try? directory.adapter(for: account) }
        let router = Router(
            accounts: Dictionary(uniqueKeysWithValues: read.accounts.map { ($0.id, $0) }),
            capabilities: directory.capabilities
        )
        let ground = OrderPlan.Ground(
            marketplace: use.marketplace,
            merchants: Dictionary(uniqueKeysWithValues: read.merchants.map { ($0.externalIdentifier, $0) }),
            router: router,
            settings: settings,
            now: clock.now()
        )
        return (read.known, ground)
    }

    private func write(
        _ machine: OrderMachine,
        _ credentials: [AttemptID: Credential],
        under use: IdempotencyTable.Use
    ) async throws {
        let (order, record, wakeAt) = (machine.order, machine.record, machine.wakeAt)
        let sealed = try credentials.map { ($0.key, try vault.seal($0.value.document, $0.key.text)) }
        let eraseAt = order.terms.decideBy.adding(milliseconds: Self.credentialMarginMilliseconds)
        try await database.write { session in
            try IdempotencyTable.insert(use, order: order.id, at: order.createdAt, in: session)
            try OrderWriter.insert(order, record, wakeAt: wakeAt, in: session)
            try CredentialTable.insert(sealed, of: order.id, eraseAt: eraseAt, in: session)
        }
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
