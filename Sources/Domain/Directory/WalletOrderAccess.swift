extension WalletAccess {
    /// What a marketplace signs orders in Wallet with, and says of itself in them.
    ///
    /// The certificate is an "Order Type ID Certificate" of Apple's developer portal, for the order type; devices are pushed
    /// with it too.
    package struct Orders: Hashable, Sendable {
        /// Who gives the data of an order whose merchant is another: the marketplace, in packages of single payments.
        package struct Provider: Hashable, Sendable {
            /// What the buyer knows it by.
            package var displayName: String
            /// Its page.
            package var url: String
            /// Where its logo beside a tracking link is kept, for light backgrounds.
            package var logoLight: String
            /// Where its logo beside a tracking link is kept, for dark backgrounds.
            package var logoDark: String

            /// Makes a provider.
            package init(displayName: String, url: String, logoLight: String, logoDark: String) {
                self.displayName = displayName
                self.url = url
                self.logoLight = logoLight
                self.logoDark = logoDark
            }
        }

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
        /// Who gives the data of single merchants' packages, if that is said.
        package var provider: Provider?

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
            pushAuthorities: String? = nil,
            provider: Provider? = nil
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
            self.provider = provider
        }
    }
}
