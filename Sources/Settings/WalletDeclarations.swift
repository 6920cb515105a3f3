package import Domain
import StrictJSON

/// How the marketplace takes Apple Pay with certificates of its own.
package struct ApplePayDeclaration: Hashable, Sendable {
    /// A certificate and its private key.
    package struct Identity: Hashable, Sendable {
        /// Where the certificate is kept.
        package var certificate: SecretReference
        /// Where the private key is kept.
        package var key: SecretReference

        init?(_ body: ObjectReader, file: String) {
            let certificate = body.secretReference("certificate", relativeTo: file)
            let key = body.secretReference("key", relativeTo: file)
            guard let certificate, let key else { return nil }
            self.certificate = certificate
            self.key = key
        }
    }

    /// What opens tokens: a ring, several during rotation.
    package var processingCertificates: [Identity]
    /// What proves the merchant to Apple when a session starts on the web.
    package var merchantIdentity: Identity?
    /// Whose tokens are taken.
    package var environment: WalletAccess.ApplePay.Environment
    /// How far a token's signing time may be from the present, in milliseconds; nil for any distance.
    package var signingTimeWindow: Int64?
    /// Where another root than Apple's is kept, which is trusted in its place: for tests.
    package var root: SecretReference?
    /// Where the domain association file is kept.
    package var domainAssociation: SecretReference?
    /// Where sessions are asked for, if not at Apple's fixed address.
    package var sessionURL: String?
    /// Where the certificate authorities are kept that prove that address, if not the system's.
    package var sessionAuthorities: SecretReference?

    private enum Window {
        case off
        case within(Int64)

        var milliseconds: Int64? { if case .within(let milliseconds) = self { milliseconds } else { nil } }
    }

    private static func window(_ text: String) -> Window? {
        if text == "off" { return .off }
        return DurationText.milliseconds(text).flatMap { (1000...86_400_000).contains($0) ? .within($0) : nil }
    }

    init?(_ body: ObjectReader, file: String) {
        let certificates = body.array("processing_certificates", .optional, count: 0...20) { Identity($0, file: file) }
        merchantIdentity = body.object("merchant_identity", .optional) { Identity($0, file: file) }
        processingCertificates = certificates ?? []
        environment = body.choice("environment", .optional, of: WalletAccess.ApplePay.Environment.self) ?? .production
        let expected = "off, or a time from 1s to 24h"
        let window = body.parsed("signing_time_window", .optional, expecting: expected, Self.window)
        signingTimeWindow = (window ?? .within(300_000)).milliseconds
        root = body.secretReference("root", .optional, relativeTo: file)
        domainAssociation = body.secretReference("domain_association", .optional, relativeTo: file)
        sessionAuthorities = body.secretReference("session_authorities", .optional, relativeTo: file)
        sessionURL = body.contains("session_url") ? body.webAddress("session_url") : nil
    }
}

/// How the marketplace takes Google Pay with keys of its own.
package struct GooglePayDeclaration: Hashable, Sendable {
    /// Who tokens are for: `merchant:<id>` or `gateway:<id>`.
    package var recipient: String
    /// The merchant's id at the gateway, which a token for a gateway has to name.
    package var gatewayMerchantID: String?
    /// Where the private keys are kept: several during rotation.
    package var keys: [SecretReference]
    /// Where Google's root signing keys are kept, as the JSON that Google publishes.
    package var rootKeys: SecretReference

    init?(_ body: ObjectReader, file: String) {
        let recipient = body.parsed("recipient", expecting: "merchant:<id> or gateway:<id>") { text -> String? in
            let parts = text.split(separator: ":", maxSplits: 1)
            let isKnown =
                TextRule.identifier.allows(text) && parts.count == 2
                && (parts[0] == "merchant" || parts[0] == "gateway")
            return isKnown ? text : nil
        }
        gatewayMerchantID = body.string(
            "gateway_merchant_id",
            .optional,
            length: 1...255,
            by: TextRule.reference.accept
        )
        let keys = body.strings("keys", count: 1...20, expecting: "a reference, env:NAME or file:PATH") {
            SecretReference($0, relativeTo: file)
        }
        let rootKeys = body.secretReference("root_keys", relativeTo: file)
        guard let recipient, let keys, let rootKeys else { return nil }
        self.recipient = recipient
        self.keys = keys
        self.rootKeys = rootKeys
    }
}

