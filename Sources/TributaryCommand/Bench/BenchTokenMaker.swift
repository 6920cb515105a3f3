import Crypto
import Domain
import Foundation
import OpenSSLCMS
import StrictJSON
import WalletTokens

/// Makes Apple Pay tokens with certificates and keys of its own.
struct BenchTokenMaker {
    private static let merchantIdentifier = "merchant.bench"

    private let root: SigningIdentity
    private let authority: SigningIdentity
    private let signer: SigningIdentity
    private let merchant: PrivateKey

    /// This moment, in whole seconds.
    static var now: Timestamp { Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970) * 1_000_000) }

    /// Makes keys and certificates like Apple's.
    init() throws {
        let marker = { (number: String) in CertificateRequest.Extension("1.2.840.113635.100.6.\(number)", [5, 0]) }
        root = try .selfSigned(Self.request("Bench Root CA", isAuthority: true, []), key: .generate(.p384))
        let authorityKey = try PrivateKey.generate(.p256)
        authority = SigningIdentity(
            certificate: try root.issue(
                Self.request("Bench Integration CA", isAuthority: true, [marker("2.14")]),
                for: authorityKey.publicKey
            ),
            key: authorityKey
        )
        let signerKey = try PrivateKey.generate(.p256)
        signer = SigningIdentity(
            certificate: try authority.issue(
                Self.request("bench-smp-broker-sign-PROD", isAuthority: false, [marker("29")]),
                for: signerKey.publicKey
            ),
            key: signerKey
        )
        merchant = try .generate(.p256)
    }

    /// An opener that knows no signer.
    func opener() throws -> ApplePayOpener {
        let key = try ProcessingKey(merchant, merchantIdentifier: Self.merchantIdentifier)
        return ApplePayOpener(ring: ApplePayRing([key]), roots: try TrustRoots([root.certificate]))
    }

    /// The text of a token with a published test number.
    func token(signedAt moment: Timestamp) throws -> [UInt8] {
        let ephemeral = try PrivateKey.generate(.p256)
        let publicKey = ephemeral.publicKey.subjectPublicKeyInfo
        let sealed = try AESGCM.seal(
            Array(Self.payload.utf8),
            key: try contentKey(ephemeral),
            nonce: [UInt8](repeating: 0, count: 16)
        )
        let transaction = (0..<32).map { _ in UInt8.random(in: 0x80 ... .max) }
        let signature = try SignedMessage.signature(
            over: publicKey + sealed + transaction,
            by: [signer],
            certificates: [authority.certificate],
            at: moment.microseconds / 1_000_000
        )
        let hash = Data(SHA256.hash(data: merchant.publicKey.subjectPublicKeyInfo))
        let data: JSON = [
            "version": "EC_v1", "data": .string(Data(sealed).base64EncodedString()),
            "signature": .string(Data(signature).base64EncodedString()),
            "header": [
                "ephemeralPublicKey": .string(Data(publicKey).base64EncodedString()),
                "publicKeyHash": .string(hash.base64EncodedString()),
                "transactionId": .string(transaction.map { String($0, radix: 16) }.joined()),
            ],
        ]
        return JSON.object([.init("paymentData", data)]).bytes
    }

    /// The key that the merchant derives (SP 800-56A as Apple uses it).
    private func contentKey(_ ephemeral: PrivateKey) throws -> [UInt8] {
        let point = Array(merchant.publicKey.subjectPublicKeyInfo.suffix(65))
        guard let secret = AgreementKey(ephemeral)?.sharedSecret(withPoint: point) else {
            throw CommandFailure.unusable("OpenSSL cannot agree on a key")
        }
        var hash = SHA256()
        hash.update(data: [0, 0, 0, 1] + secret + [0x0D])
        hash.update(data: Array("id-aes256-GCMApple".utf8))
        hash.update(data: Array(SHA256.hash(data: Array(Self.merchantIdentifier.utf8))))
        return Array(hash.finalize())
    }

    private static let payload = """
        {"applicationPrimaryAccountNumber":"4000000000000002","applicationExpirationDate":"391231",\
        "currencyCode":"840","transactionAmount":50000,"deviceManufacturerIdentifier":"040010030273",\
        "paymentDataType":"3DSecure","paymentData":{"onlinePaymentCryptogram":"AAECAwQFBgcICQoLDA0ODxAREhM=",\
        "eciIndicator":"7"}}
        """

    private static func request(
        _ name: String,
        isAuthority: Bool,
        _ extensions: [CertificateRequest.Extension]
    ) -> CertificateRequest {
        let seconds = now.microseconds / 1_000_000
        return CertificateRequest(
            subject: [("CN", name), ("O", "Bench")],
            notBefore: seconds - 86_400,
            notAfter: seconds + 86_400,
            isAuthority: isAuthority,
            extensions: extensions
        )
    }
}
