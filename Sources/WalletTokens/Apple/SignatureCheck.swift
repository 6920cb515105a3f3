import Crypto
import Domain
import OpenSSLCMS

/// Verifies who signed a token, what is signed, and that nothing was changed since.
///
/// A signer's first token goes through OpenSSL, chain and signature; later ones through the reader and the signer's
/// known key. The first goes through both, so that nothing is taken then that would be refused later.
struct SignatureCheck: Sendable {
    private let introduction: SignerIntroduction
    private let cache: SignerCache
    private let environment: WalletAccess.ApplePay.Environment

    init(roots: TrustRoots, cache: SignerCache, environment: WalletAccess.ApplePay.Environment) {
        introduction = SignerIntroduction(roots: roots)
        self.cache = cache
        self.environment = environment
    }

    /// What a verified signature tells.
    struct Verified {
        /// Where the token was made.
        let environment: ApplePayEnvironment
        /// When it was signed, in seconds since 1970.
        let signingSeconds: Int64
    }

    /// Verifies a token's signature.
    ///
    /// - Throws: `TokenRefusal` of the stage `certificate_chain` or `signature`.
    func verify(_ token: ApplePayToken, at seconds: Int64) throws(TokenRefusal) -> Verified {
        let signature = try ApplePaySignature(token.signature)
        let content = token.signedContent
        if let signer = cache[signature.certificateBytes] {
            try check(signature, of: token, by: signer, over: content, at: seconds)
            return Verified(environment: signer.environment, signingSeconds: signature.attributes.signingSeconds)
        }
        let certificates = try SignerCertificates(signature)
        let message = try certificates.message(token.signature)
        let signer = try introduction.signer(certificates, signedAt: signature.attributes.signingSeconds)
        try check(signature, of: token, by: signer, over: content, at: seconds)
        do throws(SignedMessageRefusal) {
            try message.check(over: content)
        } catch {
            throw Self.invalidSignature
        }
        cache.insert(signer, for: signature.certificateBytes)
        return Verified(environment: signer.environment, signingSeconds: signature.attributes.signingSeconds)
    }

    private func check(
        _ signature: ApplePaySignature,
        of token: ApplePayToken,
        by signer: KnownSigner,
        over content: [UInt8],
        at seconds: Int64
    ) throws(TokenRefusal) {
        try checkStanding(of: signer, signature, at: seconds)
        try checkAlgorithm(token.version, signature.algorithm, signer.key)
        guard SHA256.hash(data: content) == signature.attributes.messageDigest else {
            throw TokenRefusal(
                .signature,
                "content_changed",
                "the signed digest is not that of data, key, transaction and application data: one was changed"
            )
        }
        let digest = SHA256.hash(data: signature.signedBytes)
        guard signer.isSigner(of: digest, signature.value, signature.algorithm) else { throw Self.invalidSignature }
    }

    private static let invalidSignature = TokenRefusal(
        .signature,
        "invalid_signature",
        "the signed attributes are not signed with the key of the signer's certificate"
    )

    /// The signer has to be the one the certificates are of, valid then and now, and of the right environment.
    private func checkStanding(
        of signer: KnownSigner,
        _ signature: ApplePaySignature,
        at seconds: Int64
    ) throws(TokenRefusal) {
        guard signature.issuerAndSerial == signer.issuerAndSerial else { throw SignerCertificates.unknownSigner }
        guard signer.isValid(at: signature.attributes.signingSeconds) else {
            throw SignerIntroduction.notValidWhenSigned
        }
        guard signer.isValid(at: seconds) else {
            throw TokenRefusal(
                .certificateChain,
                "not_valid_now",
                "the signer's chain is valid from \(Timestamp(seconds: signer.notBefore).wholeSeconds) to "
                    + "\(Timestamp(seconds: signer.notAfter).wholeSeconds), which does not include the time of this check"
            )
        }
        guard signer.environment.isAccepted(by: environment) else {
            throw TokenRefusal(
                .certificateChain,
                "environment_mismatch",
                "the token was made in \(signer.environment.rawValue), and only \(environment.rawValue) is taken"
            )
        }
    }

    /// Apple signs EC_v1 with ECDSA and RSA_v1 with RSA; the version itself is not signed.
    private func checkAlgorithm(
        _ version: ApplePayVersion,
        _ algorithm: SignatureAlgorithm,
        _ key: KnownSigner.Key
    ) throws(TokenRefusal) {
        switch (version, algorithm, key) {
        case (.ec, .ecdsa, .ec), (.rsa, .rsa, .rsa): return
        default:
            throw TokenRefusal(
                .signature,
                "wrong_algorithm",
                "a token of \(version.rawValue) is signed with \(version == .ec ? "ECDSA on P-256" : "RSA")"
            )
        }
    }
}
