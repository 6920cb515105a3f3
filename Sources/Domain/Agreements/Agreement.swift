/// What a buyer allows one merchant to charge while the buyer is away.
///
/// It begins with a payment of the buyer's, whose method is kept; it has one PSP account, that of the method.
package struct Agreement: Hashable, Sendable {
    /// Where it stands.
    package enum State: String, Sendable, CaseIterable {
        /// The buyer has not paid under it yet.
        case pending
        /// It can be charged.
        case active
        /// It cannot be charged for now.
        case suspended
        /// It is over here, and the PSP still has to forget the method.
        case ending
        /// It is over, and nothing of the method is kept.
        case ended
    }

    /// Why it cannot be charged for now.
    package enum Suspension: String, Sendable, CaseIterable {
        /// The first payment was made, and the PSP told of no method for later ones.
        case methodMissing = "method_missing"
        /// The buyer or the issuer has taken back the consent.
        case consentRevoked = "consent_revoked"
        /// The buyer or the issuer has unlinked the merchant token at Apple.
        case methodUnlinked = "method_unlinked"
    }

    /// Its identifier.
    package let id: AgreementID
    /// The marketplace.
    package let marketplace: String
    /// The merchant that may charge.
    package let merchant: MerchantID
    /// The merchant's stable identifier.
    package let externalIdentifier: String
    /// What may be charged.
    package let terms: AgreementTerms
    /// The marketplace's own name for the buyer, if it gave one.
    package let reference: String?
    /// When it was made.
    package let createdAt: Timestamp
    /// When anything of it last changed.
    package var updatedAt: Timestamp
    /// Where it stands.
    package var state: State
    /// Why it is suspended; nil unless it is.
    package var suspension: Suspension?
    /// The order of the first payment; nil as long as there is none, and once it has failed.
    package var firstOrder: OrderID?
    /// Whether the first payment may still come to something or to nothing.
    package var isFirstPaymentOpen: Bool
    /// The PSP's name of the first payment.
    package var firstReference: String?
    /// What the card scheme calls the first payment, each kind at most once.
    package var networkTransactionIDs: [NetworkTransactionID]
    /// What charges are paid with; nil before the first payment, and once it is erased.
    package var method: AgreementMethod?
    /// What charges can be paid with if the PSP keeps nothing of the first payment, as long as that is open.
    package var candidate: AgreementMethod?
    /// Apple's merchant token that the buyer paid first with; nil if there was none, and once the agreement has ended.
    package var token: MerchantToken?
    /// The merchant tokens that Apple still has to unlink once they are in use no longer.
    package var linkedTokens: [String]
    /// The methods whose secrets are kept: that one, and those that the PSP still has to forget.
    package var unerased: [StoredMethodID]
    /// The orders of charges that are not decided yet.
    package var openCharges: [OrderID]
    /// The order of the latest charge that was accepted.
    package var chargedBy: OrderID?
    /// What was declined, and so what may be tried.
    package var tries: ChargeTries
    /// How many things others were told of it.
    package var announced: Int64
    /// How many times it was written.
    package var version: Int64

    /// Makes an agreement under which nothing is paid yet.
    package init(
        id: AgreementID,
        marketplace: String,
        merchant: MerchantID,
        externalIdentifier: String,
        terms: AgreementTerms,
        reference: String?,
        createdAt: Timestamp
    ) {
        self.id = id
        self.marketplace = marketplace
        self.merchant = merchant
        self.externalIdentifier = externalIdentifier
        self.terms = terms
        self.reference = reference
        self.createdAt = createdAt
        updatedAt = createdAt
        state = .pending
        isFirstPaymentOpen = false
        networkTransactionIDs = []
        linkedTokens = []
        unerased = []
        openCharges = []
        tries = ChargeTries()
        announced = 0
        version = 1
    }

    /// Whether it is over, whatever is left to do at the PSP.
    package var isOver: Bool { state == .ending || state == .ended }
}

/// What may be charged under an agreement.
package struct AgreementTerms: Hashable, Sendable {
    /// What bounds a charge.
    package enum Bound: Hashable, Sendable {
        /// Each charge is exactly that, in minor units.
        case fixed(Int64)
        /// Each charge is at most that, in minor units.
        case maximum(Int64)
    }

    /// What lets the merchant charge.
    package let type: AgreementType
    /// The currency of every payment.
    package let currency: Currency
    /// What bounds a charge.
    package let bound: Bound
    /// What the buyer agreed to, in a few words.
    package let description: String

    /// Gathers terms.
    package init(type: AgreementType, currency: Currency, bound: Bound, description: String) {
        self.type = type
        self.currency = currency
        self.bound = bound
        self.description = description
    }
}

/// What charges under an agreement are paid with: all of it but the secret.
package struct AgreementMethod: Hashable, Sendable {
    /// What it is.
    package enum Kind: String, Sendable, CaseIterable {
        /// A token that the PSP made.
        case pspToken = "psp_token"
        /// A network token whose number we keep.
        case networkToken = "network_token"
    }

    /// Its identifier, under which the secret is kept.
    package let id: StoredMethodID
    /// What it is.
    package let kind: Kind
    /// Where it was made, and where alone it is charged.
    package let route: RouteSnapshot
    /// The card network, as the PSP names it.
    package var network: String?
    /// The last four digits of the account or card that is charged.
    package var last4: String?
    /// The month after which it is no longer taken, 1 to 12.
    package var expiryMonth: Int?
    /// The year of ``expiryMonth``, four digits.
    package var expiryYear: Int?
    /// Apple's name of the merchant token behind it.
    package var merchantTokenIdentifier: String?

    /// Makes a method.
    package init(
        id: StoredMethodID,
        kind: Kind,
        route: RouteSnapshot,
        network: String? = nil,
        last4: String? = nil,
        expiryMonth: Int? = nil,
        expiryYear: Int? = nil,
        merchantTokenIdentifier: String? = nil
    ) {
        self.id = id
        self.kind = kind
        self.route = route
        self.network = network
        self.last4 = last4
        self.expiryMonth = expiryMonth
        self.expiryYear = expiryYear
        self.merchantTokenIdentifier = merchantTokenIdentifier
    }
}
