package import Domain
import StrictJSON
import WireFormats

/// An Apple Pay token as it arrives, its texts decoded and nothing verified (Apple, "Payment token format reference").
struct ApplePayToken: Hashable, Sendable {
    /// How deeply a token, or what it encrypts, may be nested.
    static let depthLimit = 16

    /// How it is encrypted.
    let version: ApplePayVersion
    /// The ciphertext and, behind it, its tag.
    let sealed: [UInt8]
    /// The detached signature.
    let signature: [UInt8]
    /// What the content key comes from: the device's public key, or the key wrapped for the merchant.
    let keyMaterial: [UInt8]
    /// The SHA-256 digest of the merchant's public key.
    let publicKeyHash: [UInt8]
    /// The device's identifier of the transaction.
    let transactionID: [UInt8]
    /// The SHA-256 digest of the request's `applicationData`; nil if the request had none.
    let applicationDataHash: [UInt8]?

    /// What the signature covers: the key material, the ciphertext, the transaction and the application data, each as
    /// bytes and without anything between them.
    var signedContent: [UInt8] { keyMaterial + sealed + transactionID + (applicationDataHash ?? []) }

    /// Reads a token in any of the three shapes in which pages, applications and their servers hand it on.
    ///
    /// `paymentData` itself, the `PKPaymentToken` or `ApplePayPaymentToken` around it, or the payment around that.
    ///
    /// - Throws: `TokenRefusal` of the stage `structure`.
    init(_ json: JSON) throws(TokenRefusal) {
        let data = try Self.paymentData(in: json)
        guard let text = data["version"]?.stringValue, let version = ApplePayVersion(rawValue: text) else {
            throw TokenRefusal(.structure, "unknown_version", "the version is neither EC_v1 nor RSA_v1")
        }
        let key = try Self.keyMember(of: data, version)
        self = try TolerantReading.read(data, .structure, "malformed_token") { data -> Self? in
            let sealed = data.base64("data")
            let signature = data.base64("signature")
            let header = data.object("header") { Header($0, key: key) }
            guard let sealed, let signature, let header else { return nil }
            return Self(version, sealed, signature, header)
        }
    }

    /// Puts fields together.
    init(
        version: ApplePayVersion,
        sealed: [UInt8],
        signature: [UInt8],
        keyMaterial: [UInt8],
        publicKeyHash: [UInt8],
        transactionID: [UInt8],
        applicationDataHash: [UInt8]?
    ) {
        self.version = version
        self.sealed = sealed
        self.signature = signature
        self.keyMaterial = keyMaterial
        self.publicKeyHash = publicKeyHash
        self.transactionID = transactionID
        self.applicationDataHash = applicationDataHash
    }

    private init(_ version: ApplePayVersion, _ sealed: [UInt8], _ signature: [UInt8], _ header: Header) {
        self.version = version
        self.sealed = sealed
        self.signature = signature
        keyMaterial = header.keyMaterial
        publicKeyHash = header.publicKeyHash
        transactionID = header.transactionID
        applicationDataHash = header.applicationDataHash
    }

    /// The signed part: exactly one shape may fit, so that nobody chooses between two.
    private static func paymentData(in json: JSON) throws(TokenRefusal) -> JSON {
        let bare = json["header"].map { _ in json }
        let wrapped = json["paymentData"]
        let token = json["token"].map { $0["paymentData"] ?? .null }
        let found = [bare, wrapped, token].compactMap(\.self)
        guard found.count == 1 else {
            throw TokenRefusal(
                .structure,
                "unknown_shape",
                "expected paymentData itself, an object with paymentData, or one with token.paymentData"
            )
        }
        return found[0]
    }

    /// The one member that the version's key comes from; the other version's may not be there.
    private static func keyMember(of data: JSON, _ version: ApplePayVersion) throws(TokenRefusal) -> String {
        let (own, other) =
            switch version {
            case .ec: ("ephemeralPublicKey", "wrappedKey")
            case .rsa: ("wrappedKey", "ephemeralPublicKey")
            }
        guard data["header"]?[own] != nil, data["header"]?[other] == nil else {
            throw TokenRefusal(
                .structure,
                "version_key_mismatch",
                "a token of \(version.rawValue) has \(own) in its header and not \(other)"
            )
        }
        return own
    }
}

extension ApplePayToken {
    /// The header's fields.
    private struct Header {
        let keyMaterial: [UInt8]
        let publicKeyHash: [UInt8]
        let transactionID: [UInt8]
        let applicationDataHash: [UInt8]?

        init?(_ header: ObjectReader, key: String) {
            let keyMaterial = header.base64(key)
            let publicKeyHash = header.parsed("publicKeyHash", expecting: "32 bytes in Base64") { text in
                Base64.decode(nonempty: text).flatMap { $0.count == 32 ? $0 : nil }
            }
            let transactionID = header.parsed("transactionId", expecting: "64 hexadecimal digits", Self.digest)
            let hash = header.parsed("applicationData", .optional, expecting: "64 hexadecimal digits", Self.digest)
            guard let keyMaterial, let publicKeyHash, let transactionID else { return nil }
            self.keyMaterial = keyMaterial
            self.publicKeyHash = publicKeyHash
            self.transactionID = transactionID
            applicationDataHash = hash
        }

        private static func digest(_ text: String) -> [UInt8]? {
            Hexadecimal.decode(text).flatMap { $0.count == 32 ? $0 : nil }
        }
    }
}

/// How an Apple Pay token is encrypted (Apple, "Payment token format reference").
package enum ApplePayVersion: String, Hashable, Sendable, CaseIterable {
    /// Key agreement on P-256, AES-256-GCM; everywhere but in mainland China.
    case ec = "EC_v1"
    /// A key wrapped with RSA, AES-128-GCM; mainland China.
    case rsa = "RSA_v1"
}

/// Where an Apple Pay token was made.
///
/// One root stands above both; the common name of the signer's certificate tells them apart.
package enum ApplePayEnvironment: String, Hashable, Sendable, CaseIterable {
    /// On devices in the hands of buyers.
    case production
    /// In Apple's sandbox.
    case sandbox

    /// Reads a signer's common name: `ecc-smp-broker-sign_UC4-PROD`, `…-SANDBOX`; nil for any other ending.
    init?(commonName: String) {
        if commonName.hasSuffix("-PROD") {
            self = .production
        } else if commonName.hasSuffix("-SANDBOX") {
            self = .sandbox
        } else {
            return nil
        }
    }

    /// Whether a marketplace that takes tokens of `configured` takes those made here.
    package func isAccepted(by configured: WalletAccess.ApplePay.Environment) -> Bool {
        switch configured {
        case .production: self == .production
        case .sandbox: self == .sandbox
        case .any: true
        }
    }
}
