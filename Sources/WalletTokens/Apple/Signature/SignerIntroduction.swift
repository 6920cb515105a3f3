import Crypto
import OpenSSLCMS

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
