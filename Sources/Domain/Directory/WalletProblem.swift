/// What keeps a marketplace's orders from being followed in Wallet, or soon will, or keeps what Apple tells of its buyers'
/// merchant tokens from coming here: since when, and why.
///
/// There is at most one of a kind for a marketplace. Each ends by itself once it is mended.
package struct WalletProblem: Hashable, Sendable {
    /// What is wrong; the raw values are the reasons among what waits for a person.
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// Nothing can be signed: the certificate, its key, an issuer or a picture is missing, expired or not what it should be.
        case unsigned = "wallet_orders_unsigned"
        /// The certificate or that of its issuer expires within 30 days.
        case expiring = "wallet_certificate_expiring"
        /// A package cannot be made of an order, though others can: it is too large, or of an order type that is not declared.
        case package = "wallet_package_impossible"
        /// Apple's push service refuses what it is sent.
        case push = "wallet_pushes_refused"
        /// Events of merchant tokens cannot be fetched from Apple, or could not as long as Apple keeps them.
        case tokenNotices = "merchant_token_notices_failing"

        /// Whether it is about orders in Wallet.
        package var isAboutOrders: Bool { self != .tokenNotices }
    }

    /// Whose orders.
    package let marketplace: String
    /// What is wrong.
    package let kind: Kind
    /// The order in Wallet that it is about, an order's identifier or a payment's, or the event that was given up; nil if it is
    /// about all of them.
    package let subject: String?
    /// Since when.
    package let since: Timestamp
    /// When it was last seen.
    package let seenAt: Timestamp
    /// Why, in a sentence without secrets.
    package let finding: String

    /// Makes a problem.
    package init(
        marketplace: String,
        kind: Kind,
        subject: String? = nil,
        since: Timestamp,
        seenAt: Timestamp,
        finding: String
    ) {
        self.marketplace = marketplace
        self.kind = kind
        self.subject = subject
        self.since = since
        self.seenAt = seenAt
        self.finding = finding
    }

    /// What a person can do about it, in a sentence.
    package var advice: String {
        switch kind {
        case .unsigned:
            "Put what is missing where wallet_orders says, or apply another declaration; it ends within a minute of that."
                + " Orders go on, and are followed once they can be signed."
        case .expiring:
            "Request another certificate from Apple (Order Type ID) and put it in place; it is read within ten minutes."
        case .package: "See wallet-orders show, and mend what the finding names; it ends once the package can be made."
        case .tokenNotices:
            "Compare apple_pay.merchant_identity and the merchant's merchant_identifier with Apple; it ends with the next event that"
                + " Apple hands out, of one that was given up eight days later. An unlinked token whose event is lost is seen by the next charge's decline."
        case .push: "Compare the certificate with the order type at Apple; it ends with the next push that Apple takes."
        }
    }
}
