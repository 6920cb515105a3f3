/// Where an attempt was routed, and who settles to whom, as of the sale.
package struct RouteSnapshot: Hashable, Sendable {
    /// Whom the PSP pays.
    package enum SettlesTo: String, Sendable {
        /// The marketplace, which owes the merchant.
        case marketplace
        /// The merchant directly.
        case merchant
    }

    /// How the marketplace gets its commission when the PSP pays the merchant.
    package enum CommissionBy: String, Sendable {
        /// The PSP keeps it for the marketplace.
        case psp
        /// The merchant is invoiced.
        case invoice
    }

    /// The PSP's name, for example `stripe`.
    package let psp: String
    /// The PSP account's name in our configuration.
    package let pspAccount: String
    /// The merchant's account at the PSP, if it has one there.
    package let merchantAccount: String?
    /// Whom the PSP pays.
    package let settlesTo: SettlesTo
    /// How the commission gets to the marketplace.
    package let commissionBy: CommissionBy

    /// Makes a route.
    package init(
        psp: String,
        pspAccount: String,
        merchantAccount: String? = nil,
        settlesTo: SettlesTo = .marketplace,
        commissionBy: CommissionBy = .psp
    ) {
        self.psp = psp
        self.pspAccount = pspAccount
        self.merchantAccount = merchantAccount
        self.settlesTo = settlesTo
        self.commissionBy = commissionBy
    }

    /// Whether the PSP is to keep the commission for the marketplace.
    package var takesApplicationFee: Bool { settlesTo == .merchant && commissionBy == .psp }
}

/// When another route of a merchant may be tried for a payment.
///
/// A PSP's own token works nowhere else, and a cryptogram that may have reached an issuer is used up.
package enum FallbackRule: String, Sendable, CaseIterable {
    /// Never: the credential belongs to one PSP.
    case never
    /// If provably nothing reached the PSP: the credential is a network token with a cryptogram.
    case ifNotSent = "if_not_sent"
    /// Also if the PSP refused the request before it could reach an issuer: the credential is encrypted.
    case ifRefused = "if_refused"
}
