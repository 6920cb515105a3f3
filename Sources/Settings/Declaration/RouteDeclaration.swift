package import Domain
import StrictJSON

/// A declared way to have a merchant's payments authorized.
package struct RouteDeclaration: Hashable, Sendable {
    /// The PSP account.
    package var pspAccount: String
    /// The merchant's account at the PSP, if it has one there.
    package var merchantAccount: String?
    /// Whom the PSP pays.
    package var settlesTo: RouteSnapshot.SettlesTo
    /// How the commission gets to the marketplace; matters only where the PSP pays the merchant.
    package var commissionBy: RouteSnapshot.CommissionBy
    /// The currencies it takes; nil for every one.
    package var currencies: [Currency]?
    /// The wallets it takes; nil for every one.
    package var wallets: [Wallet]?
    /// The card networks it takes, in lower case as ``CardNetwork`` has them; nil for every one.
    package var networks: [String]?

    /// What happens to Apple Pay tokens on the way.
    package var applePay: Merchant.Route.TokenHandling

    /// A kind of credential as routes name it.
    package enum Wallet: String, Hashable, Sendable, CaseIterable {
        /// Apple Pay tokens.
        case applePay = "apple_pay"
        /// Google Pay tokens.
        case googlePay = "google_pay"
        /// Network tokens that the caller brings.
        case networkToken = "network_token"
        /// The PSP's own tokens.
        case pspToken = "psp_token"
    }

    init?(_ body: ObjectReader) {
        let pspAccount = body.string("psp_account", length: 1...64, by: TextRule.slug.accept)
        merchantAccount = body.string("merchant_account", .optional, length: 1...128, by: TextRule.reference.accept)
        settlesTo =
            body.parsed("settles_to", .optional, expecting: "marketplace or merchant") {
                RouteSnapshot.SettlesTo(rawValue: $0)
            } ?? .marketplace
        let commissionBy = body.parsed("commission_by", .optional, expecting: "psp or invoice") {
            RouteSnapshot.CommissionBy(rawValue: $0)
        }
        if commissionBy != nil, settlesTo != .merchant {
            body.refuse("commission_by", "contradiction", "Has a meaning only with settles_to: merchant.")
        }
        self.commissionBy = commissionBy ?? .psp
        currencies = body.strings(
            "currencies",
            .optional,
            count: 1...200,
            expecting: "a currency of ISO 4217",
            Currency.init(code:)
        )
        wallets = body.strings(
            "wallets",
            .optional,
            count: 1...4,
            expecting: "one of \(Wallet.allCases.map(\.rawValue).joined(separator: ", "))",
            Wallet.init(rawValue:)
        )
        networks = body.strings(
            "networks",
            .optional,
            count: 1...20,
            expecting: "one of \(CardNetwork.names.joined(separator: ", "))"
        ) { CardNetwork(rawValue: $0)?.rawValue }
        applePay = body.choice("apple_pay", .optional, of: Merchant.Route.TokenHandling.self) ?? .open
        guard let pspAccount else { return nil }
        self.pspAccount = pspAccount
    }
}
