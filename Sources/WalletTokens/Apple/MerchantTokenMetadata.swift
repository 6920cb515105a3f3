package import Domain
import OpenSSLCMS
package import StrictJSON
import WireFormats

/// What Apple tells of a merchant token's number, encrypted for the merchant (Apple, `EncryptedTokenMetadata`, 1.0.11).
package struct MerchantTokenMetadata: Hashable, Sendable {
    /// The number of the token (MPAN): 12 to 19 digits.
    package let number: Secret
    /// The day until whose end it is valid.
    package let expiration: CalendarDay
    /// The token's new name (`mpanId`); nil unless it has changed.
    package let identifier: String?
}

extension ApplePayOpener {
    /// How long ago what is told of a token may have been signed, in milliseconds: Apple keeps an event for seven days.
    private static let metadataLifeMilliseconds: Int64 = 8 * 86_400_000

    /// Opens what is told of a merchant token.
    ///
    /// It is signed and encrypted like a payment token, but for the transaction and the application data, of which it has
    /// none; so that neither can be taken for the other.
    ///
    /// - Parameters:
    ///   - json: the object with `data`, `signature`, `publicKeyHash`, and `ephemeralPublicKey` or `wrappedKey`.
    ///   - moment: the time at which it has to be valid.
    /// - Returns: what it says.
    /// - Throws: `TokenRefusal` for the first check that fails.
    package func openTokenMetadata(_ json: JSON, at moment: Timestamp) throws(TokenRefusal) -> MerchantTokenMetadata {
        let token = try ApplePayToken(tokenMetadata: json)
        let seconds = moment.milliseconds(since: Timestamp(microseconds: 0)) / 1000
        let signedAt = Timestamp(seconds: try check.verify(token, at: seconds).signingSeconds)
        if let windowMilliseconds {
            let earliest = moment.adding(milliseconds: -Self.metadataLifeMilliseconds)
            guard earliest <= signedAt, signedAt <= moment.adding(milliseconds: windowMilliseconds) else {
                throw TokenRefusal(
                    .signingTime,
                    "outside_window",
                    "what is told of the token was signed at \(signedAt.wholeSeconds), which is too far from \(moment)"
                )
            }
        }
        var plaintext = try ApplePayDecryption.open(token, with: key(for: token))
        defer { plaintext.cleanse() }
        return try Self.metadata(in: plaintext)
    }

    private static func metadata(in plaintext: [UInt8]) throws(TokenRefusal) -> MerchantTokenMetadata {
        let json: JSON
        do {
            json = try JSON.parse(plaintext, depthLimit: ApplePayToken.depthLimit)
        } catch {
            throw TokenRefusal(.payload, "malformed_payload", "what was encrypted is not JSON: \(error)")
        }
        return try TolerantReading.read(json, .payload, "malformed_payload") { body -> MerchantTokenMetadata? in
            let number = body.parsed("mpan", expecting: "12 to 19 digits") { text in
                text.isDecimalDigits(12...19) ? Secret(text) : nil
            }
            let expiration = body.parsed("expirationDate", expecting: "a date as YYMMDD", ApplePayPayload.date)
            let identifier = body.parsed("mpanId", .optional, expecting: "1 to 255 printable characters") { text in
                (1...255).contains(text.utf8.count) && TextRule.reference.allows(text) ? text : nil
            }
            guard let number, let expiration else { return nil }
            return MerchantTokenMetadata(number: number, expiration: expiration, identifier: identifier)
        }
    }
}

extension ApplePayToken {
    /// Reads what is told of a merchant token.
    ///
    /// - Throws: `TokenRefusal` of the stage `structure`.
    init(tokenMetadata json: JSON) throws(TokenRefusal) {
        let version: ApplePayVersion
        switch (json["ephemeralPublicKey"], json["wrappedKey"]) {
        case (.some, nil): version = .ec
        case (nil, .some): version = .rsa
        default:
            throw TokenRefusal(
                .structure,
                "version_key_mismatch",
                "what is told of a token has either ephemeralPublicKey or wrappedKey"
            )
        }
        self = try TolerantReading.read(json, .structure, "malformed_token") { body -> Self? in
            let sealed = body.base64("data")
            let signature = body.base64("signature")
            let keyMaterial = body.base64(version == .ec ? "ephemeralPublicKey" : "wrappedKey")
            let hash = body.parsed("publicKeyHash", expecting: "32 bytes in Base64") { text in
                Base64.decode(nonempty: text).flatMap { $0.count == 32 ? $0 : nil }
            }
            guard let sealed, let signature, let keyMaterial, let hash else { return nil }
            return Self(
                version: version,
                sealed: sealed,
                signature: signature,
                keyMaterial: keyMaterial,
                publicKeyHash: hash,
                transactionID: [],
                applicationDataHash: nil
            )
        }
    }
}
