package import Domain
import OpenSSLCMS

/// What loading a certificate of Apple Pay and its private key came to: the key, and everything to be said about the
/// pair.
package struct ApplePayCertificate: Sendable {
    /// What a certificate is for.
    package enum Purpose: Sendable {
        /// Opening tokens.
        case processing
        /// Proving the merchant to Apple.
        case identity
    }

    /// How long before a certificate expires it is warned of, in milliseconds: 30 days.
    package static let warningMilliseconds: Int64 = 30 * 86_400_000

    /// The key that opens tokens; nil for an identity, and if the pair cannot open any.
    ///
    /// A key whose certificate expired still opens what was encrypted for it.
    package let key: ProcessingKey?
    /// The merchant identifier in the certificate's subject, if it can be read.
    package let merchantIdentifier: String?
    /// Until when the certificate is valid; nil if it cannot be read.
    package let expiry: Timestamp?
    /// What is wrong or soon will be, errors first.
    package let findings: [CertificateFinding]

    /// Reads a pair, each in PEM or DER, and checks that it serves its purpose.
    ///
    /// - Parameters:
    ///   - certificate: the certificate; of several in PEM the first.
    ///   - key: the private key, not encrypted.
    ///   - purpose: what it has to serve for.
    ///   - merchantIdentifier: the merchant identifier it has to be for; nil to take the certificate's word.
    ///   - moment: the time by which its validity is judged.
    package init(
        certificate: [UInt8],
        key: [UInt8],
        purpose: Purpose = .processing,
        merchantIdentifier: String? = nil,
        at moment: Timestamp
    ) {
        var findings: [CertificateFinding] = []
        let certificate = CertificateFinding.readCertificate(certificate, into: &findings)
        let privateKey = CertificateFinding.readKey(key, into: &findings)
        if let certificate {
            findings += CertificateFinding.identifier(of: certificate, expected: merchantIdentifier)
            findings += CertificateFinding.purpose(of: certificate, expected: purpose)
            if let privateKey { findings += CertificateFinding.match(certificate, privateKey) }
        }
        var made: ProcessingKey?
        if purpose == .processing, findings.isEmpty, let certificate, let privateKey,
            let hash = MerchantIdentifierHash.carried(by: certificate)
        {
            made = ProcessingKey(privateKey, merchantIdentifier: certificate.userIdentifier, hash: hash)
            if made == nil { findings.append(.unusableKind) }
        }
        self.key = made
        self.merchantIdentifier = certificate?.userIdentifier
        expiry = certificate.map { Timestamp(seconds: $0.notAfter) }
        self.findings = findings + (certificate.map { CertificateFinding.validity(of: $0, at: moment) } ?? [])
    }
}