/// How buyers follow the marketplace's orders in Wallet.
package struct WalletOrdersDeclaration: Hashable, Sendable {
    /// What the path of the web service ends with, which is what the server serves.
    package static let webServicePath = "/wallet-orders"

    /// The order type identifier.
    package var type: String
    /// The certificate of the order type, and its private key.
    package var identity: ApplePayDeclaration.Identity
    /// Where the certificates between it and Apple's root are kept.
    package var intermediates: [SecretReference]
    /// The Apple merchant identifier.
    package var merchantIdentifier: String
    /// Where the logo is kept.
    package var logo: SecretReference
    /// Where a buyer manages an order.
    package var managementURL: String
    /// Where devices reach the web service.
    package var webServiceURL: String
    /// Where devices are pushed, if not at Apple's fixed address.
    package var pushURL: String?
    /// Where the certificate authorities are kept that prove that address, if not the system's.
    package var pushAuthorities: SecretReference?
    /// Who gives the data of single merchants' packages, if that is said.
    package var provider: Provider?

    /// Who gives the data of packages whose merchant is another.
    package struct Provider: Hashable, Sendable {
        /// What the buyer knows it by.
        package var displayName: String
        /// Its page.
        package var url: String
        /// Where its logo for light backgrounds is kept.
        package var logoLight: SecretReference
        /// Where its logo for dark backgrounds is kept.
        package var logoDark: SecretReference

        fileprivate init?(_ body: ObjectReader, file: String) {
            let name = body.string("display_name", length: 1...100, by: TextRule.freeText.accept)
            let url = body.parsed("url", expecting: "an https:// address") {
                WalletOrdersDeclaration.isAddress($0) ? $0 : nil
            }
            let light = body.secretReference("tracking_logo_light", relativeTo: file)
            let dark = body.secretReference("tracking_logo_dark", relativeTo: file)
            guard let name, let url, let light, let dark else { return nil }
            displayName = name
            self.url = url
            logoLight = light
            logoDark = dark
        }
    }

    init?(_ body: ObjectReader, file: String) {
        let type = body.parsed("order_type_identifier", expecting: "order. and a reversed domain name", Self.orderType)
        let identity = ApplePayDeclaration.Identity(body, file: file)
        let intermediates = body.strings(
            "intermediates",
            count: 1...10,
            expecting: "a reference, env:NAME or file:PATH"
        ) { SecretReference($0, relativeTo: file) }
        let merchantIdentifier = body.string("merchant_identifier", length: 1...128, by: TextRule.identifier.accept)
        let logo = body.secretReference("logo", relativeTo: file)
        let management = body.parsed("order_management_url", expecting: "an https:// address") {
            Self.isAddress($0) ? $0 : nil
        }
        let service = body.parsed(
            "web_service_url",
            expecting: "an https:// address that ends with \(Self.webServicePath)"
        ) { Self.isAddress($0) && $0.hasSuffix(Self.webServicePath) ? $0 : nil }
        pushURL = body.contains("push_url") ? body.webAddress("push_url") : nil
        pushAuthorities = body.secretReference("push_authorities", .optional, relativeTo: file)
        provider = body.object("order_provider", .optional) { Provider($0, file: file) }
        guard let type, let identity, let intermediates, let merchantIdentifier, let logo, let management, let service
        else { return nil }
        self.type = type
        self.identity = identity
        self.intermediates = intermediates
        self.merchantIdentifier = merchantIdentifier
        self.logo = logo
        managementURL = management
        webServiceURL = service
    }

    private static func orderType(_ text: String) -> String? {
        let labels = text.split(separator: ".", omittingEmptySubsequences: false)
        let isReversed = labels.count > 2 && labels[0] == "order"
        let isPlain = labels.allSatisfy { label in
            !label.isEmpty
                && label.utf8.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
                        true
                    default: false
                    }
                }
        }
        return isReversed && isPlain && text.utf8.count <= 128 ? text : nil
    }

    /// An address that begins with https in small letters, as Apple asks for, and is ASCII.
    private static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("https://") && text.utf8.count <= 512 && text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
            && text.utf8.dropFirst("https://".utf8.count).first.map { $0 != UInt8(ascii: "/") } ?? false
    }
}
