import AdapterKit
package import Domain
import Gateway
import PSPSimulator
import Wiring

/// Twins at which a merchant has an account of its own.
extension PSPTwin {
    /// The twins that pay the merchant's own account.
    package static let payingMerchants = all.compactMap { twin in
        // Authorize.Net pays the account's owner only.
        twin.dialect == .authorizeNet ? nil : twin.routed(to: .merchant)
    }

    /// The twins that pay the marketplace though the payment is made at a merchant's account.
    package static let payingMarketplace = all.compactMap { twin in
        // A charge at a connected account of Stripe, or a submerchant's of Braintree, is that account's, and so is its money.
        [.stripe, .braintree].contains(twin.dialect) ? nil : twin.routed(to: .marketplace)
    }

    /// The name in the twin's books under which the merchant's payments stand.
    package var ledger: String {
        // Stripe keeps a connected account's charges in that account.
        guard dialect == .stripe, let merchantAccount else { return account }
        return "\(account):\(merchantAccount)"
    }

    /// How late the PSP's inquiries may be, as its adapter declares, in milliseconds; 0 if it has none.
    package var lateness: Int64 {
        guard case .byReference(let delay)? = AdapterCatalog.psps["\(self)"]?.capabilities.inquiry else { return 0 }
        return delay
    }

    /// Whether the PSP has keys that keep a repetition from having an effect, as its adapter declares.
    package var takesKeys: Bool {
        if case .key? = AdapterCatalog.psps["\(self)"]?.capabilities.idempotency { true } else { false }
    }

    /// Whether the PSP keeps nothing but successes under a key, as its adapter declares.
    package var keepsSuccessesOnly: Bool {
        if case .key(_, .successes)? = AdapterCatalog.psps["\(self)"]?.capabilities.idempotency { true } else { false }
    }

    /// Whether the PSP can be asked after what was sent, as its adapter declares.
    package var isAskedByReference: Bool {
        if case .byReference? = AdapterCatalog.psps["\(self)"]?.capabilities.inquiry { true } else { false }
    }

    /// Whether the PSP can be asked what happened since a moment, as its adapter declares.
    package var listsActivity: Bool {
        switch AdapterCatalog.psps["\(self)"]?.listing {
        case .recent?, .all?: true
        case .some(.none), nil: false
        }
    }

    /// What the PSP may answer before it is done, as its adapter declares.
    package var answersLater: Set<Notice.Action> { AdapterCatalog.psps["\(self)"]?.capabilities.asynchronous ?? [] }

    /// Whether a capture may leave the rest of the hold, as its adapter declares.
    package var takesSeveralCaptures: Bool { AdapterCatalog.psps["\(self)"]?.capabilities.multipleCapture == true }

    /// The twin with a merchant's account at it.
    private func routed(to settlesTo: RouteSnapshot.SettlesTo) -> PSPTwin {
        var twin = self
        twin.merchantAccount = merchantsName
        twin.settlesTo = settlesTo
        let keepsFee = AdapterCatalog.psps["\(self)"]?.capabilities.applicationFee == true
        if settlesTo == .merchant, !keepsFee { twin.commissionBy = .invoice }
        return twin
    }

    /// What a merchant's account is called there.
    private var merchantsName: String {
        switch dialect {
        case .stripe: "acct_1Skyways"
        case .adyen: "BA3227C223222B5BLP6JQC3FD"
        case .checkout: "ent_wxglze3wwywujg4nna5fb7ldli"
        case .square: "LSKYWAYS"
        case .braintree: "skyways_usd"
        case .worldpay: "skyways"
        case .authorizeNet, .simulator: "skyways"
        }
    }
}
