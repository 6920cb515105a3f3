import Crypto
package import Domain
import WireFormats

/// The keys that keep what is stored from being read: credentials are sealed with them, API keys and request bodies
/// are stored as hashes under them.
///
/// Several keys may be in force: the current one seals, and any of them opens what it sealed, so that a key can be
/// replaced while the gateway runs.
package struct Keyring: Sendable {
    /// How long a key is, in bytes.
    package static let keyLength = 32

    /// What a hash is of; hashes of one purpose tell nothing of another's.
    package enum HashPurpose: String, CaseIterable, Sendable {
        /// API keys.
        case apiKey = "api-key"
        /// Bodies of requests under an idempotency key.
        case idempotency
    }

    /// The keys that are made of one of the ring's, each for one use.
    private struct Derived {
        let sealing: SymmetricKey
        let hashing: [HashPurpose: SymmetricKey]

        init(from key: SymmetricKey) {
            sealing = Self.derive("seal", from: key)
            let pairs = HashPurpose.allCases.map { ($0, Self.derive("hash/" + $0.rawValue, from: key)) }
            hashing = Dictionary(uniqueKeysWithValues: pairs)
        }

        private static func derive(_ use: String, from key: SymmetricKey) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(inputKeyMaterial: key, info: Array("tributary/\(use)".utf8), outputByteCount: 32)
        }
    }

    private let current: String
    private let keys: [String: Derived]

    /// Makes a ring.
    ///
    /// - Parameters:
    ///   - current: the id of the key that seals.
    ///   - keys: the keys by id, each 32 bytes in hexadecimal.
    /// - Throws: ``KeyringError``.
    package init(current: String, keys: [String: Secret]) throws(KeyringError) {
        guard keys[current] != nil else { throw .noCurrentKey(current) }
        var ring: [String: Derived] = [:]
        for (id, text) in keys {
            guard let bytes = Hexadecimal.decode(text.reveal()), bytes.count == Self.keyLength else {
                throw .malformedKey(id)
            }
            ring[id] = Derived(from: SymmetricKey(data: bytes))
        }
        self.current = current
        self.keys = ring
    }

    /// A new random key, as ``init(current:keys:)`` takes it.
    package static func makeKey() -> Secret {
        Secret(Hexadecimal.encode((0..<keyLength).map { _ in UInt8.random(in: .min ... .max) }))
    }

    /// Encrypts bytes (AES-256-GCM, a fresh nonce each time), bound to `context`.
    ///
    /// - Returns: the id of the key, and nonce, ciphertext and tag in one.
    /// - Throws: ``KeyringError/cannotSeal``.
    package func seal(_ bytes: [UInt8], context: String) throws(KeyringError) -> (keyID: String, bytes: [UInt8]) {
        guard let key = keys[current] else { throw .noCurrentKey(current) }
        do {
            let box = try AES.GCM.seal(bytes, using: key.sealing, authenticating: Array(context.utf8))
            guard let combined = box.combined else { throw KeyringError.cannotSeal }
            return (current, Array(combined))
        } catch {
            throw .cannotSeal
        }
    }

    /// Decrypts what ``seal(_:context:)`` made for the same context.
    ///
    /// - Throws: ``KeyringError/unknownKey(_:)`` or ``KeyringError/cannotOpen``.
    package func open(_ bytes: [UInt8], keyID: String, context: String) throws(KeyringError) -> [UInt8] {
        guard let key = keys[keyID] else { throw .unknownKey(keyID) }
        do {
            let box = try AES.GCM.SealedBox(combined: bytes)
            return Array(try AES.GCM.open(box, using: key.sealing, authenticating: Array(context.utf8)))
        } catch {
            throw .cannotOpen
        }
    }

    /// Keyed hashes of bytes (HMAC-SHA256, hexadecimal), one under each key, the current one's first.
    ///
    /// What is stored is the first; what is looked up may have been stored under any.
    package func hashes(of bytes: [UInt8], purpose: HashPurpose) -> [String] {
        let others = keys.keys.filter { $0 != current }.sorted()
        return ([current] + others).compactMap { id in
            keys[id]?.hashing[purpose].map { key in
                Hexadecimal.encode(Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key)))
            }
        }
    }
}

/// Why a key ring cannot do what is asked.
///
/// Says nothing of any key's bytes.
package enum KeyringError: Error, Hashable, Sendable {
    /// The current key is not among the keys.
    case noCurrentKey(String)
    /// The key is not 64 hexadecimal digits.
    case malformedKey(String)
    /// Something was sealed with a key that is not among the keys.
    case unknownKey(String)
    /// The bytes cannot be encrypted.
    case cannotSeal
    /// The bytes were changed, or sealed for another context.
    case cannotOpen
}
