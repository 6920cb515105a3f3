import Crypto
package import Domain
import OpenSSLCMS
package import StrictJSON
import WireFormats

/// Verifies and decrypts Google Pay tokens of `ECv1` and `ECv2`.
///
/// Everything it depends on is handed in, the time included: it is pure, and its checks are made in the order in
/// which Google asks for them ("Payment data cryptography for merchants"). Nothing is decrypted before the
/// signatures and the authentication code agree.
package struct GooglePayOpener: Sendable {
    /// How the identifier of a recipient that is a gateway begins.
    private static let gatewayPrefix = "gateway:"

    private let roots: GooglePayRoots
    private let keys: GooglePayPrivateKeys
    private let recipientIdentifier: String

    /// Makes an opener.
    ///
    /// - Parameters:
    ///   - roots: Google's root signing keys, of production or of its test environment.
    ///   - keys: the private keys that tokens may be encrypted for.
    ///   - recipientIdentifier: whom tokens must be signed for: `merchant:` and the merchant's identifier at Google,
    ///     or `gateway:` and the gateway's.
    package init(roots: GooglePayRoots, keys: GooglePayPrivateKeys, recipientIdentifier: String) {
        self.roots = roots
        self.keys = keys
        self.recipientIdentifier = recipientIdentifier
    }

    /// Opens the bytes of a token.
    ///
    /// - Parameters:
    ///   - token: the token's JSON, or a JSON string that holds it.
    ///   - moment: the time at which it must be valid.
    ///   - gatewayMerchantIdentifier: the gateway's identifier of the merchant it must be for; nil if any will do.
    /// - Returns: what it holds.
    /// - Throws: `TokenRefusal` for the first check that fails.
    package func open(
        _ token: [UInt8],
        at moment: Timestamp,
        gatewayMerchantIdentifier: String? = nil
    ) throws(TokenRefusal) -> GooglePayPayment {
        try open(
            TokenText.parse(token, depthLimit: GooglePayToken.depthLimit),
            at: moment,
            gatewayMerchantIdentifier: gatewayMerchantIdentifier
        )
    }

    /// Opens a token that is part of a document: the object, or the string that holds it.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - moment: the time at which it must be valid.
    ///   - gatewayMerchantIdentifier: the gateway's identifier of the merchant it must be for; nil if any will do.
    /// - Returns: what it holds.
    /// - Throws: `TokenRefusal` for the first check that fails.
    package func open(
        _ token: JSON,
        at moment: Timestamp,
        gatewayMerchantIdentifier: String? = nil
    ) throws(TokenRefusal) -> GooglePayPayment {
        let token = try GooglePayToken(token)
        var plaintext = try plaintext(of: token, at: moment)
        defer { plaintext.cleanse() }
        let payment = try GooglePayPayload.read(plaintext, token.version, at: moment)
        try check(payment.gatewayMerchantIdentifier, against: gatewayMerchantIdentifier)
        return payment
    }

    /// What a token encrypts, once its signatures and its authentication code agree; for the caller to cleanse.
    func plaintext(of token: GooglePayToken, at moment: Timestamp) throws(TokenRefusal) -> [UInt8] {
        let signers = try signers(of: token, at: moment)
        let fields = [recipientIdentifier, token.version.rawValue, token.signedMessage]
        guard GooglePaySignature.isValid([token.signature], over: fields, byAnyOf: signers) else {
            throw TokenRefusal(
                .signature,
                "invalid_signature",
                "the message is not signed for \(recipientIdentifier): it was changed, or it is another recipient's"
            )
        }
        let message = try GooglePaySealedMessage(signed: token.signedMessage)
        return try GooglePayDecryption.open(message, token.version, with: keys)
    }

    /// The keys that may have signed the message: the root keys for `ECv1`, the intermediate key for `ECv2`.
    private func signers(
        of token: GooglePayToken,
        at moment: Timestamp
    ) throws(TokenRefusal) -> [P256.Signing.PublicKey] {
        let version = token.version
        let roots = roots.keys(for: version, at: moment)
        guard !roots.isEmpty else {
            throw TokenRefusal(
                .certificateChain,
                "no_root_key",
                "no root key for \(version.rawValue) is in force at \(moment); fetch Google's current file"
            )
        }
        guard let key = token.intermediateKey else { return roots }
        guard GooglePaySignature.isValid(key.signatures, over: [version.rawValue, key.signedKey], byAnyOf: roots) else {
            throw TokenRefusal(
                .certificateChain,
                "untrusted_intermediate_key",
                "the intermediate signing key is signed by no root key in force at \(moment)"
            )
        }
        return [try intermediateKey(key.signedKey, at: moment)]
    }

    /// The intermediate key that a root key has signed.
    private func intermediateKey(
        _ signed: String,
        at moment: Timestamp
    ) throws(TokenRefusal) -> P256.Signing.PublicKey {
        let stage = TokenRefusal.Stage.certificateChain
        let (key, expiration) = try TolerantReading.read(text: signed, stage, "malformed_intermediate_key") {
            object -> (P256.Signing.PublicKey, Timestamp)? in
            let key = object.parsed("keyValue", expecting: "a public key of P-256 in Base64") { text in
                Base64.decode(nonempty: text).flatMap { try? P256.Signing.PublicKey(derRepresentation: $0) }
            }
            guard let expiration = object.moment("keyExpiration"), let key else { return nil }
            return (key, expiration)
        }
        guard moment < expiration else {
            throw TokenRefusal(
                stage,
                "intermediate_key_expired",
                "the intermediate signing key was in force until \(expiration)"
            )
        }
        return key
    }

    /// Checks whom a gateway's token is for.
    private func check(_ actual: String?, against expected: String?) throws(TokenRefusal) {
        if actual == nil, recipientIdentifier.hasPrefix(Self.gatewayPrefix) {
            throw TokenRefusal(
                .payload,
                "missing_gateway_merchant_id",
                "a token for a gateway names the gateway's merchant, and this one does not"
            )
        }
        guard let expected, actual.map({ Array($0.utf8) }) != Array(expected.utf8) else { return }
        throw TokenRefusal(
            .orderMismatch,
            "gateway_merchant_mismatch",
            "the token was requested for another merchant than \(expected)"
        )
    }
}

/// The signatures of Google Pay tokens: ECDSA over P-256 with SHA-256, in DER (Google, "Payment data cryptography for
/// merchants").
enum GooglePaySignature {
    /// Who signs.
    private static let sender = "Google"

    /// Whether one of the signatures over the fields is by one of the keys.
    static func isValid(
        _ signatures: [[UInt8]],
        over fields: [String],
        byAnyOf keys: [P256.Signing.PublicKey]
    ) -> Bool {
        let bytes = signedBytes([sender] + fields)
        let readable = signatures.compactMap { try? P256.Signing.ECDSASignature(derRepresentation: $0) }
        return readable.contains { signature in keys.contains { $0.isValidSignature(signature, for: bytes) } }
    }

    /// The fields one behind the other, each after its length in bytes as 32 bits, least significant byte first.
    static func signedBytes(_ fields: [String]) -> [UInt8] {
        fields.flatMap { field -> [UInt8] in
            let length = UInt32(field.utf8.count)
            return (0..<4).map { UInt8(truncatingIfNeeded: length >> (8 * $0)) } + field.utf8
        }
    }
}
