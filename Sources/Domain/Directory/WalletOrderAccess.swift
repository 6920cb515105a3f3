extension WalletAccess {
    /// What a marketplace signs orders in Wallet with, and says of itself in them.
    ///
    /// The certificate is an "Order Type ID Certificate" of Apple's developer portal, for the order type; devices are pushed
    /// with it too.
    package struct Orders: Hashable, Sendable {
        /// The order type identifier: `order.com.example.travel`.
        package var type: String
        /// Where the certificate and its private key are kept.
        package var identity: KeyPair
        /// Where the certificates between it and Apple's root are kept.
        package var intermediates: [String]
        /// The Apple merchant identifier, which has to be of the certificate's developer account.
        package var merchantIdentifier: String
        /// Where the marketplace's logo is kept: 300 × 300 pixels, PNG or JPEG, without transparency.
        package var logo: String
        /// Where a buyer manages an order; `{reference}` and `{order}` in it stand for the order's.
        package var managementURL: String
        /// Where devices reach the web service, in https and without a slash at the end.
        package var webServiceURL: String
        /// Where devices are pushed, if not at Apple's fixed address.
        package var pushURL: String?
        /// Where the certificate authorities are kept that prove that address, if not the system's.
        package var pushAuthorities: String?

        /// Makes access.
        package init(
            type: String,
            identity: KeyPair,
            intermediates: [String],
            merchantIdentifier: String,
            logo: String,
            managementURL: String,
            webServiceURL: String,
            pushURL: String? = nil,
            pushAuthorities: String? = nil
        ) {
            self.type = type
            self.identity = identity
            self.intermediates = intermediates
            self.merchantIdentifier = merchantIdentifier
            self.logo = logo
            self.managementURL = managementURL
            self.webServiceURL = webServiceURL
            self.pushURL = pushURL
            self.pushAuthorities = pushAuthorities
        }
    }
}
