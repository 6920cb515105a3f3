import Callbacks
import Domain
import SQL
import Settings
import Storage

/// Carries out what a declaration comes to.
struct DeclarationStore {
    private static let merchantsAtOnce = 1000

    private let database: any Database
    private let secrets: () throws -> SecretStore

    /// A store in an open database; `secrets` is asked for only if a secret has to be made.
    init(_ database: any Database, secrets: @escaping () throws -> SecretStore) {
        self.database = database
        self.secrets = secrets
    }

    /// Compares a declaration with what is stored and, unless it is a dry run, writes the difference, all in one
    /// transaction; answers what that came to, and the secrets that were made.
    ///
    /// - Throws: ``CommandFailure`` if it cannot be applied, or `SQLError`.
    func apply(
        _ declaration: Declaration,
        _ mode: ApplyPlan.Mode,
        isDryRun: Bool
    ) async throws -> (plan: ApplyPlan, made: [MadeSecret]) {
        let declaration = declaration.withAbsolutePaths
        let now = Timestamp(microseconds: try await database.now())
        let preview = try await database.read { session in try Self.plan(declaration, mode, at: now, in: session) }
        guard !isDryRun else { return (preview, []) }
        let secrets = preview.endpoints.contains { $0.signing == .generated } ? try self.secrets() : nil
        return try await database.write { session in
            let plan = try Self.plan(declaration, mode, at: now, in: session)
            if let marketplace = plan.marketplace { try MarketplaceTable.save(marketplace, at: now, in: session) }
            for account in plan.accounts { try PSPAccountTable.save(account, in: session) }
            for merchant in plan.merchants { try MerchantTable.save(merchant, at: now, in: session) }
            let changes = EndpointChanges(marketplace: declaration.marketplace.id, secrets: secrets, now: now)
            return (plan, try changes.write(plan.endpoints, in: session))
        }
    }

    private static func plan(
        _ declaration: Declaration,
        _ mode: ApplyPlan.Mode,
        at now: Timestamp,
        in session: any Session
    ) throws -> ApplyPlan {
        let id = declaration.marketplace.id
        let stored = ApplyPlan.Stored(
            marketplace: try MarketplaceTable.all(in: session).first { $0.id == id },
            accounts: try PSPAccountTable.read(session.rows(PSPAccountTable.all(of: id))),
            merchants: try merchants(of: id, in: session),
            endpoints: try CallbackEndpointTable.all(of: id, in: session)
        )
        var ids = IdentifierSource()
        return try ApplyPlan(declaration, over: stored, mode, at: now, ids: &ids)
    }

    /// All merchants of a marketplace.
    static func merchants(of marketplace: String, in session: any Session) throws(SQLError) -> [Merchant] {
        var all: [Merchant] = []
        while true {
            let page = try MerchantTable.list(
                of: marketplace,
                after: all.last?.externalIdentifier ?? "",
                limit: merchantsAtOnce,
                in: session
            )
            all += page
            if page.count < merchantsAtOnce { return all }
        }
    }
}

extension Declaration {
    /// The same with every secret's file named from the root, since the server may run in another folder.
    fileprivate var withAbsolutePaths: Declaration {
        var declaration = self
        for index in declaration.pspAccounts.indices {
            declaration.pspAccounts[index].credentials = pspAccounts[index].credentials.mapValues(\.absolute)
        }
        declaration.marketplace.callback = marketplace.callback?.withAbsolutePaths
        for index in declaration.merchants.indices {
            declaration.merchants[index].callback = merchants[index].callback?.withAbsolutePaths
        }
        declaration.applePay = applePay.map(\.withAbsolutePaths)
        declaration.googlePay = googlePay.map { google in
            var google = google
            google.keys = google.keys.map(\.absolute)
            google.rootKeys = google.rootKeys.absolute
            return google
        }
        return declaration
    }
}

extension CallbackDeclaration {
    fileprivate var withAbsolutePaths: CallbackDeclaration {
        var declaration = self
        declaration.secret = secret?.absolute
        declaration.clientIdentity = clientIdentity.map {
            ClientIdentity(certificate: $0.certificate.absolute, key: $0.key.absolute)
        }
        return declaration
    }
}

extension ApplePayDeclaration {
    fileprivate var withAbsolutePaths: ApplePayDeclaration {
        var declaration = self
        declaration.processingCertificates = processingCertificates.map(\.withAbsolutePaths)
        declaration.merchantIdentity = merchantIdentity.map(\.withAbsolutePaths)
        declaration.root = root.map(\.absolute)
        declaration.domainAssociation = domainAssociation.map(\.absolute)
        declaration.sessionAuthorities = sessionAuthorities.map(\.absolute)
        return declaration
    }
}

extension ApplePayDeclaration.Identity {
    fileprivate var withAbsolutePaths: Self {
        var identity = self
        identity.certificate = certificate.absolute
        identity.key = key.absolute
        return identity
    }
}
