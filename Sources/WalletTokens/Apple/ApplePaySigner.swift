import Crypto
package import OpenSSLCMS
import Synchronization

/// A signer whose chain was verified: all that verifying another of its signatures takes.
struct KnownSigner: Sendable {
    /// Its key.
    enum Key: Sendable {
        /// On P-256.
        case ec(P256.Signing.PublicKey)
        /// RSA.
        case rsa(PublicKey)
    }

    /// The name of its issuer and its serial number, each in DER.
    let issuerAndSerial: [UInt8]
    /// Its key.
    let key: Key
    /// Where it signs.
    let environment: ApplePayEnvironment
    /// From when on every certificate of its chain is valid, in seconds since 1970.
    let notBefore: Int64
    /// When the first certificate of its chain is valid no longer, in seconds since 1970.
    let notAfter: Int64

    /// Whether every certificate of its chain is valid; like OpenSSL, not in the last second any more.
    func isValid(at seconds: Int64) -> Bool { notBefore <= seconds && seconds < notAfter }

    /// Whether a signature over bytes with this digest is this signer's.
    func isSigner(of digest: SHA256.Digest, _ signature: [UInt8], _ algorithm: SignatureAlgorithm) -> Bool {
        switch (key, algorithm) {
        case (.ec(let key), .ecdsa):
            guard let signature = try? P256.Signing.ECDSASignature(derRepresentation: signature) else { return false }
            return key.isValidSignature(signature, for: digest)
        case (.rsa(let key), .rsa): return key.isValid(signature, forSHA256: Array(digest))
        default: return false
        }
    }
}

/// The signers verified so far, by the exact certificates that came with their signatures; never a token.
///
/// Apple uses a handful of signers. Only who owns a certificate of Apple's could fill it: then it is emptied.
final class SignerCache: Sendable {
    /// How many signers are kept at most.
    static let limit = 64

    private struct Entry {
        let certificates: [UInt8]
        let signer: KnownSigner
    }

    /// So few that looking at one after the other is faster than hashing two kilobytes.
    private let signers = Mutex<[Entry]>([])

    /// The signer that came with these certificates before.
    subscript(certificates: [UInt8]) -> KnownSigner? {
        signers.withLock { $0.first { $0.certificates == certificates }?.signer }
    }

    /// How many are kept.
    var count: Int { signers.withLock(\.count) }

    /// Keeps a signer.
    func insert(_ signer: KnownSigner, for certificates: [UInt8]) {
        signers.withLock { signers in
            guard !signers.contains(where: { $0.certificates == certificates }) else { return }
            if signers.count >= Self.limit { signers.removeAll() }
            signers.append(Entry(certificates: certificates, signer: signer))
        }
    }
}

/// Makes a signer known: verifies its chain to a pinned root through OpenSSL, with the markers Apple puts in.
struct SignerIntroduction: Sendable {
    /// What marks the certificate that signs tokens (Apple, "Payment token format reference").
    static let leafMarker = "1.2.840.113635.100.6.29"
    /// What marks the authority that issues such certificates.
    static let intermediateMarker = "1.2.840.113635.100.6.2.14"

    static let notValidWhenSigned = TokenRefusal(
        .certificateChain,
        "not_valid_when_signed",
        "a certificate of the signer's chain was not valid at the signing time"
    )

    let roots: TrustRoots

    /// Verifies a signer's chain at the signing time.
    ///
    /// - Throws: `TokenRefusal` of the stage `certificate_chain`.
    func signer(_ certificates: SignerCertificates, signedAt seconds: Int64) throws(TokenRefusal) -> KnownSigner {
        let (leaf, intermediate) = (certificates.leaf, certificates.intermediate)
        let chain: [Certificate]
        do throws(ChainRefusal) {
            chain = try roots.chain(from: leaf, through: [intermediate], at: seconds)
        } catch {
            if case .notValidThen = error { throw Self.notValidWhenSigned }
            throw refusal("untrusted_chain", "the signer's certificate does not lead to the pinned root: \(error)")
        }
        guard chain.count == 3, chain[1].der == intermediate.der else {
            throw refusal("decoy_certificate", "the signature has a certificate that is not of the signer's chain")
        }
        guard leaf.extensionValue(Self.leafMarker) != nil else {
            throw refusal("missing_leaf_marker", "the signer's certificate lacks \(Self.leafMarker): no token signer")
        }
        guard intermediate.extensionValue(Self.intermediateMarker) != nil else {
            throw refusal("missing_intermediate_marker", "the issuer's certificate lacks \(Self.intermediateMarker)")
        }
        return try known(leaf, chain)
    }

    private func known(_ leaf: Certificate, _ chain: [Certificate]) throws(TokenRefusal) -> KnownSigner {
        guard let environment = leaf.commonName.flatMap(ApplePayEnvironment.init(commonName:)) else {
            throw refusal(
                "unknown_environment",
                "the signer's common name ends in neither -PROD nor -SANDBOX: production or sandbox cannot be told"
            )
        }
        return KnownSigner(
            issuerAndSerial: leaf.issuerAndSerial,
            key: try key(of: leaf),
            environment: environment,
            notBefore: chain.map(\.notBefore).reduce(.min, max),
            notAfter: chain.map(\.notAfter).reduce(.max, min)
        )
    }

