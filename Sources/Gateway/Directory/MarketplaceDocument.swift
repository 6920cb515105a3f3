package import Domain
package import Storage

/// A marketplace as a file declares it: itself, its PSP accounts, its merchants and where callbacks go.
///
/// Secrets in files are named by absolute paths, since the server runs elsewhere.
package struct MarketplaceDocument: Hashable, Sendable {
    /// A declared merchant.
    package struct DeclaredMerchant: Hashable, Sendable {
        /// The merchant.
        package let merchant: MerchantDocument
        /// Where it hears about its payments, if anywhere.
        package let endpoint: EndpointDocument?

        /// Pairs a merchant with its endpoint.
        package init(_ merchant: MerchantDocument, _ endpoint: EndpointDocument?) {
            self.merchant = merchant
            self.endpoint = endpoint
        }
    }

    /// The marketplace.
    package let marketplace: MarketplaceTable.Marketplace
    /// Its accounts at PSPs; no identifier occurs twice.
    package let accounts: [PSPAccount]
    /// Its merchants; no external identifier occurs twice, and their routes name declared accounts.
    package let merchants: [DeclaredMerchant]
    /// Where the marketplace hears about its orders, if anywhere.
    package let endpoint: EndpointDocument?

    /// Gathers what is declared.
    package init(
        _ marketplace: MarketplaceTable.Marketplace,
        accounts: [PSPAccount],
        merchants: [DeclaredMerchant],
        endpoint: EndpointDocument?
    ) {
        self.marketplace = marketplace
        self.accounts = accounts
        self.merchants = merchants
        self.endpoint = endpoint
    }
}

/// An endpoint of callbacks as a file declares it.
package struct EndpointDocument: Hashable, Sendable {
    /// The address: https, or plain http to the loopback interface.
    package let url: String
    /// Where the signing secret is kept, `env:NAME` or `file:PATH`; nil if it is to be made.
    package let secret: String?
    /// What is shown to a server that asks for a client certificate; nil for nothing.
    package let identity: CallbackEndpoint.Identity?

    /// Makes a document.
    package init(url: String, secret: String?, identity: CallbackEndpoint.Identity?) {
        self.url = url
        self.secret = secret
        self.identity = identity
    }
}
