import Crypto
package import Domain
package import OpenSSLCMS
package import StrictJSON
import WireFormats

/// Verifies and decrypts Apple Pay tokens of `EC_v1` and `RSA_v1`.
///
/// Everything it depends on is handed in, the time included; its checks are made in Apple's order ("Payment token
/// format reference": verify the signature, then find the key, then decrypt), and nothing is decrypted before the
/// signature is verified. Copies share what they learn about signers.
package struct ApplePayOpener: Sendable {
    /// How far a signing time may be from the present unless another window is set, in milliseconds: five minutes,
    /// which Apple's text uses.
    package static let usualWindowMilliseconds: Int64 = 300_000

    let check: SignatureCheck
    let windowMilliseconds: Int64?
    private let ring: ApplePayRing

    /// Makes an opener that knows no signer yet.
    ///
    /// - Parameters:
    ///   - ring: the keys that tokens may be encrypted for.
    ///   - roots: what signers have to lead to: ``AppleRoot/roots()``, or another root for tests.
    ///   - windowMilliseconds: how far a signing time may be from the given time, either way; nil for any distance.
    ///   - environment: whose tokens are taken.
    package init(
        ring: ApplePayRing,
        roots: TrustRoots,
        windowMilliseconds: Int64? = usualWindowMilliseconds,
        environment: WalletAccess.ApplePay.Environment = .production
    ) {
        self.init(ring, roots, windowMilliseconds, environment, SignerCache())
    }

    init(
        _ ring: ApplePayRing,
        _ roots: TrustRoots,
        _ windowMilliseconds: Int64?,
        _ environment: WalletAccess.ApplePay.Environment,
        _ cache: SignerCache
    ) {
        self.ring = ring
        self.windowMilliseconds = windowMilliseconds
        check = SignatureCheck(roots: roots, cache: cache, environment: environment)
    }

    /// Opens the bytes of a token.
    ///
    /// - Parameters:
    ///   - token: JSON: `paymentData`, an object with `paymentData`, or one with `token.paymentData`.
    ///   - moment: the time at which it has to be valid.
    /// - Returns: what it says, and what vouches for it.
    /// - Throws: `TokenRefusal` for the first check that fails.
    package func open(_ token: [UInt8], at moment: Timestamp) throws(TokenRefusal) -> OpenedApplePay {
        try open(TokenText.parse(token, depthLimit: ApplePayToken.depthLimit), at: moment)
    }

    /// Opens a token that is part of a document.
    ///
    /// - Parameters:
    ///   - token: the token, in any of the three shapes.
    ///   - moment: the time at which it has to be valid.
    /// - Returns: what it says, and what vouches for it.
    /// - Throws: `TokenRefusal` for the first check that fails.
    package func open(_ token: JSON, at moment: Timestamp) throws(TokenRefusal) -> OpenedApplePay {
        let token = try ApplePayToken(token)
        let verified = try verify(token, at: moment)
        let key = try key(for: token)
        var plaintext = try ApplePayDecryption.open(token, with: key)
        defer { plaintext.cleanse() }
        return OpenedApplePay(
            version: token.version,
            environment: verified.environment,
            signingTime: Timestamp(seconds: verified.signingSeconds),
            transactionID: Hexadecimal.encode(token.transactionID),
            applicationDataHash: token.applicationDataHash.map(Hexadecimal.encode),
            merchantIdentifier: key.merchantIdentifier,
            merchantIdentifierHash: key.merchantIdentifierHash,
            payment: try ApplePayPayload.read(plaintext)
        )
    }

    /// What a token says of itself that somebody else will verify and open.
    ///
    /// - Parameter token: JSON, in any of the three shapes.
    /// - Returns: what stands in its header.
    /// - Throws: `TokenRefusal` of the stage `structure`.
    package static func unopened(_ token: [UInt8]) throws(TokenRefusal) -> UnopenedApplePay {
        let token = try ApplePayToken(TokenText.parse(token, depthLimit: ApplePayToken.depthLimit))
        return UnopenedApplePay(
            transactionID: Hexadecimal.encode(token.transactionID),
            applicationDataHash: token.applicationDataHash.map(Hexadecimal.encode)
        )
    }

    /// Everything that comes before the key: signer, signature and signing time.
    func verify(_ token: ApplePayToken, at moment: Timestamp) throws(TokenRefusal) -> SignatureCheck.Verified {
        let verified = try check.verify(token, at: moment.milliseconds(since: Timestamp(microseconds: 0)) / 1000)
        try checkSigningTime(Timestamp(seconds: verified.signingSeconds), at: moment)
        return verified
    }

    private func checkSigningTime(_ signingTime: Timestamp, at moment: Timestamp) throws(TokenRefusal) {
        guard let windowMilliseconds else { return }
        let earliest = moment.adding(milliseconds: -windowMilliseconds)
        let latest = moment.adding(milliseconds: windowMilliseconds)
        guard earliest <= signingTime, signingTime <= latest else {
            throw TokenRefusal(
                .signingTime,
                "outside_window",
                "the token was signed at \(signingTime.wholeSeconds), more than \(windowMilliseconds / 1000) seconds from \(moment): "
                    + "it is a replay, or a clock is wrong"
            )
        }
    }

    /// The key of the ring that a token names.
    func key(for token: ApplePayToken) throws(TokenRefusal) -> ProcessingKey {
        guard let key = ring[token.publicKeyHash] else {
            throw TokenRefusal(
                .keySelection,
                "unknown_key",
                "the token is for the public key with the SHA-256 \(Hexadecimal.encode(token.publicKeyHash)), which no "
                    + "processing certificate has"
            )
        }
        guard key.version == token.version else {
            throw TokenRefusal(
                .keySelection,
                "wrong_key_kind",
                "the token is of \(token.version.rawValue), and the key it names opens \(key.version.rawValue)"
            )
        }
        return key
    }
}

