import Crypto
import OpenSSLCMS

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