    private func key(of leaf: Certificate) throws(TokenRefusal) -> KnownSigner.Key {
        if let key = try? P256.Signing.PublicKey(derRepresentation: leaf.subjectPublicKeyInfo) { return .ec(key) }
        if let key = try? leaf.publicKey(), case .rsa(let bits) = key.kind, bits >= 2048 { return .rsa(key) }
        throw refusal("unusable_signer_key", "the signer's key is neither on P-256 nor RSA of 2048 bits or more")
    }

    private func refusal(_ code: String, _ detail: String) -> TokenRefusal {
        TokenRefusal(.certificateChain, code, detail)
    }
}

/// The two certificates that come with a signature, told apart by which of them the signer names.
struct SignerCertificates {
    static let unknownSigner = TokenRefusal(
        .certificateChain,
        "unknown_signer",
        "the signer names another issuer or serial number than its certificate has"
    )

    /// The signer's.
    let leaf: Certificate
    /// The other one, which should be its issuer's.
    let intermediate: Certificate
    private let inOrder: [[UInt8]]

    /// Reads them; both have to be in DER, and the signer has to name one exactly as it stands there.
    ///
    /// - Throws: `TokenRefusal` of the stage `certificate_chain`.
    init(_ signature: ApplePaySignature) throws(TokenRefusal) {
        var certificates: [Certificate] = []
        for bytes in signature.certificates {
            do throws(OpenSSLFailure) {
                certificates.append(try Certificate(der: bytes))
            } catch {
                throw TokenRefusal(.certificateChain, "malformed_certificate", "a certificate cannot be read: \(error)")
            }
        }
        let index = certificates.firstIndex { $0.issuerAndSerial == signature.issuerAndSerial }
        guard certificates.count == 2, let index else { throw Self.unknownSigner }
        leaf = certificates[index]
        intermediate = certificates[1 - index]
        inOrder = signature.certificates
    }

    /// Reads the signature with OpenSSL, which has to find the same certificates and the same signer.
    ///
    /// - Throws: `TokenRefusal` of the stage `signature`.
    func message(_ bytes: [UInt8]) throws(TokenRefusal) -> SignedMessage {
        do throws(SignedMessageRefusal) {
            let message = try SignedMessage(bytes, limit: ApplePaySignature.lengthLimit)
            if message.signer.der == leaf.der, message.certificates.map(\.der) == inOrder { return message }
        } catch {
            throw TokenRefusal(.signature, "malformed_signature", "the signature cannot be read: \(error)")
        }
        throw TokenRefusal(.signature, "malformed_signature", "the signature can be read in two ways")
    }
}

/// The root that Apple's token signers lead to (www.apple.com/certificateauthority, "Apple Root CA - G3", read on
/// 2026-11-21); valid until 2039-04-30.
package enum AppleRoot {
    /// The certificate in PEM.
    package static let pem = """
        -----BEGIN CERTIFICATE-----
        MIICQzCCAcmgAwIBAgIILcX8iNLFS5UwCgYIKoZIzj0EAwMwZzEbMBkGA1UEAwwS
        QXBwbGUgUm9vdCBDQSAtIEczMSYwJAYDVQQLDB1BcHBsZSBDZXJ0aWZpY2F0aW9u
        IEF1dGhvcml0eTETMBEGA1UECgwKQXBwbGUgSW5jLjELMAkGA1UEBhMCVVMwHhcN
        MTQwNDMwMTgxOTA2WhcNMzkwNDMwMTgxOTA2WjBnMRswGQYDVQQDDBJBcHBsZSBS
        b290IENBIC0gRzMxJjAkBgNVBAsMHUFwcGxlIENlcnRpZmljYXRpb24gQXV0aG9y
        aXR5MRMwEQYDVQQKDApBcHBsZSBJbmMuMQswCQYDVQQGEwJVUzB2MBAGByqGSM49
        AgEGBSuBBAAiA2IABJjpLz1AcqTtkyJygRMc3RCV8cWjTnHcFBbZDuWmBSp3ZHtf
        TjjTuxxEtX/1H7YyYl3J6YRbTzBPEVoA/VhYDKX1DyxNB0cTddqXl5dvMVztK517
        IDvYuVTZXpmkOlEKMaNCMEAwHQYDVR0OBBYEFLuw3qFYM4iapIqZ3r6966/ayySr
        MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgEGMAoGCCqGSM49BAMDA2gA
        MGUCMQCD6cHEFl4aXTQY2e3v9GwOAEZLuN+yRhHFD/3meoyhpmvOwgPUnPWTxnS4
        at+qIxUCMG1mihDK1A3UT82NQz60imOlM27jbdoXt2QfyFMm+YhidDkLF1vLUagM
        6BgD56KyKA==
        -----END CERTIFICATE-----
        """

    /// The root, as something to trust.
    ///
    /// - Throws: `OpenSSLFailure` if OpenSSL cannot read its own certificates.
    package static func roots() throws(OpenSSLFailure) -> TrustRoots { try TrustRoots(file: Array(pem.utf8)) }
}
