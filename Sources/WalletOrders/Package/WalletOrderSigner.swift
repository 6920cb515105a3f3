package import Domain
import OpenSSLCMS

/// What signs the packages of an order type: its certificate from Apple, the key, and who issued it.
package struct WalletOrderSigner: Sendable {
    /// How long before the certificate expires it is warned of, in milliseconds: 30 days.
    package static let warningMilliseconds: Int64 = 30 * 86_400_000

    private let identity: SigningIdentity
    /// Issuers of the certificate, its own first; none is a root of itself.
    private let issuers: [Certificate]

    /// Reads certificate and key, each in PEM or DER, and finds the issuer among the intermediates.
    ///
    /// It is found by name, key identifier and signature, wherever it stands: Apple has several generations of it.
    ///
    /// - Parameters:
    ///   - certificate: the order type's certificate.
    ///   - key: its private key, not encrypted.
    ///   - intermediates: files with the authorities of Apple's, each with one or several certificates.
    /// - Throws: ``WalletSignerFinding``.
    package init(certificate: [UInt8], key: [UInt8], intermediates: [[UInt8]]) throws(WalletSignerFinding) {
        guard let own = try? Certificate(certificate) else {
            throw .error("unreadable_certificate", "there is no certificate that can be read in PEM or DER")
        }
        let privateKey: PrivateKey
        do throws(KeyRefusal) {
            privateKey = try PrivateKey(key)
        } catch {
            throw .error("unreadable_key", error.description)
        }
        guard own.subjectPublicKeyInfo == privateKey.publicKey.subjectPublicKeyInfo else {
            throw .error("key_mismatch", "the private key is not that of the certificate")
        }
        var authorities: [Certificate] = []
        for file in intermediates {
            guard let roots = try? TrustRoots(file: file) else {
                throw .error("unreadable_intermediate", "an intermediate cannot be read in PEM or DER")
            }
            authorities += roots.certificates
        }
        let issuers = Self.issuers(of: own, among: authorities)
        guard !issuers.isEmpty else {
            throw .error(
                "no_issuer",
                "none of the intermediates issued the certificate; Apple's are at apple.com/certificateauthority"
            )
        }
        identity = SigningIdentity(certificate: own, key: privateKey)
        self.issuers = issuers
    }

    /// The chain upwards, as far as it is configured.
    private static func issuers(of certificate: Certificate, among authorities: [Certificate]) -> [Certificate] {
        var chain: [Certificate] = []
        var last = certificate
        while let issuer = authorities.first(where: { last.isIssued(by: $0) }),
            !issuer.isIssued(by: issuer) || chain.isEmpty, !chain.contains(where: { $0.der == issuer.der })
        {
            chain.append(issuer)
            last = issuer
        }
        return chain
    }

    /// The order type that the certificate is for, if its subject says it (UID).
    package var orderTypeIdentifier: String? { identity.certificate.userIdentifier }
    /// From when on the certificate is valid.
    package var notBefore: Timestamp { Timestamp(seconds: identity.certificate.notBefore) }
    /// Until when the certificate is valid.
    package var expiry: Timestamp { Timestamp(seconds: identity.certificate.notAfter) }
    /// Until when the first of certificate and issuers is valid.
    package var chainExpiry: Timestamp {
        Timestamp(seconds: issuers.reduce(identity.certificate.notAfter) { min($0, $1.notAfter) })
    }

    /// Whether packages can be signed at a moment so that a device takes them.
    package func isValid(at moment: Timestamp) -> Bool { moment >= notBefore && moment < chainExpiry }

    /// What is wrong with it or soon will be, errors first.
    ///
    /// - Parameters:
    ///   - orderTypeIdentifier: the order type that it has to be for.
    ///   - moment: the time by which its validity is judged.
    /// - Returns: the findings; none if all is well.
    package func findings(orderTypeIdentifier: String, at moment: Timestamp) -> [WalletSignerFinding] {
        var findings: [WalletSignerFinding] = []
        if let own = self.orderTypeIdentifier, own != orderTypeIdentifier {
            findings.append(
                .error("order_type_mismatch", "the certificate is for \(own.harmless), not for \(orderTypeIdentifier)")
            )
        }
        let (what, end) =
            chainExpiry < expiry ? ("its issuer's certificate", chainExpiry) : ("the certificate", expiry)
        if moment < notBefore {
            findings.append(.error("not_yet_valid", "the certificate is valid from \(notBefore.wholeSeconds) on"))
        } else if moment >= end {
            findings.append(.error("expired", "\(what) expired at \(end.wholeSeconds)"))
        } else if end.milliseconds(since: moment) <= Self.warningMilliseconds {
            findings.append(
                .warning("expires_soon", "\(what) expires at \(end.wholeSeconds); request another one from Apple now")
            )
        }
        return findings
    }

    /// Signs a manifest: detached, SHA-256, with the signing time and the issuers' certificates.
    func signature(over manifest: [UInt8], at moment: Timestamp) throws(WalletPackageFailure) -> [UInt8] {
        do throws(OpenSSLFailure) {
            return try SignedMessage.signature(
                over: manifest,
                by: [identity],
                certificates: issuers,
                at: moment.microseconds / 1_000_000
            )
        } catch {
            throw .signing(error.description)
        }
    }
}

/// Something to be said about what signs the packages of an order type.
///
/// Says nothing of a private key's bytes.
package struct WalletSignerFinding: Error, Hashable, Sendable, CustomStringConvertible {
    /// Whether something has to be done now; otherwise it works, but not for long.
    package let isError: Bool
    /// What it is about, as a stable code in `snake_case`.
    package let code: String
    /// What is wrong and what to do about it, for an operator.
    package let detail: String

    /// The detail.
    package var description: String { detail }

    static func error(_ code: String, _ detail: String) -> WalletSignerFinding {
        WalletSignerFinding(isError: true, code: code, detail: detail)
    }

    static func warning(_ code: String, _ detail: String) -> WalletSignerFinding {
        WalletSignerFinding(isError: false, code: code, detail: detail)
    }
}
