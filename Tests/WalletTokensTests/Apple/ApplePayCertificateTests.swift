import Domain
import OpenSSLCMS
import Testing
import TributaryTestKit

@testable import WalletTokens

@Suite("Apple Pay: certificates and their keys")
struct ApplePayCertificateTests {
    private static let merchant = "merchant.test.marketplace"

    private static func codes(_ pair: ApplePayCertificate) -> [String] { pair.findings.map(\.code) }

    @Test(
        "a published certificate and its key open tokens of its merchant",
        arguments: ["gala-2014-visa-seatgeek", "gala-2021-mastercard", "sepuka-2019-visa"]
    )
    func published(folder: String) throws {
        let vector = try #require(ApplePayVector.published.first { $0.name == folder })
        let pair = ApplePayCertificate(
            certificate: try ApplePayVector.bytes("\(folder)/certificate.pem"),
            key: try ApplePayVector.bytes("\(folder)/private_key.pem"),
            at: vector.signingTime
        )
        #expect(pair.findings.isEmpty)
        let identifier = try #require(pair.merchantIdentifier)
        #expect(pair.key?.merchantIdentifierHash == MerchantIdentifierHash.of(identifier))
        #expect(try pair.key?.publicKeyHash == vector.parsed().publicKeyHash)
        #expect(pair.key?.version == .ec)
    }

