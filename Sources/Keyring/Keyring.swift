import Crypto
package import Domain
import WireFormats

/// The keys that keep what is stored from being read.
///
/// Several keys may be in force: the current one seals, and any of them opens what it sealed, so that a key can be
/// replaced while the gateway runs. What is sealed carries its key's id. Nothing is hashed with them, so that nothing but
/// what is sealed needs a key (``Fingerprints``, ``APIKeyHash``).
package struct Keyring: Sendable {
    /// How long a key is, in bytes.
    package static let keyLength = 32

    /// The key that is made of one of the ring's, for sealing.
    private struct Derived {
        let sealing: SymmetricKey

        init(from key: SymmetricKey) {
            sealing = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: key,
                info: Array("tributary/seal".utf8),
                outputByteCount: 32
            )
        }
    }

    /// The id of the key that seals.
    package let current: String
    private let keys: [String: Derived]

    /// The ids of all its keys, the current one's first.
    package var ids: [String] { [current] + keys.keys.filter { $0 != current }.sorted() }

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
    /// - Parameters:
    ///   - bytes: what to encrypt.
    ///   - id: the key to do it with; nil for the current one.
    ///   - context: what they are bound to.
    /// - Returns: the id of the key, and nonce, ciphertext and tag in one.
    /// - Throws: ``KeyringError/unknownKey(_:)`` or ``KeyringError/cannotSeal``.
    package func seal(
        _ bytes: [UInt8],
        with id: String? = nil,
        context: String
    ) throws(KeyringError) -> (keyID: String, bytes: [UInt8]) {
        let id = id ?? current
        guard let key = keys[id] else { throw .unknownKey(id) }
        do {
            let box = try AES.GCM.seal(bytes, using: key.sealing, authenticating: Array(context.utf8))
            guard let combined = box.combined else { throw KeyringError.cannotSeal }
            return (id, Array(combined))
        } catch {
            throw .cannotSeal
        }
    }

    /// Decrypts what ``seal(_:with:context:)`` made for the same context.
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
