/// A submerchant, or the marketplace's own share.
package struct Merchant: Hashable, Sendable {
    /// What a merchant is.
    package enum Kind: String, Sendable, CaseIterable {
        /// A submerchant.
        case merchant
        /// The marketplace's own share.
        case marketplace
    }

    /// Whether new authorizations are taken.
    package enum Status: String, Sendable, CaseIterable {
        /// They are.
        case active
        /// They are not; captures, voids and refunds go on.
        case paused
    }

    /// Its identifier.
    package var id: MerchantID
    /// The marketplace it belongs to.
    package var marketplace: String
    /// Its stable identifier on the wallet's sheet and in requests.
    package var externalIdentifier: String
    /// The name shown to buyers.
    package var name: String
    /// Its Apple merchant identifier, if it has one.
    package var merchantIdentifier: String?
    /// Its top-level domain, if it has one.
    package var domain: String?
    /// What it is.
    package var kind: Kind
    /// What buyers read on the statement of a payment to it that says nothing else.
    package var statementDescriptor: String?
    /// What the marketplace keeps of its payments.
    package var commission: CommissionRule
    /// Who bears what disputes take of its payments, from now on.
    package var disputeLiability: DisputeLiability
    /// Whether new authorizations are taken.
    package var status: Status
    /// The PSP accounts that serve it, in order of preference.
    package var routes: [Route]
    /// What its papers say of it.
    package var profile: BusinessProfile

    /// Makes a merchant.
    package init(
        id: MerchantID,
        marketplace: String,
        externalIdentifier: String,
        name: String,
        merchantIdentifier: String? = nil,
        domain: String? = nil,
        kind: Kind = .merchant,
        statementDescriptor: String? = nil,
        commission: CommissionRule = CommissionRule(),
        disputeLiability: DisputeLiability = .merchant,
        status: Status = .active,
        routes: [Route] = [],
        profile: BusinessProfile = BusinessProfile()
    ) {
        self.id = id
        self.marketplace = marketplace
        self.externalIdentifier = externalIdentifier
        self.name = name
        self.merchantIdentifier = merchantIdentifier
        self.domain = domain
        self.kind = kind
        self.statementDescriptor = statementDescriptor
        self.commission = commission
        self.disputeLiability = disputeLiability
        self.status = status
        self.routes = routes
        self.profile = profile
    }

    /// A PSP account that serves a merchant.
    package struct Route: Hashable, Sendable {
        /// What happens to a wallet token before the PSP gets it.
        package enum TokenHandling: String, Sendable, CaseIterable {
            /// We open and verify it, and send what is in it as a network token.
            case open
            /// It goes on as it is: it is encrypted for the PSP's own certificate.
            case passThrough = "pass_through"
        }

        /// The PSP account's name.
        package var pspAccount: String
        /// The merchant's account at the PSP, if it has one there.
        package var merchantAccount: String?
        /// Whom the PSP pays.
        package var settlesTo: RouteSnapshot.SettlesTo
        /// How the commission gets to the marketplace.
        package var commissionBy: RouteSnapshot.CommissionBy
        /// The currencies it serves, by code; empty for all.
        package var currencies: [String]
        /// The wallets it serves; empty for all.
        package var wallets: [String]
        /// The card networks it serves; empty for all.
        package var networks: [String]
        /// What happens to Apple Pay tokens on the way.
        package var applePay: TokenHandling

        /// Makes a route.
        package init(
            pspAccount: String,
            merchantAccount: String? = nil,
            settlesTo: RouteSnapshot.SettlesTo = .marketplace,
            commissionBy: RouteSnapshot.CommissionBy = .psp,
            currencies: [String] = [],
            wallets: [String] = [],
            networks: [String] = [],
            applePay: TokenHandling = .open
        ) {
            self.pspAccount = pspAccount
            self.merchantAccount = merchantAccount
            self.settlesTo = settlesTo
            self.commissionBy = commissionBy
            self.currencies = currencies
            self.wallets = wallets
            self.networks = networks
            self.applePay = applePay
        }
    }
}
