import Crypto
package import Domain
import StrictJSON
import WireFormats

/// Google's root signing keys, from a file in the form in which Google publishes them (Google, "Payment data
/// cryptography for merchants"; `https://payments.developers.google.com/paymentmethodtoken/keys.json`).
package struct GooglePayRoots: Sendable {
    /// The most keys read from a file.
    private static let keyLimit = 64

    private let keys: [Key]

    private struct Key: Sendable {
        let version: GooglePayVersion
        let key: P256.Signing.PublicKey
        /// From when on it signs nothing any more; nil for never.
        let expiration: Timestamp?
    }

    /// Reads a file: `{"keys": [{"keyValue", "protocolVersion", "keyExpiration"}]}`.
    ///
    /// Keys of other versions are skipped. A key of `ECv2` must have an expiry, in milliseconds since 1970.
    ///
    /// - Throws: ``UnusableGooglePayKeys``.
    package init(file: [UInt8]) throws(UnusableGooglePayKeys) {
        let json: JSON
        do {
            json = try JSON.parse(file)
        } catch {
            throw UnusableGooglePayKeys("the root keys are not JSON: \(error)")
        }
        let violations = Violations()
        let read = ObjectReader(json, into: violations, toleratesUnknown: true).flatMap { file in
            file.array("keys", count: 1...Self.keyLimit) { Self.key($0) }
        }
        guard let read, violations.isEmpty else {
            let places = violations.all.map { "\($0.pointer): \($0.detail)" }.joined(separator: " ")
            throw UnusableGooglePayKeys("the root keys are not in the form in which Google publishes them. \(places)")
        }
        keys = read.compactMap(\.self)
        guard !keys.isEmpty else { throw UnusableGooglePayKeys("none of the root keys is of ECv1 or ECv2") }
    }

    /// The keys that may sign tokens of `version` at `moment`.
    func keys(for version: GooglePayVersion, at moment: Timestamp) -> [P256.Signing.PublicKey] {
        keys.filter { key in key.version == version && key.expiration.map { moment < $0 } ?? true }.map(\.key)
    }

    /// One key; an inner nil for a key of another version, an outer one where something is wrong.
    private static func key(_ object: ObjectReader) -> Key?? {
        guard let name = object.string("protocolVersion") else { return nil }
        guard let version = GooglePayVersion(rawValue: name) else { return .some(nil) }
        let value = object.parsed("keyValue", expecting: "a public key of P-256 in Base64") { text in
            Base64.decode(nonempty: text).flatMap { try? P256.Signing.PublicKey(derRepresentation: $0) }
        }
        let expiration = object.moment("keyExpiration", version == .ecV1 ? .optional : .required)
        guard let value, version == .ecV1 || expiration != nil else { return nil }
        return Key(version: version, key: value, expiration: expiration)
    }
}

/// The private keys that tokens may be encrypted for: one, or several while keys are replaced.
///
/// A token does not say which key it is encrypted for; its authentication code does, so each key is tried.
package struct GooglePayPrivateKeys: Sendable, CustomStringConvertible, CustomReflectable {
    /// The most keys in a ring, so that the time a token takes is bounded.
    package static let limit = 8

    /// The keys in the order in which they are tried.
    let keys: [P256.KeyAgreement.PrivateKey]

    /// Reads every private key of the files, in their order: P-256, unencrypted, PKCS #8 or SEC 1, in PEM.
    ///
    /// Whatever else the files hold, such as curve parameters or public keys, is skipped.
    ///
    /// - Throws: ``UnusableGooglePayKeys`` for a file without a private key or with one of another kind, and for
    ///   more than ``limit`` keys.
    package init(pem files: [Secret]) throws(UnusableGooglePayKeys) {
        var keys: [P256.KeyAgreement.PrivateKey] = []
        for file in files { keys += try Self.keys(of: file) }
        guard (1...Self.limit).contains(keys.count) else {
            throw UnusableGooglePayKeys("there are \(keys.count) private keys; there have to be 1 to \(Self.limit)")
        }
        self.keys = keys
    }

    /// How many keys there are.
    package var description: String { "\(keys.count) private keys" }

    /// No children, so that `dump` shows nothing.
    package var customMirror: Mirror { Mirror(self, children: [:]) }

    private static func keys(of file: Secret) throws(UnusableGooglePayKeys) -> [P256.KeyAgreement.PrivateKey] {
        var keys: [P256.KeyAgreement.PrivateKey] = []
        var body: String?
        for line in file.reveal().split(whereSeparator: \.isNewline) {
            let line = String(line).trimmingSpaces
            if line.hasPrefix("-----BEGIN "), line.hasSuffix("PRIVATE KEY-----") {
                guard !line.contains("ENCRYPTED") else {
                    throw UnusableGooglePayKeys("a private key is encrypted; decrypt it with `openssl pkcs8`")
                }
                body = ""
            } else if line.hasPrefix("-----END "), let base64 = body {
                keys.append(try key(base64))
                body = nil
            } else {
                body?.append(line)
            }
        }
        guard body == nil, !keys.isEmpty else {
            throw UnusableGooglePayKeys("there is no whole private key in PEM (-----BEGIN … PRIVATE KEY-----)")
        }
        return keys
    }

    private static func key(_ base64: String) throws(UnusableGooglePayKeys) -> P256.KeyAgreement.PrivateKey {
        guard let bytes = Base64.decode(nonempty: base64),
            let key = try? P256.KeyAgreement.PrivateKey(derRepresentation: bytes)
        else { throw UnusableGooglePayKeys("a private key is not an EC key of P-256 in PKCS #8 or SEC 1") }
        return key
    }
}

extension String {
    fileprivate var trimmingSpaces: String {
        var text = Substring(self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return String(text.drop(while: \.isWhitespace))
    }
}

/// Why a file of keys cannot be used.
///
/// Says nothing of a private key's bytes.
package struct UnusableGooglePayKeys: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong, in a sentence.
    package let description: String

    init(_ description: String) { self.description = description }
}
