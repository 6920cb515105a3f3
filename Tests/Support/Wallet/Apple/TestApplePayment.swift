package import StrictJSON

/// What a test lets a token say.
package struct TestApplePayment: Sendable {
    /// What a merchant of a multi-merchant token gets.
    package struct Response: Sendable {
        /// The hashed merchant identifier.
        package var merchantHash: String
        /// The amount in the currency's minor unit.
        package var amount: Int64
        /// The cryptogram in Base64.
        package var cryptogram: String

        /// Makes a response.
        package init(merchantHash: String, amount: Int64, cryptogram: String) {
            self.merchantHash = merchantHash
            self.amount = amount
            self.cryptogram = cryptogram
        }
    }

    /// The number of the device; a published test number.
    package var number = "4000000000000002"
    /// The expiry as `YYMMDD`.
    package var expiration = "291231"
    /// The numeric code of the currency, three digits.
    package var currencyCode = "840"
    /// The amount in the currency's minor unit.
    package var amount: Int64
    /// The network's cryptogram in Base64.
    package var cryptogram = "AAECAwQFBgcICQoLDA0ODxAREhM="
    /// The electronic commerce indicator.
    package var eci: String? = "7"
    /// Whether it holds data of China UnionPay, as EMV has it, instead of a cryptogram.
    package var isEMV = false
    /// What each merchant gets; empty for a token of one merchant.
    package var responses: [Response]
    /// The merchant token's identifier; nil for a device's number.
    package var merchantTokenIdentifier: String?

    /// A payment in US dollars.
    package init(amount: Int64, responses: [Response] = []) {
        self.amount = amount
        self.responses = responses
    }

    /// The document that is encrypted.
    package var json: JSON {
        .object(omittingAbsent: [
            "applicationPrimaryAccountNumber": .string(number),
            "applicationExpirationDate": .string(expiration),
            "currencyCode": .string(currencyCode),
            "transactionAmount": .integer(amount),
            "deviceManufacturerIdentifier": "040010030273",
            "paymentDataType": isEMV ? "EMV" : "3DSecure",
            "paymentData": isEMV
                ? ["emvData": .string(cryptogram)]
                : .object(omittingAbsent: [
                    "onlinePaymentCryptogram": .string(cryptogram), "eciIndicator": eci.map(JSON.string),
                ]),
            "authenticationResponses": responses.isEmpty ? nil : .array(responses.map(\.json)),
            "merchantTokenIdentifier": merchantTokenIdentifier.map(JSON.string),
        ])
    }
}

extension TestApplePayment.Response {
    fileprivate var json: JSON {
        [
            "merchantIdentifier": .string(merchantHash), "authenticationData": .string(cryptogram),
            "transactionAmount": .string(String(amount)),
        ]
    }
}
