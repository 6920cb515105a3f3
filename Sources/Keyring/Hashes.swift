import Crypto
package import Domain
import WireFormats

/// Hashes of requests' bodies, which tell nobody who lacks their key what a body was.
///
/// Their key is drawn once for a database and stands there, sealed with a key of the ring: a ring's key can be replaced
/// without a body being taken for another.
package struct Fingerprints: Sendable {
    private let key: SymmetricKey

    /// Hashes under a key.
    ///
    /// - Parameter key: 32 bytes in hexadecimal, as `Keyring.makeKey()` makes them.
    /// - Throws: ``KeyringError/malformedKey(_:)``.
    package init(key: Secret) throws(KeyringError) {
        guard let bytes = Hexadecimal.decode(key.reveal()), bytes.count == Keyring.keyLength else {
            throw .malformedKey("hashing")
        }
        self.key = SymmetricKey(data: bytes)
    }

    /// The hash of bytes: HMAC-SHA256, in hexadecimal.
    package func hash(of bytes: [UInt8]) -> String {
        Hexadecimal.encode(Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key)))
    }
}

/// The hash that an API key is stored under and found by.
///
/// It needs no key and no salt: an API key is 256 random bits (`Keyring.makeKey()`), which nobody finds by trying. So no
/// key of the ring has anything to do with API keys.
package enum APIKeyHash {
    /// Keeps the hash from being one that means something elsewhere.
    private static let purpose = Array("tributary/api-key:".utf8)

    /// The hash of an API key's text: SHA-256, in hexadecimal.
    package static func of(_ key: [UInt8]) -> String {
        Hexadecimal.encode(Array(SHA256.hash(data: purpose + key)))
    }
}
