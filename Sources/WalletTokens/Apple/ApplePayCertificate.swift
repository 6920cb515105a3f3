import Crypto
package import Domain
import OpenSSLCMS
import WireFormats

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

/// Something to be said about a certificate and its private key.
///
/// Says nothing of a private key's bytes.
package struct CertificateFinding: Hashable, Sendable, CustomStringConvertible {
    /// Whether something has to be done now; otherwise it works, but not for long.
    package let isError: Bool
    /// What it is about, as a stable code in `snake_case`.
    package let code: String
    /// What is wrong and what to do about it, for an operator.
    package let detail: String

    /// The detail.
    package var description: String { detail }

    static func error(_ code: String, _ detail: String) -> CertificateFinding {
        CertificateFinding(isError: true, code: code, detail: detail)
    }

    static func warning(_ code: String, _ detail: String) -> CertificateFinding {
        CertificateFinding(isError: false, code: code, detail: detail)
    }

    /// A key of a kind that Apple encrypts nothing for.
    static let unusableKind = error(
        "unusable_key",
        "the private key is neither on P-256 nor RSA of 2048 bits or more; Apple issues no such certificates"
    )

    static func readCertificate(_ bytes: [UInt8], into findings: inout [CertificateFinding]) -> Certificate? {
        if let certificate = try? Certificate(bytes) { return certificate }
        findings.append(.error("unreadable_certificate", "there is no certificate that can be read in PEM or DER"))
        return nil
    }

    static func readKey(_ bytes: [UInt8], into findings: inout [CertificateFinding]) -> PrivateKey? {
        do throws(KeyRefusal) {
            return try PrivateKey(bytes)
        } catch {
            findings.append(.error("unreadable_key", error.description))
            return nil
        }
    }

    static func validity(of certificate: Certificate, at moment: Timestamp) -> [CertificateFinding] {
        let start = Timestamp(seconds: certificate.notBefore)
        let end = Timestamp(seconds: certificate.notAfter)
        guard moment >= start else {
            return [.error("not_yet_valid", "the certificate is valid from \(start.wholeSeconds) on")]
        }
        guard moment < end else { return [.error("expired", "the certificate expired at \(end.wholeSeconds)")] }
        guard end.milliseconds(since: moment) <= ApplePayCertificate.warningMilliseconds else { return [] }
        return [
            .warning(
                "expires_soon",
                "the certificate expires at \(end.wholeSeconds); request another one from Apple now"
            )
        ]
    }

    /// A merchant identity has the same fields as a processing certificate, and its key opens nothing.
    static func purpose(
        of certificate: Certificate,
        expected: ApplePayCertificate.Purpose
    ) -> [CertificateFinding] {
        let isIdentity = certificate.commonName?.hasPrefix("Apple Pay Merchant Identity:") ?? false
        switch (expected, isIdentity) {
        case (.processing, true):
            return [.error("identity_certificate", "this is the merchant identity; a processing certificate is needed")]
        case (.identity, false):
            return [.error("no_identity_certificate", "this is no merchant identity certificate of Apple Pay")]
        default: return []
        }
    }

    static func match(_ certificate: Certificate, _ key: PrivateKey) -> [CertificateFinding] {
        guard certificate.subjectPublicKeyInfo != key.publicKey.subjectPublicKeyInfo else { return [] }
        return [.error("key_mismatch", "the private key is not that of the certificate")]
    }

    /// The hash in the certificate has to be that of the identifier in its subject, and of the one expected.
    static func identifier(of certificate: Certificate, expected: String?) -> [CertificateFinding] {
        guard let hash = MerchantIdentifierHash.carried(by: certificate) else {
            return [
                .error(
                    "no_merchant_hash",
                    "the certificate lacks the merchant identifier's hash (\(MerchantIdentifierHash.identifier)): it is "
                        + "no certificate of Apple Pay"
                )
            ]
        }
        var findings: [CertificateFinding] = []
        if let own = certificate.userIdentifier, MerchantIdentifierHash.of(own) != hash {
            findings.append(.error("merchant_hash_mismatch", "the certificate's hash is not that of its own \(own)"))
        }
        if let expected, MerchantIdentifierHash.of(expected) != hash {
            findings.append(
                .error(
                    "merchant_mismatch",
                    "the certificate is for \(certificate.userIdentifier ?? "another merchant"), not for \(expected)"
                )
            )
        }
        return findings
    }
}

/// The SHA-256 digest of an Apple merchant identifier, which certificates carry and keys are derived with.
enum MerchantIdentifierHash {
    /// The extension of certificates that carries it (Apple, "Payment token format reference").
    static let identifier = "1.2.840.113635.100.6.32"

    /// The digest of an identifier.
    static func of(_ merchantIdentifier: String) -> [UInt8] { Array(SHA256.hash(data: Array(merchantIdentifier.utf8))) }

    /// What a certificate carries: 64 hexadecimal digits in a UTF8String or IA5String; nil if it carries none that can
    /// be read.
    static func carried(by certificate: Certificate) -> [UInt8]? {
        guard let value = certificate.extensionValue(identifier), value.count == 66,
            [0x0C, 0x16, 0x13].contains(value[0]), value[1] == 64
        else { return nil }
        return Hexadecimal.decode(String(decoding: value.dropFirst(2), as: UTF8.self))
    }
}
