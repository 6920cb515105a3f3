import Crypto
import CryptoExtras

/// Opens the sealed message of a token: ECDH over P-256, HKDF-SHA256, HMAC-SHA256 over the ciphertext, then AES in
/// counter mode (Google, "Payment data cryptography for merchants"; ECIES-KEM of ISO 18033-2).
enum GooglePayDecryption {
    private static let information = Array("Google".utf8)
    /// An uncompressed point: `04`, x and y.
    private static let pointLength = 65

    /// Decrypts with the first key whose authentication code agrees; nothing is decrypted unless one does.
    ///
    /// - Throws: `TokenRefusal` of the stage `decryption`.
    static func open(
        _ message: GooglePaySealedMessage,
        _ version: GooglePayVersion,
        with ring: GooglePayPrivateKeys
    ) throws(TokenRefusal) -> [UInt8] {
        guard message.ephemeralPublicKey.count == pointLength,
            let ephemeral = try? P256.KeyAgreement.PublicKey(x963Representation: message.ephemeralPublicKey)
        else {
            throw TokenRefusal(
                .decryption,
                "invalid_ephemeral_key",
                "the ephemeral public key is not an uncompressed point on P-256"
            )
        }
        for key in ring.keys {
            guard let keys = derivedKeys(key, ephemeral, message.ephemeralPublicKey, version),
                HMAC<SHA256>.isValidAuthenticationCode(
                    message.tag,
                    authenticating: message.encryptedMessage,
                    using: keys.authentication
                )
            else { continue }
            return try decrypt(message.encryptedMessage, keys.encryption)
        }
        throw TokenRefusal(
            .decryption,
            "authentication_failed",
            "the authentication code agrees with none of the private keys: the token is encrypted for "
                + "another key, which Google's console shows, or its tag is wrong"
        )
    }

    /// The keys of one message; nil if the two public keys have no secret in common.
    private static func derivedKeys(
        _ key: P256.KeyAgreement.PrivateKey,
        _ ephemeral: P256.KeyAgreement.PublicKey,
        _ ephemeralBytes: [UInt8],
        _ version: GooglePayVersion
    ) -> (encryption: SymmetricKey, authentication: SymmetricKey)? {
        guard let shared = try? key.sharedSecretFromKeyAgreement(with: ephemeral), let secret = bytes(of: shared) else {
            return nil
        }
        let extracted = HKDF<SHA256>.extract(
            inputKeyMaterial: SymmetricKey(data: ephemeralBytes + secret),
            salt: [UInt8](repeating: 0, count: SHA256.byteCount)
        )
        let expanded = expand(Array(extracted), to: 2 * version.keyLength)
        return (
            SymmetricKey(data: expanded.prefix(version.keyLength)),
            SymmetricKey(data: expanded.dropFirst(version.keyLength))
        )
    }

    /// HKDF-Expand (RFC 5869, 2.3), whose blocks, unlike a `SymmetricKey`, can be divided.
    private static func expand(_ extracted: [UInt8], to length: Int) -> [UInt8] {
        var expanded: [UInt8] = []
        var block: [UInt8] = []
        var counter: UInt8 = 0
        while expanded.count < length {
            counter += 1
            block = Array(
                HMAC<SHA256>.authenticationCode(
                    for: block + information + [counter],
                    using: SymmetricKey(data: extracted)
                )
            )
            expanded += block
        }
        return Array(expanded.prefix(length))
    }

    /// The 32 bytes of a shared secret, leading zeros included.
    ///
    /// The secret is the x coordinate of a point on the curve, which is just what a compact representation is
    /// (draft-jivsov-ecc-compact): reading it as one and taking x back needs no unsafe memory.
    private static func bytes(of secret: SharedSecret) -> [UInt8]? {
        guard let point = try? P256.KeyAgreement.PublicKey(compactRepresentation: secret) else { return nil }
        return Array(Array(point.rawRepresentation).prefix(32))
    }

    private static func decrypt(_ ciphertext: [UInt8], _ key: SymmetricKey) throws(TokenRefusal) -> [UInt8] {
        do {
            let zeros = try AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16))
            return Array(try AES._CTR.decrypt(ciphertext, using: key, nonce: zeros))
        } catch {
            throw TokenRefusal(.decryption, "cannot_decrypt", "the cryptographic library refused to decrypt")
        }
    }
}
