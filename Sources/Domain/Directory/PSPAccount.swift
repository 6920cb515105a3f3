/// One account's credentials at a PSP.
package struct PSPAccount: Hashable, Sendable {
    /// The marketplace it belongs to.
    package var marketplace: String
    /// Its name in our configuration.
    package var id: String
    /// The PSP's name, for example `stripe`.
    package var psp: String
    /// The PSP's base URL.
    package var baseURL: String
    /// Where its credentials are, by name: `env:NAME` or `file:PATH`, never the credentials themselves.
    package var credentials: [String: String]
    /// Whether new authorizations are taken.
    package var status: Merchant.Status
    /// When it was last changed.
    package var updatedAt: Timestamp
    /// The mode of its marketplace, which the account at the PSP has to be of.
    package var mode: MarketplaceMode

    /// Makes an account.
    package init(
        marketplace: String,
        id: String,
        psp: String,
        baseURL: String,
        credentials: [String: String],
        status: Merchant.Status = .active,
        updatedAt: Timestamp,
        mode: MarketplaceMode = .test
    ) {
        self.marketplace = marketplace
        self.id = id
        self.psp = psp
        self.baseURL = baseURL
        self.credentials = credentials
        self.status = status
        self.updatedAt = updatedAt
        self.mode = mode
    }
}
