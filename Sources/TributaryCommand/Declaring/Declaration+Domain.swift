import Domain
import Settings
import Storage

/// What is declared, as it is stored.
extension MarketplaceTable.Marketplace {
    init(_ declared: MarketplaceDeclaration) { self.init(id: declared.id, name: declared.name) }
}

extension PSPAccount {
    init(_ declared: PSPAccountDeclaration, of marketplace: String, at now: Timestamp) {
        self.init(
            marketplace: marketplace,
            id: declared.id,
            psp: declared.psp,
            baseURL: declared.baseURL,
            credentials: declared.credentials.mapValues(\.description),
            updatedAt: now
        )
    }

    /// What differs, as the declaration names it.
    func differences(from stored: PSPAccount) -> [String] {
        (baseURL == stored.baseURL ? [] : ["base_url"])
            + (credentials == stored.credentials ? [] : ["credentials"])
            + (status == stored.status ? [] : ["status"])
    }
}

extension Merchant {
    init(_ declared: MerchantDeclaration, of marketplace: String, id: MerchantID) {
        self.init(
            id: id,
            marketplace: marketplace,
            externalIdentifier: declared.externalIdentifier,
            name: declared.name,
            merchantIdentifier: declared.merchantIdentifier,
            domain: declared.domain,
            kind: Kind(declared.kind),
            commission: declared.commission,
            routes: declared.routes.map(Route.init)
        )
    }

    /// What differs, as the declaration names it.
    func differences(from stored: Merchant) -> [String] {
        (name == stored.name ? [] : ["name"])
            + (merchantIdentifier == stored.merchantIdentifier ? [] : ["merchant_identifier"])
            + (domain == stored.domain ? [] : ["domain"])
            + (kind == stored.kind ? [] : ["kind"])
            + (routes == stored.routes ? [] : ["routes"])
            + (commission == stored.commission ? [] : ["commission"])
            + (status == stored.status ? [] : ["status"])
    }
}

extension Merchant.Kind {
    fileprivate init(_ declared: MerchantDeclaration.Kind) {
        switch declared {
        case .merchant: self = .merchant
        case .marketplace: self = .marketplace
        }
    }
}

extension Merchant.Route {
    fileprivate init(_ declared: RouteDeclaration) {
        self.init(
            pspAccount: declared.pspAccount,
            merchantAccount: declared.merchantAccount,
            settlesTo: declared.settlesTo,
            commissionBy: declared.commissionBy,
            currencies: declared.currencies?.map(\.code) ?? [],
            wallets: declared.wallets?.map(\.rawValue) ?? [],
            networks: declared.networks ?? []
        )
    }
}
