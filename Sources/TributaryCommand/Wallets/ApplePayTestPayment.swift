import Crypto
import Domain
import OpenSSLCMS
import StrictJSON
import WireFormats

/// What a buyer would have confirmed on Apple's sheet: what a token made with throw-away keys says.
struct ApplePayTestPayment {
    /// A merchant's part of a multi-merchant token.
    struct Part: Hashable {
        /// The merchant's external identifier.
        let merchant: String
        /// What the merchant gets.
        let amount: Money
    }

    /// A test number that the simulator approves.
    static let usualNumber = "4000000000000002"

    /// What the buyer authorizes.
    let amount: Money
    /// The parts of a multi-merchant token; empty for a token of one merchant.
    var parts: [Part] = []
    /// The device's number, 12 to 19 digits.
    var number = usualNumber
    /// The application data of the payment request; nil for none.
    var applicationData: [UInt8]?

    /// The token as a page hands it on: `paymentData`, `paymentMethod` and `transactionIdentifier`.
    ///
    /// Source: Apple, "Payment token format reference", EC_v1.
    ///
    /// - Throws: what OpenSSL says if it cannot make it.
    func token(_ keys: ApplePayTestKeys, signedAt moment: Timestamp) throws -> JSON {
        let ephemeral = try PrivateKey.generate(.p256)
        let publicKey = ephemeral.publicKey.subjectPublicKeyInfo
        let sealed = try AESGCM.seal(
            content.bytes,
            key: try Self.contentKey(ephemeral, keys),
            nonce: [UInt8](repeating: 0, count: 16)
        )
        let transaction = Self.random(32)
        let hash = applicationData.map { Array(SHA256.hash(data: $0)) }
        let signature = try SignedMessage.signature(
            over: publicKey + sealed + transaction + (hash ?? []),
            by: [keys.signer],
            certificates: [keys.authority],
            at: moment.microseconds / 1_000_000
        )
        let keyHash = Array(SHA256.hash(data: keys.processing.key.publicKey.subjectPublicKeyInfo))
        let identifier = JSON.string(Hexadecimal.encode(transaction))
        return [
            "paymentData": [
                "version": "EC_v1", "data": .string(Base64.encode(sealed)),
                "signature": .string(Base64.encode(signature)),
                "header": .object(omittingAbsent: [
                    "ephemeralPublicKey": .string(Base64.encode(publicKey)),
                    "publicKeyHash": .string(Base64.encode(keyHash)), "transactionId": identifier,
                    "applicationData": hash.map { .string(Hexadecimal.encode($0)) },
                ]),
            ],
            "paymentMethod": [
                "displayName": .string("Visa \(number.suffix(4))"), "network": "Visa", "type": "debit",
            ],
            "transactionIdentifier": identifier,
        ]
    }

    /// What is encrypted.
    private var content: JSON {
        .object(omittingAbsent: [
            "applicationPrimaryAccountNumber": .string(number), "applicationExpirationDate": "391231",
            "currencyCode": .string(String(String(1000 + amount.currency.numericCode).dropFirst())),
            "transactionAmount": .integer(amount.minorUnits), "deviceManufacturerIdentifier": "040010030273",
            "paymentDataType": "3DSecure",
            "paymentData": ["onlinePaymentCryptogram": .string(Self.cryptogram), "eciIndicator": "7"],
            "authenticationResponses": parts.isEmpty ? nil : .array(parts.map(Self.response)),
        ])
    }

    /// What a merchant gets of the token; how Apple hashes its identifier is not published.
    private static func response(_ part: Part) -> JSON {
        let hash = SHA256.hash(data: Array("throw-away:\(part.merchant)".utf8))
        return [
            "merchantIdentifier": .string(Hexadecimal.encode(hash)), "authenticationData": .string(cryptogram),
            "transactionAmount": .string(String(part.amount.minorUnits)),
        ]
    }

    private static var cryptogram: String { Base64.encode(random(20)) }

    private static func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max) } }

    /// The key that the merchant derives: one round of SP 800-56A with SHA-256, as Apple uses it.
    private static func contentKey(_ ephemeral: PrivateKey, _ keys: ApplePayTestKeys) throws -> [UInt8] {
        let point = Array(keys.processing.key.publicKey.subjectPublicKeyInfo.suffix(65))
        guard let secret = AgreementKey(ephemeral)?.sharedSecret(withPoint: point) else {
            throw CommandFailure.unusable("OpenSSL cannot agree on a key")
        }
        var hash = SHA256()
        hash.update(data: [0, 0, 0, 1] + secret + [0x0D])
        hash.update(data: Array("id-aes256-GCMApple".utf8))
        hash.update(data: Array(SHA256.hash(data: Array(keys.merchantIdentifier.utf8))))
        return Array(hash.finalize())
    }
}
