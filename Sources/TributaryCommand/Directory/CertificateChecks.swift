import Domain
import Gateway
import OpenSSLCMS
import Settings
import StrictJSON
import WalletOrders
import WalletTokens

/// Checks what is shown to an endpoint that asks for a client certificate by loading it, as the server will.
struct ClientIdentityCheck {
    /// How long before a certificate expires it is warned of, in milliseconds: 30 days.
    private static let warningMilliseconds: Int64 = 30 * 86_400_000
    /// `extKeyUsage` (RFC 5280, 4.2.1.12).
    private static let usageExtension = "2.5.29.37"
    /// `id-kp-clientAuth` and `anyExtendedKeyUsage` in DER.
    private static let clientUsages: [[UInt8]] = [
        [0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x02], [0x06, 0x04, 0x55, 0x1D, 0x25, 0x00],
    ]

    /// What makes it unusable, in sentences.
    private(set) var problems: [String] = []
    /// What cannot be had in this shell, though the server will need it, in sentences.
    private(set) var absences: [String] = []
    /// What will need a look soon, in sentences.
    private(set) var warnings: [String] = []

    /// Loads a certificate and its key, and judges it by `now`.
    init(certificate: SecretReference, key: SecretReference, at now: Timestamp, surroundings: Surroundings) {
        let certificateBytes = read("client_certificate", certificate, surroundings)
        let keyBytes = read("client_key", key, surroundings)
        let loaded = certificateBytes.flatMap { bytes in
            let loaded = try? Certificate(bytes)
            if loaded == nil { problems.append("client_certificate: there is no certificate that can be read") }
            return loaded
        }
        if let loaded { judge(loaded, at: now) }
        guard let keyBytes else { return }
        do throws(KeyRefusal) {
            let key = try PrivateKey(keyBytes)
            guard let loaded, loaded.subjectPublicKeyInfo != key.publicKey.subjectPublicKeyInfo else { return }
            problems.append("client_key: the private key is not that of the certificate")
        } catch {
            problems.append("client_key: \(error)")
        }
    }

    private mutating func judge(_ certificate: Certificate, at now: Timestamp) {
        let start = Timestamp(seconds: certificate.notBefore)
        let end = Timestamp(seconds: certificate.notAfter)
        if now < start {
            problems.append("client_certificate: the certificate is valid from \(start.wholeSeconds) on")
        } else if now >= end {
            problems.append("client_certificate: the certificate expired at \(end.wholeSeconds)")
        } else if end.milliseconds(since: now) <= Self.warningMilliseconds {
            warnings.append("client_certificate: the certificate expires at \(end.wholeSeconds)")
        }
        guard let usages = certificate.extensionValue(Self.usageExtension) else { return }
        if !Self.clientUsages.contains(where: { usages.firstRange(of: $0) != nil }) {
            problems.append("client_certificate: the certificate is not for clients (extended key usage)")
        }
    }

    /// What is behind a reference, in PEM, which is what the transport takes.
    private mutating func read(
        _ field: String,
        _ reference: SecretReference,
        _ surroundings: Surroundings
    ) -> [UInt8]? {
        do throws(SecretRefusal) {
            let bytes = try reference.bytes(in: surroundings)
            if bytes.firstRange(of: Array("-----BEGIN ".utf8)) != nil { return bytes }
            problems.append("\(field): what is at \(reference) is not in PEM")
        } catch {
            absences.append("\(field): \(error) The server will need it.")
        }
        return nil
    }
}

/// Checks what a marketplace opens wallet tokens with by loading it, as the server will.
struct WalletCheck {
    /// What makes it unusable, in sentences.
    private(set) var problems: [String] = []
    /// What does not work as far as this shell can see, in sentences; it may where the server runs.
    private(set) var absences: [String] = []
    /// What will need a look soon, in sentences.
    private(set) var warnings: [String] = []

    private let merchantIdentifiers: Set<String>
    private let now: Timestamp
    private let surroundings: Surroundings

    /// Loads everything.
    ///
    /// - Parameters:
    ///   - access: what is declared.
    ///   - identifier: the Apple merchant identifier of the marketplace's own merchant, if it has one.
    ///   - merchantIdentifiers: those of all its merchants, its own included.
    ///   - now: the time by which certificates are judged.
    ///   - surroundings: where the files and variables are.
    init(
        _ access: WalletAccess,
        merchantIdentifier identifier: String?,
        merchantIdentifiers: Set<String>,
        at now: Timestamp,
        surroundings: Surroundings
    ) {
        self.merchantIdentifiers = merchantIdentifiers
        self.now = now
        self.surroundings = surroundings
        if let apple = access.applePay { check(apple, identifier) }
        if let google = access.googlePay { check(google) }
        if let orders = access.orders { check(orders) }
    }

