import StrictJSON

/// A Google Pay token as it arrives: what is signed, still as the exact text that was signed, and by whom.
struct GooglePayToken {
    /// The longest token read, in bytes; real ones have about two thousand.
    static let lengthLimit = 65_536
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
        try self.init(object: Self.parse(Array(text.utf8)))
    }

    /// Reads the bytes of a document.
    ///
    /// - Throws: `TokenRefusal` with `token_too_long` or `malformed_token`.
    static func parse(_ bytes: [UInt8]) throws(TokenRefusal) -> JSON {
        guard bytes.count <= lengthLimit else {
            throw TokenRefusal(.structure, "token_too_long", "a token has at most \(lengthLimit) bytes")
        }
        do {
            return try JSON.parse(bytes, depthLimit: depthLimit)
        } catch {
            throw TokenRefusal(.structure, "malformed_token", "the token is not JSON: \(error)")
        }
    }

    private init(object json: JSON) throws(TokenRefusal) {
        let version = try Self.version(of: json)
        let read = try TolerantReading.read(json, .structure, "malformed_token") { token -> Self? in
            guard let signature = token.base64("signature"),
                let message = token.string("signedMessage", length: 1...Self.lengthLimit)
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
