import StrictJSON
import WireFormats

/// A Google Pay token as it arrives: what is signed, still as the exact text that was signed, and by whom.
struct GooglePayToken {
    /// How deeply a token or anything in it may be nested.
    static let depthLimit = 8

    /// The scheme.
    let version: GooglePayVersion
    /// The signature over the message, in DER.
    let signature: [UInt8]
    /// The message whose bytes are signed: JSON in a string.
    let signedMessage: String
    /// The key that signed the message; nil for `ECv1`, which a root key signs.
    let intermediateKey: GooglePaySignedKey?

    /// Reads a token: the object, or a string that holds it, as Google's client libraries hand it on.
    ///
    /// - Throws: `TokenRefusal` of the stage `structure`.
    init(_ json: JSON) throws(TokenRefusal) {
        guard case .string(let text) = json else {
            try self.init(object: json)
            return
        }
        try self.init(object: TokenText.parse(Array(text.utf8), depthLimit: Self.depthLimit))
    }

    private init(object json: JSON) throws(TokenRefusal) {
        let version = try Self.version(of: json)
        let read = try TolerantReading.read(json, .structure, "malformed_token") { token -> Self? in
            guard let signature = token.base64("signature"),
                let message = token.string("signedMessage", length: 1...TokenText.lengthLimit)
            else { return nil }
            var key: GooglePaySignedKey?
            if version == .ecV2 {
                key = token.object("intermediateSigningKey") { GooglePaySignedKey($0) }
                if key == nil { return nil }
            }
            return Self(version, signature, message, key)
        }
        self = read
    }

    private init(
        _ version: GooglePayVersion,
        _ signature: [UInt8],
        _ signedMessage: String,
        _ intermediateKey: GooglePaySignedKey?
    ) {
        self.version = version
        self.signature = signature
        self.signedMessage = signedMessage
        self.intermediateKey = intermediateKey
    }

    /// The scheme; a token that names none is of `ECv0`, which was not signed.
    private static func version(of json: JSON) throws(TokenRefusal) -> GooglePayVersion {
        guard case .object = json else {
            throw TokenRefusal(.structure, "malformed_token", "the token is no JSON object")
        }
        guard let named = json["protocolVersion"], named.stringValue != "ECv0" else {
            throw TokenRefusal(
                .structure,
                "unsigned_token",
                "the token has no protocolVersion that signs: anybody can make such a token, so it proves nothing"
            )
        }
        guard let text = named.stringValue, let version = GooglePayVersion(rawValue: text) else {
            throw TokenRefusal(.structure, "unknown_version", "the protocolVersion is neither ECv1 nor ECv2")
        }
        return version
    }
}

/// The signing and encryption schemes of Google Pay tokens that are accepted (Google, "Payment data cryptography for
/// merchants": `protocolVersion`).
package enum GooglePayVersion: String, Sendable, CaseIterable {
    /// Signed by a root key itself; AES-128.
    case ecV1 = "ECv1"
    /// Signed by an intermediate key that a root key signed; AES-256.
    case ecV2 = "ECv2"

    /// How long the encryption key is, and the authentication key as well, in bytes.
    var keyLength: Int {
        switch self {
        case .ecV1: 16
        case .ecV2: 32
        }
    }
}

/// An intermediate signing key as it arrives: the text that root keys signed, and their signatures.
struct GooglePaySignedKey {
    /// The most signatures that are tried; Google sends one, and two while it changes its root.
    private static let signatureLimit = 8

    /// The key and its expiry whose bytes are signed: JSON in a string.
    let signedKey: String
    /// The signatures, in DER; one that verifies is enough.
    let signatures: [[UInt8]]

    /// Reads the token's `intermediateSigningKey`.
    init?(_ object: ObjectReader) {
        let signatures = object.strings(
            "signatures",
            count: 1...Self.signatureLimit,
            expecting: "padded Base64"
        ) { Base64.decode(nonempty: $0) }
        guard let signedKey = object.string("signedKey", length: 1...TokenText.lengthLimit), let signatures else {
            return nil
        }
        self.signedKey = signedKey
        self.signatures = signatures
    }
}

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
