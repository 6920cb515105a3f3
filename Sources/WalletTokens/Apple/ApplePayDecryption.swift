import Crypto
import OpenSSLCMS

/// Restores the content key of a token and decrypts it (Apple, "Restoring the symmetric key").
enum ApplePayDecryption {
    /// What the initialization vector is: 16 zero bytes.
    static let nonce = [UInt8](repeating: 0, count: 16)
    /// A SubjectPublicKeyInfo on P-256 up to its point (RFC 5480, 2): id-ecPublicKey, prime256v1, a BIT STRING.
    static let publicKeyPrefix: [UInt8] = [
        0x30, 0x59, 0x30, 0x13, 0x06, 0x07, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x02, 0x01, 0x06, 0x08, 0x2A, 0x86, 0x48,
        0xCE,
        0x3D, 0x03, 0x01, 0x07, 0x03, 0x42, 0x00,
    ]

    /// Decrypts with the key of the ring that the token names.
    ///
    /// - Returns: the plaintext, for the caller to cleanse.
    /// - Throws: `TokenRefusal` of the stage `decryption`.
    static func open(_ token: ApplePayToken, with key: ProcessingKey) throws(TokenRefusal) -> [UInt8] {
        var contentKey =
            switch key.operation {
            case .agreement(let agreement):
                try agreedKey(token.keyMaterial, agreement, merchantIdentifierHash: key.merchantIdentifierHash)
            case .unwrapping(let privateKey): try unwrappedKey(token.keyMaterial, privateKey)
            }
        defer { contentKey.cleanse() }
        guard let plaintext = AESGCM.open(token.sealed, key: contentKey, nonce: nonce) else {
            throw TokenRefusal(
                .decryption,
                "authentication_failed",
                "the ciphertext's tag does not agree: the token is encrypted for another merchant identifier than "
                    + "\(key.merchantIdentifier ?? "the certificate's"), or it is no token of Apple's"
            )
        }
        return plaintext
    }

    /// The content key of `EC_v1`: one round of the single-step key derivation of SP 800-56A, with SHA-256.
    ///
    /// - Returns: 32 bytes, for the caller to cleanse.
    static func derivedKey(secret: [UInt8], merchantIdentifierHash: [UInt8]) -> [UInt8] {
        var hash = SHA256()
        hash.update(data: [0, 0, 0, 1])
        hash.update(data: secret)
        hash.update(data: [0x0D])
        hash.update(data: Array("id-aes256-GCM".utf8))
        hash.update(data: Array("Apple".utf8))
        hash.update(data: merchantIdentifierHash)
        return Array(hash.finalize())
    }

    /// The uncompressed point of the device's public key; nil for any other form of key.
    static func point(of publicKey: [UInt8]) -> [UInt8]? {
        guard publicKey.count == publicKeyPrefix.count + 65, publicKey.starts(with: publicKeyPrefix) else { return nil }
        return Array(publicKey.dropFirst(publicKeyPrefix.count))
    }

    private static func agreedKey(
        _ publicKey: [UInt8],
        _ key: AgreementKey,
        merchantIdentifierHash: [UInt8]
    ) throws(TokenRefusal) -> [UInt8] {
        guard let point = point(of: publicKey), var secret = key.sharedSecret(withPoint: point) else {
            throw TokenRefusal(
                .decryption,
                "invalid_ephemeral_key",
                "the ephemeral public key is not an uncompressed point on P-256"
            )
        }
        defer { secret.cleanse() }
        return derivedKey(secret: secret, merchantIdentifierHash: merchantIdentifierHash)
    }

    private static func unwrappedKey(_ wrapped: [UInt8], _ key: PrivateKey) throws(TokenRefusal) -> [UInt8] {
        guard var contentKey = key.unwrapped(wrapped) else {
            throw TokenRefusal(.decryption, "cannot_unwrap", "the wrapped key is not for the key that the token names")
        }
        guard contentKey.count == 16 else {
            contentKey.cleanse()
            throw TokenRefusal(.decryption, "wrapped_key_length", "the wrapped key is not one of AES-128")
        }
        return contentKey
    }
}
