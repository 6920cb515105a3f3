/// What a marketplace opens wallet tokens with.
///
/// Keys and certificates are references (`env:NAME`, `file:PATH`); they themselves are never stored.
package struct WalletAccess: Hashable, Sendable {
    /// Apple Pay; nil if the marketplace opens no tokens of it.
    package var applePay: ApplePay?
    /// Google Pay; nil if the marketplace opens no tokens of it.
    package var googlePay: GooglePay?
    /// Orders in Wallet; nil if nobody follows the marketplace's orders there.
    package var orders: Orders?

    /// Makes access.
    package init(applePay: ApplePay? = nil, googlePay: GooglePay? = nil, orders: Orders? = nil) {
        self.applePay = applePay
        self.googlePay = googlePay
        self.orders = orders
    }

    /// A certificate and its private key.
    package struct KeyPair: Hashable, Sendable {
        /// Where the certificate is kept.
        package var certificate: String
        /// Where the private key is kept.
        package var key: String

        /// Makes a pair.
        package init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// What opens Apple Pay tokens, and what proves the merchant to Apple.
    package struct ApplePay: Hashable, Sendable {
        /// Whose tokens are taken.
        package enum Environment: String, Sendable, CaseIterable {
            /// Of devices in the hands of buyers.
            case production
            /// Of Apple's sandbox.
            case sandbox
            /// Of both, for tests.
            case any
        }

        /// What opens tokens: a ring, several during rotation.
        package var processing: [KeyPair]
        /// What proves the merchant to Apple when a session starts on the web.
        package var identity: KeyPair?
        /// Whose tokens are taken.
        package var environment: Environment
        /// How far a token's signing time may be from the present, either way, in milliseconds; nil for any distance.
        package var windowMilliseconds: Int64?
        /// Where another root than Apple's is kept, for tests.
        package var root: String?
        /// Where the domain association file is kept, which Apple reads at its well-known path.
        package var domainAssociation: String?
        /// Where sessions are asked for, if not at Apple's fixed address.
        package var sessionURL: String?
        /// Where the certificate authorities are kept that prove that address, if not the system's.
        package var sessionAuthorities: String?

        /// Makes access to Apple Pay.
        package init(
            processing: [KeyPair] = [],
            identity: KeyPair? = nil,
            environment: Environment = .production,
            windowMilliseconds: Int64? = 300_000,
            root: String? = nil,
            domainAssociation: String? = nil,
            sessionURL: String? = nil,
            sessionAuthorities: String? = nil
        ) {
            self.processing = processing
            self.identity = identity
            self.environment = environment
            self.windowMilliseconds = windowMilliseconds
            self.root = root
            self.domainAssociation = domainAssociation
            self.sessionURL = sessionURL
            self.sessionAuthorities = sessionAuthorities
        }
    }

    /// What opens Google Pay tokens.
    package struct GooglePay: Hashable, Sendable {
        /// Who tokens are for: `merchant:<id>` or `gateway:<id>`.
        package var recipient: String
        /// The merchant's id at the gateway, which a token for a gateway has to name; nil if it is not checked.
        package var gatewayMerchantID: String?
        /// Where the private keys are kept: several during rotation.
        package var keys: [String]
        /// Where Google's root signing keys are kept, as the JSON that Google publishes.
        package var roots: String

        /// Makes access to Google Pay.
        package init(recipient: String, gatewayMerchantID: String? = nil, keys: [String], roots: String) {
            self.recipient = recipient
            self.gatewayMerchantID = gatewayMerchantID
            self.keys = keys
            self.roots = roots
        }
    }
}
