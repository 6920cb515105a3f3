import Crypto
package import Domain
import WireFormats

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
