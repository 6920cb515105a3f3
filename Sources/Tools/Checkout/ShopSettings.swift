package import Domain
import StrictJSON
import TributaryClient

/// What a shop sells, and how it reaches Tributary.
package struct ShopSettings: Sendable {
    /// A thing in the cart, sold by one merchant.
    package struct Item: Hashable, Sendable {
        /// The name Tributary knows the merchant by.
        package let merchant: String
        /// The merchant's name for the buyer.
        package let merchantName: String
        /// What it is.
        package let name: String
        /// Its price in minor units.
        package let amount: Int64
        /// The PSP account whose tokens pay it.
        package let pspAccount: String

        /// Makes a thing.
        package init(merchant: String, merchantName: String, name: String, amount: Int64, pspAccount: String) {
            self.merchant = merchant
            self.merchantName = merchantName
            self.name = name
            self.amount = amount
            self.pspAccount = pspAccount
        }
    }

    /// What the page needs for Apple Pay.
    package struct Wallet: Hashable, Sendable {
        /// The shop's domain as Apple knows it.
        package var domain: String
        /// The country whose law holds, ISO 3166-1 alpha-2.
        package var country: String
        /// The marketplace's Apple merchant identifier; without it there is no Payment Request API.
        package var merchantIdentifier: String?
        /// A key that may be in a page, by which it starts sessions itself; nil to start them through the shop.
        package var publishableKey: String?

        /// Makes a description.
        package init(
            domain: String,
            country: String = "US",
            merchantIdentifier: String? = nil,
            publishableKey: String? = nil
        ) {
            self.domain = domain
            self.country = country
            self.merchantIdentifier = merchantIdentifier
            self.publishableKey = publishableKey
        }
    }

    /// Where Tributary is.
    package var gatewayURL: String
    /// The key that places orders; it never leaves the server.
    package var apiKey: Secret
    /// What every cart holds.
    package var items: [Item]
    /// The currency's ISO 4217 code.
    package var currency = "USD"
    /// Apple Pay, if the shop offers it.
    package var wallet: Wallet?
    /// Where buyers reach the shop; nil for the address that it listens on.
    package var publicURL: String?

    /// Makes settings.
    package init(gatewayURL: String, apiKey: Secret, items: [Item], wallet: Wallet? = nil) {
        self.gatewayURL = gatewayURL
        self.apiKey = apiKey
        self.items = items
        self.wallet = wallet
    }

    /// What the cart comes to, in minor units.
    var total: Int64 { items.reduce(0) { $0 + $1.amount } }
}

/// A card of the simulator's that a buyer can choose, and the token that stands for it.
enum TestCard: String, CaseIterable {
    case approved
    case insufficientFunds = "insufficient_funds"
    case expired
    case suspectedFraud = "suspected_fraud"
    case threeDSecure = "three_d_secure"
    case slow
    case late
    case answerLost = "answer_lost"

    /// What it does, for the buyer.
    var name: String {
        switch self {
        case .approved: "Approved"
        case .insufficientFunds: "Declined: insufficient funds"
        case .expired: "Declined: expired card"
        case .suspectedFraud: "Declined: suspected fraud"
        case .threeDSecure: "Asks for 3-D Secure, then approved"
        case .slow: "Approved after three seconds"
        case .late: "Pending at first, then approved"
        case .answerLost: "Approved, but the answer gets lost"
        }
    }

    /// The simulator's token.
    var token: String {
        switch self {
        case .approved: "tok_approve"
        case .insufficientFunds: "tok_decline_insufficient_funds"
        case .expired: "tok_decline_expired_card"
        case .suspectedFraud: "tok_decline_suspected_fraud"
        case .threeDSecure: "tok_action"
        case .slow: "tok_slow_3000"
        case .late: "tok_pending_2000"
        case .answerLost: "tok_timeout_after"
        }
    }
}

/// What the buyer wants if a part cannot be paid.
enum PolicyChoice: String, CaseIterable {
    case allOrNothing = "all_or_nothing"
    case bestEffort = "best_effort"
    case required
    case minimum

    /// The policy for a cart: the first thing in it is the one that is required, and two thirds the minimum.
    func policy(_ settings: ShopSettings) -> TributaryClient.NewOrder.Policy {
        switch self {
        case .allOrNothing: .allOrNothing
        case .bestEffort: .bestEffort
        case .required: .required(settings.items.prefix(1).map(\.merchant))
        case .minimum: .minimum(Self.minimum(settings))
        }
    }

    /// What it means, for the buyer.
    func name(_ settings: ShopSettings) -> String {
        let minimum = Self.minimum(settings)
        return switch self {
        case .allOrNothing: "Book everything or nothing"
        case .bestEffort: "Book whatever can be paid"
        case .required: "Book only if \(settings.items.first?.merchantName ?? "the first part") is paid"
        case .minimum: "Book only if at least \(minimum / 100) \(settings.currency) is paid"
        }
    }

    private static func minimum(_ settings: ShopSettings) -> Int64 { settings.total * 2 / 3 / 100 * 100 }
}
