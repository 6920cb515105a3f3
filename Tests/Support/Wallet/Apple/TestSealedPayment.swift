import Foundation
package import StrictJSON

/// The parts of a token that are to be signed, and what else stands in it.
package struct TestSealedPayment: Sendable {
    /// `EC_v1` or `RSA_v1`.
    package var version: String
    /// The device's public key, or the wrapped key.
    package var keyMaterial: [UInt8]
    /// The ciphertext and its tag.
    package var data: [UInt8]
    /// The device's identifier of the transaction, 32 bytes.
    package var transactionID: [UInt8]
    /// The digest of the request's application data.
    package var applicationDataHash: [UInt8]?
    /// The digest of the merchant's public key.
    package var publicKeyHash: [UInt8]

    /// What Apple signs.
    package var content: [UInt8] { keyMaterial + data + transactionID + (applicationDataHash ?? []) }

    /// `paymentData` with a signature.
    package func paymentData(signature: [UInt8]) -> JSON {
        [
            "version": .string(version),
            "data": .string(Data(data).base64EncodedString()),
            "signature": .string(Data(signature).base64EncodedString()),
            "header": .object(omittingAbsent: [
                version == "EC_v1" ? "ephemeralPublicKey" : "wrappedKey":
                    .string(Data(keyMaterial).base64EncodedString()),
                "publicKeyHash": .string(Data(publicKeyHash).base64EncodedString()),
                "transactionId": .string(Self.hex(transactionID)),
                "applicationData": applicationDataHash.map { .string(Self.hex($0)) },
            ]),
        ]
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { String(UInt16(0x100) + UInt16($0), radix: 16).dropFirst() }.joined()
    }
}
