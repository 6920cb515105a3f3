import Crypto
package import OpenSSLCMS
import WireFormats

/// The private keys that tokens may be encrypted for, one or several while certificates are replaced, by the hash of
/// their public halves.
package struct ApplePayRing: Sendable {
    /// The keys in the order in which they were given.
    package let keys: [ProcessingKey]
    private let indices: [[UInt8]: Int]

    /// Makes a ring; of several entries for one key the first counts.
    package init(_ keys: [ProcessingKey]) {
        self.keys = keys
        indices = Dictionary(zip(keys.map(\.publicKeyHash), keys.indices)) { first, _ in first }
    }

    /// The key with this hash of its public half.
    package subscript(publicKeyHash: [UInt8]) -> ProcessingKey? { indices[publicKeyHash].map { keys[$0] } }
}

/// A private key that tokens are encrypted for, with the merchant identifier it belongs to.
///
/// Every description of it is a mask.
package struct ProcessingKey: Sendable, CustomStringConvertible, CustomReflectable {
    /// What the key does.
    enum Operation: Sendable {
        /// Agrees on a secret with the device's key, for `EC_v1`.
        case agreement(AgreementKey)
        /// Unwraps a key, for `RSA_v1`.
        case unwrapping(PrivateKey)
    }

    /// The version of the tokens that it opens.
    package let version: ApplePayVersion
    /// The Apple merchant identifier; nil if only its hash is known.
    package let merchantIdentifier: String?
    /// The SHA-256 digest of the merchant identifier, 32 bytes.
    package let merchantIdentifierHash: [UInt8]
    /// The SHA-256 digest of the public key, by which tokens name the key.
    package let publicKeyHash: [UInt8]
    let operation: Operation

    /// Makes a key; nil if it is neither on P-256 nor RSA of 2048 bits or more.
    init?(_ key: PrivateKey, merchantIdentifier: String?, hash: [UInt8]) {
        switch key.kind {
        case .p256:
            guard let agreement = AgreementKey(key) else { return nil }
            version = .ec
            operation = .agreement(agreement)
        case .rsa(let bits) where bits >= 2048:
            version = .rsa
            operation = .unwrapping(key)
        default: return nil
        }
        self.merchantIdentifier = merchantIdentifier
        merchantIdentifierHash = hash
        publicKeyHash = Array(SHA256.hash(data: key.publicKey.subjectPublicKeyInfo))
    }

    /// Makes a key of a merchant identifier, without a certificate.
    ///
    /// - Throws: ``UnusableProcessingKey``.
    package init(_ key: PrivateKey, merchantIdentifier: String) throws(UnusableProcessingKey) {
        let hash = MerchantIdentifierHash.of(merchantIdentifier)
        guard !merchantIdentifier.isEmpty else { throw UnusableProcessingKey("the merchant identifier is empty") }
        guard let made = ProcessingKey(key, merchantIdentifier: merchantIdentifier, hash: hash) else {
            throw UnusableProcessingKey("the private key is neither on P-256 nor RSA of 2048 bits or more")
        }
        self = made
    }

    /// Whether it is this merchant identifier's.
    package func belongs(to merchantIdentifier: String) -> Bool {
        MerchantIdentifierHash.of(merchantIdentifier) == merchantIdentifierHash
    }

    /// The merchant identifier, or what is known of it, and the version.
    package var description: String {
        "\(version.rawValue) key of \(merchantIdentifier ?? Hexadecimal.encode(merchantIdentifierHash))"
    }

    /// No children, so that `dump` shows nothing.
    package var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// Why a private key, with or without its certificate, opens no tokens.
///
/// Says nothing of a private key's bytes.
package struct UnusableProcessingKey: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
