package import Domain

/// What a checkout wants a payment sheet to ask for: well-formed, but not yet checked against anything stored.
package struct PaymentRequestDraft: Hashable, Sendable {
    /// The total of the sheet.
    package var amount: Money
    /// Whether the checkout said that what the contexts leave of the amount stays uncharged.
    package var acceptsResidual: Bool
    /// The marketplace's country, ISO 3166-1 alpha-2.
    package var country: String
    /// What the total is called on the sheet; by default the marketplace's name.
    package var label: String?
    /// The parts, one for each merchant; nil for a sheet without contexts.
    package var contexts: [Context]?
    /// The card networks, in Apple's words.
    package var supportedNetworks: [String]
    /// What the merchants can process, in Apple's words.
    package var merchantCapabilities: [String]

    /// Makes a draft.
    package init(
        amount: Money,
        acceptsResidual: Bool = false,
        country: String,
        label: String? = nil,
        contexts: [Context]? = nil,
        supportedNetworks: [String],
        merchantCapabilities: [String]
    ) {
        self.amount = amount
        self.acceptsResidual = acceptsResidual
        self.country = country
        self.label = label
        self.contexts = contexts
        self.supportedNetworks = supportedNetworks
        self.merchantCapabilities = merchantCapabilities
    }

    /// The part for one merchant.
    package struct Context: Hashable, Sendable {
        /// The merchant's stable identifier.
        package var externalIdentifier: String
        /// The amount in minor units, at least 1.
        package var amount: Int64
        /// If sent, must be the request's.
        package var currency: Currency?
        /// If sent, must equal the merchant's record.
        package var merchantIdentifier: String?
        /// If sent, must equal the merchant's record.
        package var merchantName: String?
        /// If sent, must equal the merchant's record.
        package var merchantDomain: String?

        /// Makes a context.
        package init(
            externalIdentifier: String,
            amount: Int64,
            currency: Currency? = nil,
            merchantIdentifier: String? = nil,
            merchantName: String? = nil,
            merchantDomain: String? = nil
        ) {
            self.externalIdentifier = externalIdentifier
            self.amount = amount
            self.currency = currency
            self.merchantIdentifier = merchantIdentifier
            self.merchantName = merchantName
            self.merchantDomain = merchantDomain
        }
    }
}
