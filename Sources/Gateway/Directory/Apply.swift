package import Domain
package import SQL
package import Storage
import StrictJSON

/// Makes a signing secret for an endpoint, and seals it as it is kept.
package typealias SecretMaking =
    @Sendable (_ endpoint: EndpointID) throws -> (secret: Secret, kept: CallbackSecrets.Kept)

/// Brings what is stored of a marketplace to what a file declares.
package struct Apply: Sendable {
    private let database: any Database
    private let actor: AuditActor
    private let secrets: @Sendable () throws -> SecretMaking

    /// Applies to a database what somebody declares; `secrets` is asked for only if a secret has to be made.
    package init(
        _ database: any Database,
        by actor: AuditActor,
        secrets: @escaping @Sendable () throws -> SecretMaking
    ) {
        self.database = database
        self.actor = actor
        self.secrets = secrets
    }

    /// Compares a declaration with what is stored and, unless it is a dry run, writes the difference, all in one
    /// transaction; answers what that came to, and the secrets that were made.
    ///
    /// - Throws: ``DirectoryRefusal`` if it cannot be applied, what making secrets throws, or `SQLError`.
    package func apply(
        _ declaration: MarketplaceDocument,
        _ mode: ApplyPlan.Mode = [],
        isDryRun: Bool = false
    ) async throws -> (plan: ApplyPlan, made: [MadeSecret]) {
        let now = Timestamp(microseconds: try await database.now())
        let preview = try await database.read { session in try Self.plan(declaration, mode, at: now, in: session) }
        guard !isDryRun else { return (preview, []) }
        let secrets = preview.endpoints.contains { $0.signing == .generated } ? try self.secrets() : nil
        return try await database.write { session in
            try MarketplaceTable.lock(declaration.marketplace.id, in: session)
            let plan = try Self.plan(declaration, mode, at: now, in: session)
            if let marketplace = plan.marketplace { try MarketplaceTable.save(marketplace, at: now, in: session) }
            for account in plan.accounts { try PSPAccountTable.save(account, in: session) }
            for merchant in plan.merchants { try MerchantTable.save(merchant, at: now, in: session) }
            try record(plan, of: declaration.marketplace.id, at: now, in: session)
            let changes = EndpointChanges(marketplace: declaration.marketplace.id, secrets: secrets, now: now)
            return (plan, try changes.write(plan.endpoints, in: session))
        }
    }

    /// Writes down how many of what kind are created, changed and so on; a declaration of what is there already is no act.
    private func record(
        _ plan: ApplyPlan,
        of marketplace: String,
        at now: Timestamp,
        in session: any Session
    ) throws(SQLError) {
        guard plan.steps.contains(where: { $0.action != .leftAlone }) else { return }
        let counts = ApplyPlan.Step.Action.allCases.map { action in
            JSON.Member(action.rawValue, .integer(Int64(plan.steps.count { $0.action == action })))
        }
        try AuditTrailTable.record(
            .apply,
            by: actor,
            on: AuditSubject(.marketplace, marketplace),
            of: marketplace,
            at: now,
            .object(counts),
            in: session
        )
    }

    private static func plan(
        _ declaration: MarketplaceDocument,
        _ mode: ApplyPlan.Mode,
        at now: Timestamp,
        in session: any Session
    ) throws -> ApplyPlan {
        let id = declaration.marketplace.id
        let stored = ApplyPlan.Stored(
            marketplace: try MarketplaceTable.all(in: session).first { $0.id == id },
            accounts: try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: id))),
            merchants: try Merchants.all(of: id, in: session),
            endpoints: try CallbackEndpointTable.all(of: id, in: session)
        )
        var ids = IdentifierSource()
        return try ApplyPlan(declaration, over: stored, mode, at: now, ids: &ids)
    }
}
