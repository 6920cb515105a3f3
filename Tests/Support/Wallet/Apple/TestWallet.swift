import Crypto
package import Domain
package import OpenSSLCMS
package import StrictJSON

/// A device that makes Apple Pay tokens: its own certificates take the place of Apple's, and it knows the merchant's.
package struct TestWallet: Sendable {
    /// Whose tokens it makes.
    package let merchantIdentifier: String
    /// What signs them.
    package let pki: TestApplePKI
    /// The merchant's processing certificate and key.
    package let merchant: SigningIdentity

    /// Makes a device and the keys of a merchant.
    ///
    /// - Parameters:
    ///   - merchantIdentifier: the merchant's identifier, which the processing certificate carries.
    ///   - pki: what signs tokens; nil for certificates of its own.
    ///   - key: the merchant's key: on P-256 for `EC_v1`, RSA for `RSA_v1`.
    ///   - certificateEnd: until when the merchant's certificate is valid, in seconds since 1970; 2040 unless said.
    /// - Throws: what OpenSSL says if it cannot make them.
    package init(
        merchantIdentifier: String = "merchant.test.marketplace",
        pki: TestApplePKI? = nil,
        key: KeyKind = .p256,
        certificateEnd: Int64 = 2_208_988_800
    ) throws {
        self.merchantIdentifier = merchantIdentifier
        self.pki = try pki ?? TestApplePKI()
        let hash = SHA256.hash(data: Array(merchantIdentifier.utf8))
        let carried = hash.flatMap {
            Array(String(UInt16(0x100) + UInt16($0), radix: 16, uppercase: true).utf8.dropFirst())
        }
        let request = CertificateRequest(
            subject: [("UID", merchantIdentifier), ("CN", "Apple Pay Payment Processing:\(merchantIdentifier)")],
            notBefore: 1_577_836_800,
            notAfter: certificateEnd,
            extensions: [.init("1.2.840.113635.100.6.32", [0x0C, 64] + carried)]
        )
        let merchantKey = try PrivateKey.generate(key)
        merchant = SigningIdentity(
            certificate: try self.pki.authority.issue(request, for: merchantKey.publicKey),
            key: merchantKey
        )
    }

    /// The processing certificate in PEM.
    package func certificatePEM() throws -> [UInt8] { try merchant.certificate.pem() }

    /// The processing key in PEM.
    package func keyPEM() throws -> [UInt8] { try merchant.key.pem() }

    /// The root that has to be trusted instead of Apple's, in PEM.
    package func rootPEM() throws -> [UInt8] { try pki.root.certificate.pem() }

    /// A token as a page hands it on: `paymentData`, `paymentMethod` and `transactionIdentifier`.
    ///
    /// - Parameters:
    ///   - payment: what it says.
    ///   - moment: when it is signed.
    ///   - transactionID: the transaction, 32 bytes; nil for a new one.
    ///   - applicationData: the request's application data itself; nil if it had none.
    /// - Returns: the token.
    /// - Throws: what OpenSSL says if it cannot make it.
    package func token(
        _ payment: TestApplePayment,
        signedAt moment: Timestamp,
        transactionID: [UInt8]? = nil,
        applicationData: [UInt8]? = nil
    ) throws -> JSON {
        let sealed = try seal(payment.json.bytes, transactionID: transactionID, applicationData: applicationData)
        let data = sealed.paymentData(signature: try signature(over: sealed.content, at: moment))
        return [
            "paymentData": data,
            "paymentMethod": ["displayName": "Visa 0002", "network": "Visa", "type": "debit"],
            "transactionIdentifier": data["header"]?["transactionId"] ?? .null,
        ]
    }

    /// A signature as Apple makes it, over anything.
    package func signature(over content: [UInt8], at moment: Timestamp) throws -> [UInt8] {
        try SignedMessage.signature(
            over: content,
            by: [pki.signer],
            certificates: [pki.authority.certificate],
            at: moment.milliseconds(since: Timestamp(microseconds: 0)) / 1000
        )
    }

    /// Encrypts any bytes for the merchant, as a device does.
    package func seal(
        _ plaintext: [UInt8],
        transactionID: [UInt8]? = nil,
        applicationData: [UInt8]? = nil
    ) throws -> TestSealedPayment {
        let (contentKey, keyMaterial) = try contentKey()
        return TestSealedPayment(
            version: merchant.key.kind == .p256 ? "EC_v1" : "RSA_v1",
            keyMaterial: keyMaterial,
            data: try AESGCM.seal(plaintext, key: contentKey, nonce: [UInt8](repeating: 0, count: 16)),
            transactionID: transactionID ?? (0..<32).map { _ in UInt8.random(in: .min ... .max) },
            applicationDataHash: applicationData.map { Array(SHA256.hash(data: $0)) },
            publicKeyHash: Array(SHA256.hash(data: merchant.key.publicKey.subjectPublicKeyInfo))
        )
    }

    /// A content key, and what the merchant restores it from.
    private func contentKey() throws -> (key: [UInt8], material: [UInt8]) {
        guard merchant.key.kind == .p256 else {
            let key = (0..<16).map { _ in UInt8.random(in: .min ... .max) }
            return (key, try merchant.key.publicKey.wrapped(key))
        }
        let ephemeral = try PrivateKey.generate(.p256)
        let point = Array(merchant.key.publicKey.subjectPublicKeyInfo.suffix(65))
        let secret = AgreementKey(ephemeral)?.sharedSecret(withPoint: point) ?? []
        let information = [0x0D] + Array("id-aes256-GCMApple".utf8) + SHA256.hash(data: Array(merchantIdentifier.utf8))
        let key = Array(SHA256.hash(data: [0, 0, 0, 1] + secret + information))
        return (key, ephemeral.publicKey.subjectPublicKeyInfo)
    }
}