    private mutating func check(_ apple: WalletAccess.ApplePay, _ identifier: String?) {
        for pair in apple.processing { check(pair, .processing, nil) }
        if let pair = apple.identity { check(pair, .identity, identifier) }
        if let root = apple.root {
            warnings.append(
                "apple_pay: root: tokens are taken that whoever has its keys can make, and none of Apple's"
            )
            do {
                _ = try read(root).map { try TrustRoots(file: $0) }
            } catch {
                problems.append("apple_pay: root: \(error)")
            }
        }
        for reference in [apple.domainAssociation, apple.sessionAuthorities] { _ = reference.flatMap { read($0) } }
    }

    private mutating func check(
        _ pair: WalletAccess.KeyPair,
        _ purpose: ApplePayCertificate.Purpose,
        _ identifier: String?
    ) {
        guard let certificate = read(pair.certificate), let key = read(pair.key) else { return }
        let loaded = ApplePayCertificate(
            certificate: certificate,
            key: key,
            purpose: purpose,
            merchantIdentifier: identifier,
            at: now
        )
        for finding in loaded.findings {
            let sentence = "apple_pay: \(pair.certificate): \(finding.detail)"
            if finding.isError { problems.append(sentence) } else { warnings.append(sentence) }
        }
        if let key = loaded.key, !merchantIdentifiers.contains(where: { key.belongs(to: $0) }) {
            absences.append(
                "apple_pay: \(pair.certificate): the certificate is for \(key.merchantIdentifier ?? "another merchant"), "
                    + "and no merchant has that merchant_identifier: orders with its tokens are refused"
            )
        }
    }

    /// Loads what signs orders in Wallet: it has to be of the order type, and of Apple's.
    private mutating func check(_ orders: WalletAccess.Orders) {
        if let logo = read(orders.logo) {
            problems += WalletOrderImage(logo, named: "logo").ownObjections().map { "wallet_orders: logo: \($0)" }
        }
        for (reference, isLight) in [(orders.provider?.logoLight, true), (orders.provider?.logoDark, false)] {
            guard let bytes = reference.flatMap({ read($0) }) else { continue }
            let logo = WalletOrderImage(bytes, named: isLight ? "tracking-light" : "tracking-dark")
            problems += logo.ownObjections(isFreelySized: true).map { "wallet_orders: order_provider: \($0)" }
        }
        if let authorities = orders.pushAuthorities {
            warnings.append("wallet_orders: push_authorities: devices are pushed at whoever these certificates prove")
            _ = read(authorities)
        }
        let intermediates = orders.intermediates.compactMap { read($0) }
        guard let certificate = read(orders.identity.certificate), let key = read(orders.identity.key),
            intermediates.count == orders.intermediates.count
        else { return }
        let findings: [WalletSignerFinding]
        do throws(WalletSignerFinding) {
            let signer = try WalletOrderSigner(certificate: certificate, key: key, intermediates: intermediates)
            findings = signer.findings(orderTypeIdentifier: orders.type, at: now)
        } catch {
            findings = [error]
        }
        for finding in findings {
            let sentence = "wallet_orders: \(orders.identity.certificate): \(finding.detail)"
            if finding.isError { problems.append(sentence) } else { warnings.append(sentence) }
        }
    }

    private mutating func check(_ google: WalletAccess.GooglePay) {
        let keys = google.keys.compactMap { read($0) }.map { Secret(String(decoding: $0, as: UTF8.self)) }
        do throws(UnusableGooglePayKeys) {
            if let roots = read(google.roots) { _ = try GooglePayRoots(file: roots) }
            if keys.count == google.keys.count { _ = try GooglePayPrivateKeys(pem: keys) }
        } catch {
            problems.append("google_pay: \(error)")
        }
    }

    /// What is behind a reference; nil, and a warning, if it cannot be had here: it may be there where the server runs.
    private mutating func read(_ text: String) -> [UInt8]? {
        guard let reference = SecretReference(text) else { return nil }
        do {
            return try reference.bytes(in: surroundings)
        } catch {
            absences.append("\(text): \(error) The server will need it.")
            return nil
        }
    }
}
