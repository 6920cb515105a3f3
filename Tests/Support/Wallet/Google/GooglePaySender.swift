package import Crypto
import CryptoExtras
package import StrictJSON

/// Makes Google Pay tokens as Google does, under keys of its own, and with whatever a test wants wrong.
package struct GooglePaySender: Sendable {
    /// The version that is named, and that the keys are derived for.
    package var version = "ECv2"
    /// Who is said to sign.
    package var sender = "Google"
    /// Whom the message is signed for.
    package var recipient = "merchant:12345678901234567890"
    /// The key that signs the intermediate key, and the message of `ECv1`.
    package var root = P256.Signing.PrivateKey()
    /// The key that signs the message of `ECv2`.
    package var intermediate = P256.Signing.PrivateKey()
    /// Until when the intermediate key is in force, in milliseconds since 1970.
    package var intermediateExpiration = "1900000000000"
    /// Until when the root key is in force, in milliseconds since 1970; nil for no expiry.
    package var rootExpiration: String? = "2000000000000"
    /// The key for one message.
    package var ephemeral = P256.KeyAgreement.PrivateKey()
    /// Changes the parts of the message before it is signed.
    package var alterMessage: @Sendable (_ parts: inout MessageParts) -> Void = { _ in }

    /// What the signed message holds.
    package struct MessageParts: Sendable {
        /// The ciphertext.
        package var encryptedMessage: [UInt8]
        /// The ephemeral public key, an uncompressed point.
        package var ephemeralPublicKey: [UInt8]
        /// The authentication code.
        package var tag: [UInt8]
    }

    /// Makes a sender of valid tokens.
    package init() {}

    /// The file of root keys that these tokens verify under, in Google's form.
    package var rootsFile: [UInt8] { JSON.object([.init("keys", [rootKey])]).bytes }

    /// The root key as an entry of such a file.
    package var rootKey: JSON {
        .object(omittingAbsent: [
            "keyValue": .string(Self.base64(root.publicKey.derRepresentation)),
            "protocolVersion": .string(version),
            "keyExpiration": rootExpiration.map(JSON.string),
        ])
    }

    /// A token that encrypts `plaintext` for `key`.
    package func token(_ plaintext: String, for key: P256.KeyAgreement.PublicKey) throws -> JSON {
        let message = try signedMessage(plaintext, for: key)
        guard version != "ECv1" else {
            return try object(message, signedBy: root, nil)
        }
        let signedKey = JSON.object([
            .init("keyValue", .string(Self.base64(intermediate.publicKey.derRepresentation))),
            .init("keyExpiration", .string(intermediateExpiration)),
        ]).text
        let signature = try root.signature(for: Self.signedBytes([sender, version, signedKey]))
        return try object(
            message,
            signedBy: intermediate,
            ["signedKey": .string(signedKey), "signatures": [.string(Self.base64(signature.derRepresentation))]]
        )
    }

    /// The 32 bytes that the ephemeral key and the recipient's have in common.
    package func sharedSecret(with key: P256.KeyAgreement.PublicKey) throws -> [UInt8] {
        let secret = try ephemeral.sharedSecretFromKeyAgreement(with: key)
        return unsafe secret.withUnsafeBytes { bytes in unsafe Array(bytes) }
    }

    /// Base64, padded.
    package static func base64(_ bytes: some Sequence<UInt8>) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var rest = Array(bytes)[...]
        var text: [UInt8] = []
        while !rest.isEmpty {
            let three = Array(rest.prefix(3))
            rest = rest.dropFirst(3)
            let bits = (three + [0, 0]).prefix(3).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let digits = (0..<4).map { alphabet[Int(bits >> (18 - 6 * UInt32($0)) & 63)] }
            text += digits.prefix(three.count + 1) + [UInt8](repeating: UInt8(ascii: "="), count: 3 - three.count)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func object(_ message: String, signedBy key: P256.Signing.PrivateKey, _ intermediate: JSON?) throws -> JSON
    {
        let signature = try key.signature(for: Self.signedBytes([sender, recipient, version, message]))
        return .object(omittingAbsent: [
            "signature": .string(Self.base64(signature.derRepresentation)),
            "intermediateSigningKey": intermediate,
            "protocolVersion": .string(version),
            "signedMessage": .string(message),
        ])
    }

    private func signedMessage(_ plaintext: String, for key: P256.KeyAgreement.PublicKey) throws -> String {
        let length = version == "ECv1" ? 16 : 32
        let point = Array(ephemeral.publicKey.x963Representation)
        let secret = try sharedSecret(with: key)
        func derived(_ bytes: Int) -> [UInt8] {
            let key = HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: point + secret),
                info: Array("Google".utf8),
                outputByteCount: bytes
            )
            return unsafe key.withUnsafeBytes { bytes in unsafe Array(bytes) }
        }
        let keys = derived(2 * length)
        let ciphertext = try AES._CTR.encrypt(
            Array(plaintext.utf8),
            using: SymmetricKey(data: keys.prefix(length)),
            nonce: AES._CTR.Nonce(nonceBytes: [UInt8](repeating: 0, count: 16))
        )
        let tag = HMAC<SHA256>.authenticationCode(for: ciphertext, using: SymmetricKey(data: keys.suffix(length)))
        var parts = MessageParts(encryptedMessage: Array(ciphertext), ephemeralPublicKey: point, tag: Array(tag))
        alterMessage(&parts)
        return JSON.object([
            .init("encryptedMessage", .string(Self.base64(parts.encryptedMessage))),
            .init("ephemeralPublicKey", .string(Self.base64(parts.ephemeralPublicKey))),
            .init("tag", .string(Self.base64(parts.tag))),
        ]).text
    }

    private static func signedBytes(_ fields: [String]) -> [UInt8] {
        fields.flatMap { field -> [UInt8] in
            let length = field.utf8.count
            return [UInt8(length & 255), UInt8(length >> 8 & 255), UInt8(length >> 16 & 255), 0] + Array(field.utf8)
        }
    }
}
