import StrictJSON

/// What a token's signed message holds: the ciphertext and what is needed to open it with a private key.
struct GooglePaySealedMessage {
    /// The ciphertext.
    let encryptedMessage: [UInt8]
    /// The sender's public key for this message alone, as an uncompressed point of P-256.
    let ephemeralPublicKey: [UInt8]
    /// The authentication code of the ciphertext: HMAC-SHA256.
    let tag: [UInt8]

    /// Reads a message whose signature has been verified.
    ///
    /// - Throws: `TokenRefusal` with `malformed_signed_message`.
    init(signed text: String) throws(TokenRefusal) {
        self = try TolerantReading.read(text: text, .structure, "malformed_signed_message") { message -> Self? in
            guard let encrypted = message.base64("encryptedMessage"),
                let ephemeral = message.base64("ephemeralPublicKey"),
                let tag = message.base64("tag")
            else { return nil }
            return Self(encrypted, ephemeral, tag)
        }
    }

    private init(_ encryptedMessage: [UInt8], _ ephemeralPublicKey: [UInt8], _ tag: [UInt8]) {
        self.encryptedMessage = encryptedMessage
        self.ephemeralPublicKey = ephemeralPublicKey
        self.tag = tag
    }
}