/// A token that was verified and decrypted: what it says, and what vouches for it.
package struct OpenedApplePay: Hashable, Sendable {
    /// How it was encrypted.
    package let version: ApplePayVersion
    /// Where it was made.
    package let environment: ApplePayEnvironment
    /// When it was signed, to the second.
    package let signingTime: Timestamp
    /// The device's identifier of the transaction: 64 lower-case hexadecimal digits, used once.
    package let transactionID: String
    /// The SHA-256 digest of the payment request's `applicationData`, 64 lower-case hexadecimal digits; nil if the
    /// request had none.
    package let applicationDataHash: String?
    /// The merchant identifier of the key that opened it; nil if only its hash is known.
    package let merchantIdentifier: String?
    /// The SHA-256 digest of that merchant identifier.
    package let merchantIdentifierHash: [UInt8]
    /// What it says.
    package let payment: ApplePayPayment

    /// Whether the key that opened it belongs to this merchant identifier.
    package func isEncrypted(for merchantIdentifier: String) -> Bool {
        MerchantIdentifierHash.of(merchantIdentifier) == merchantIdentifierHash
    }
}

/// What an Apple Pay token says of itself in the clear; its signature covers it, which nobody has verified.
package struct UnopenedApplePay: Hashable, Sendable {
    /// The device's identifier of the transaction: 64 lower-case hexadecimal digits.
    package let transactionID: String
    /// The SHA-256 digest of the request's `applicationData`, as lower-case hexadecimal digits; nil if it had none.
    package let applicationDataHash: String?

    /// Whether it carries the hash of these bytes, which the payment request gave the sheet.
    package func covers(applicationData: [UInt8]) -> Bool {
        applicationDataHash == ApplePayOpener.hash(of: applicationData)
    }
}

extension OpenedApplePay {
    /// Whether the token carries the hash of these bytes, which the payment request gave the sheet.
    package func covers(applicationData: [UInt8]) -> Bool {
        applicationDataHash == ApplePayOpener.hash(of: applicationData)
    }
}

extension ApplePayOpener {
    fileprivate static func hash(of applicationData: [UInt8]) -> String {
        Hexadecimal.encode(Array(SHA256.hash(data: applicationData)))
    }
}
