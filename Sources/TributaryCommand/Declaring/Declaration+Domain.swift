import Domain
import Settings
import Storage

/// What is declared, as it is stored.
extension MarketplaceTable.Marketplace {
    init(_ declared: Declaration) {
        self.init(
            id: declared.marketplace.id,
            name: declared.marketplace.name,
            wallets: WalletAccess(
                applePay: declared.applePay.map(WalletAccess.ApplePay.init),
                googlePay: declared.googlePay.map(WalletAccess.GooglePay.init)
            )
        )
    }

    /// What differs, as the declaration names it.
    func differences(from stored: Self) -> [String] {
        (name == stored.name ? [] : ["name"])
            + (wallets.applePay == stored.wallets.applePay ? [] : ["apple_pay"])
            + (wallets.googlePay == stored.wallets.googlePay ? [] : ["google_pay"])
    }
}

extension WalletAccess.KeyPair {
    fileprivate init(_ declared: ApplePayDeclaration.Identity) {
        self.init(certificate: declared.certificate.description, key: declared.key.description)
    }
}

extension WalletAccess.ApplePay {
    fileprivate init(_ declared: ApplePayDeclaration) {
        self.init(
            processing: declared.processingCertificates.map(WalletAccess.KeyPair.init),
            identity: declared.merchantIdentity.map(WalletAccess.KeyPair.init),
            environment: declared.environment,
            windowMilliseconds: declared.signingTimeWindow,
            root: declared.root?.description,
            domainAssociation: declared.domainAssociation?.description,
            sessionURL: declared.sessionURL,
            sessionAuthorities: declared.sessionAuthorities?.description
        )
    }
}

extension WalletAccess.GooglePay {
    fileprivate init(_ declared: GooglePayDeclaration) {
        self.init(
            recipient: declared.recipient,
            gatewayMerchantID: declared.gatewayMerchantID,
            keys: declared.keys.map(\.description),
            roots: declared.rootKeys.description
        )
    }
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
            disputeLiability: declared.disputeLiability,
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
            + (disputeLiability == stored.disputeLiability ? [] : ["dispute_liability"])
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
            networks: declared.networks ?? [],
            applePay: declared.applePay
        )
    }
}
