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
