import OpenSSLCMS

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