    @Test(
        "a published merchant certificate carries the hash of its own identifier",
        arguments: [
            "merchant.money.rbk.checkout_42c31d1", "merchant.money.rbk.checkout_6558704",
            "merchant.rbk.money.sdk.example-app_3e2c81b", "identity-merchant.money.rbk.checkout",
        ]
    )
    func hashes(file: String) throws {
        let certificate = try Certificate(ApplePayVector.bytes("merchant-certs/\(file).cer"))
        let identifier = try #require(certificate.userIdentifier)
        #expect(MerchantIdentifierHash.carried(by: certificate) == MerchantIdentifierHash.of(identifier))
        #expect(CertificateFinding.identifier(of: certificate, expected: identifier).isEmpty)
        #expect(
            CertificateFinding.identifier(of: certificate, expected: "merchant.other").map(\.code)
                == ["merchant_mismatch"]
        )
        let isIdentity = file.hasPrefix("identity")
        #expect(CertificateFinding.purpose(of: certificate, expected: .processing).isEmpty == !isIdentity)
        #expect(CertificateFinding.purpose(of: certificate, expected: .identity).isEmpty == isIdentity)
    }

    @Test("PEM and DER come to the same")
    func encodings() throws {
        let wallet = try ForgedToken.wallet.get()
        let key = try wallet.keyPEM()
        let inPEM = ApplePayCertificate(certificate: try wallet.certificatePEM(), key: key, at: ForgedToken.moment)
        let inDER = ApplePayCertificate(certificate: wallet.merchant.certificate.der, key: key, at: ForgedToken.moment)
        #expect(inPEM.findings.isEmpty && inDER.findings.isEmpty)
        #expect(inPEM.key?.publicKeyHash == inDER.key?.publicKeyHash)
        #expect(inPEM.merchantIdentifier == Self.merchant)
        #expect(inPEM.expiry == Timestamp.seconds(of: "2040-01-01T00:00:00Z"))
    }

    @Test(
        "expiry is warned of 30 days ahead, and an expired certificate still opens what was encrypted for it",
        arguments: [
            ("2019-12-31T23:59:59Z", ["not_yet_valid"], [true]), ("2020-01-01T00:00:00Z", [], []),
            ("2039-12-01T23:59:59Z", [], []), ("2039-12-02T00:00:00Z", ["expires_soon"], [false]),
            ("2039-12-31T23:59:59Z", ["expires_soon"], [false]), ("2040-01-01T00:00:00Z", ["expired"], [true]),
        ]
    )
    func expiry(time: String, codes: [String], areErrors: [Bool]) throws {
        let wallet = try ForgedToken.wallet.get()
        let pair = ApplePayCertificate(
            certificate: try wallet.certificatePEM(),
            key: try wallet.keyPEM(),
            at: Timestamp.seconds(of: time)
        )
        #expect(Self.codes(pair) == codes)
        #expect(pair.findings.map(\.isError) == areErrors)
        #expect(pair.key != nil)
    }

    @Test("what cannot be used says why, and gives no key")
    func unusable() throws {
        let wallet = try ForgedToken.wallet.get()
        let certificate = try wallet.certificatePEM()
        let key = try wallet.keyPEM()
        let other = try PrivateKey.generate(.p256).pem()
        let signer = try wallet.pki.signer.certificate.pem()
        let signerKey = try wallet.pki.signer.key.pem()
        for (certificate, key, expected) in [
            (certificate, other, ["key_mismatch"]), (signer, signerKey, ["no_merchant_hash"]),
            (certificate, certificate, ["unreadable_key"]), (key, key, ["unreadable_certificate"]),
            ([], [], ["unreadable_certificate", "unreadable_key"]),
            (
                certificate,
                Array("-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----".utf8),
                ["unreadable_key"]
            ),
        ] {
            let pair = ApplePayCertificate(certificate: certificate, key: key, at: ForgedToken.moment)
            #expect(Self.codes(pair) == expected)
            #expect(pair.key == nil)
        }
        let elsewhere = ApplePayCertificate(
            certificate: certificate,
            key: key,
            merchantIdentifier: "merchant.other",
            at: ForgedToken.moment
        )
        #expect(Self.codes(elsewhere) == ["merchant_mismatch"])
        #expect(elsewhere.key == nil)
    }

    @Test("a key on another curve, or too short, is of no use")
    func kinds() throws {
        let wallet = try TestWallet(pki: ForgedToken.pki.get(), key: .p384)
        let pair = ApplePayCertificate(
            certificate: try wallet.certificatePEM(),
            key: try wallet.keyPEM(),
            at: ForgedToken.moment
        )
        #expect(Self.codes(pair) == ["unusable_key"])
        #expect(throws: UnusableProcessingKey.self) {
            try ProcessingKey(PrivateKey.generate(.rsa(bits: 1024)), merchantIdentifier: "merchant.a")
        }
        #expect(throws: UnusableProcessingKey.self) {
            try ProcessingKey(PrivateKey.generate(.p256), merchantIdentifier: "")
        }
    }

    @Test("a hash that is not that of the certificate's own identifier is found")
    func wrongHash() throws {
        let pki = try ForgedToken.pki.get()
        let key = try PrivateKey.generate(.p256)
        let digits = String(repeating: "0", count: 64)
        let request = CertificateRequest(
            subject: [("UID", "merchant.a")],
            notBefore: 0,
            notAfter: 2_208_988_800,
            extensions: [.init(MerchantIdentifierHash.identifier, [0x0C, 64] + Array(digits.utf8))]
        )
        let certificate = try pki.authority.issue(request, for: key.publicKey)
        let pair = ApplePayCertificate(certificate: certificate.der, key: try key.pem(), at: ForgedToken.moment)
        #expect(Self.codes(pair) == ["merchant_hash_mismatch"])
    }

    @Test("no description shows a key")
    func masked() throws {
        let wallet = try ForgedToken.wallet.get()
        let pair = ApplePayCertificate(
            certificate: try wallet.certificatePEM(),
            key: try wallet.keyPEM(),
            at: ForgedToken.moment
        )
        let key = try #require(pair.key)
        var dumped = ""
        dump(key, to: &dumped)
        dump(wallet.merchant.key, to: &dumped)
        for text in ["\(key)", String(reflecting: key), "\(wallet.merchant.key)", dumped] {
            #expect(!text.contains("pointer") && !text.contains("scalar") && !text.contains("0x"))
        }
        #expect("\(key)" == "EC_v1 key of merchant.test.marketplace")
    }
}
