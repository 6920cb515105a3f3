package import Domain
import StrictJSON
import WireFormats

/// What an Apple Pay token encrypts (Apple, "Payment token format reference").
package struct ApplePayPayment: Hashable, Sendable {
    /// What proves that the buyer holds the card.
    package enum Authentication: Hashable, Sendable {
        /// The network's cryptogram in Base64, which may be absent where every merchant has its own, and the
        /// electronic commerce indicator, if there is one, as Apple writes it: one or two digits.
        case threeDSecure(cryptogram: Secret?, eci: String?)
        /// China UnionPay's data in Base64, and the encrypted PIN in hexadecimal, if there is one.
        case emv(data: Secret, encryptedPIN: Secret?)
    }

    /// The number of the device or merchant token: 12 to 19 digits.
    package let number: Secret
    /// The day until whose end it is valid.
    package let expiration: CalendarDay
    /// The amount that the buyer authorized.
    package let amount: Money
    /// The name on the card, which is rarely there.
    package let cardholderName: Secret?
    /// The maker of the device, in hexadecimal.
    package let deviceManufacturerIdentifier: String
    /// What proves that the buyer holds the card.
    package let authentication: Authentication
    /// What each merchant of a multi-merchant token gets, in no particular order; empty for other tokens.
    package let responses: [BundleResponse]
    /// The merchant token's identifier; nil if the number belongs to a device.
    package let merchantTokenIdentifier: String?

    /// The number's first six and last four digits; the others are asterisks.
    package var maskedNumber: String { TokenText.masked(number) }
}

/// Reads what a token encrypts (Apple, "Payment token format reference": "Payment data keys").
///
/// Members that Apple may add are ignored; numbers are taken exactly or not at all.
enum ApplePayPayload {
    /// How many merchants one token may be for; Apple names no limit.
    static let responseLimit = 100
    private static let code = "malformed_payload"

    /// Reads the decrypted bytes.
    ///
    /// - Throws: `TokenRefusal` of the stage `payload`, which names the members that are wrong but no value.
    static func read(_ plaintext: [UInt8]) throws(TokenRefusal) -> ApplePayPayment {
        let json: JSON
        do {
            json = try JSON.parse(plaintext, depthLimit: ApplePayToken.depthLimit)
        } catch {
            throw TokenRefusal(.payload, code, "what was encrypted is not JSON: \(error)")
        }
        return try TolerantReading.read(json, .payload, code, payment)
    }

    private static func payment(_ payload: ObjectReader) -> ApplePayPayment? {
        let number = payload.parsed("applicationPrimaryAccountNumber", expecting: "12 to 19 digits") { text in
            text.isDecimalDigits(12...19) ? Secret(text) : nil
        }
        let expiration = payload.parsed("applicationExpirationDate", expecting: "a date as YYMMDD", date)
        let currency = payload.parsed("currencyCode", expecting: "a numeric code of ISO 4217", currency)
        let minorUnits = payload.integer("transactionAmount", in: 0 ... .max)
        let device = payload.string("deviceManufacturerIdentifier", length: 1...64)
        let cardholder = payload.string("cardholderName", .optional, length: 0...255)
        let merchantToken = payload.string("merchantTokenIdentifier", .optional, length: 1...255)
        let responses = responses(payload)
        let authentication = authentication(payload, isBundle: responses?.isEmpty == false)
        guard let number, let expiration, let currency, let minorUnits, let device, let responses, let authentication,
            let amount = try? Money(minorUnits: minorUnits, currency: currency)
        else { return nil }
        return ApplePayPayment(
            number: number,
            expiration: expiration,
            amount: amount,
            cardholderName: cardholder.map(Secret.init),
            deviceManufacturerIdentifier: device,
            authentication: authentication,
            responses: responses,
            merchantTokenIdentifier: merchantToken
        )
    }

    private static func authentication(
        _ payload: ObjectReader,
        isBundle: Bool
    ) -> ApplePayPayment.Authentication? {
        switch payload.string("paymentDataType", oneOf: ["3DSecure", "EMV"]) {
        case nil: return nil
        case "EMV":
            return payload.object("paymentData") { data in
                let pin = data.parsed("encryptedPINData", .optional, expecting: "hexadecimal digits") { text in
                    Hexadecimal.decode(text).map { _ in Secret(text) }
                }
                return base64(data, "emvData").map { .emv(data: $0, encryptedPIN: pin) }
            }
        default:
            // Whether a token of several merchants has a cryptogram of its own beside theirs, Apple does not say.
            guard !isBundle || payload.contains("paymentData") else { return .threeDSecure(cryptogram: nil, eci: nil) }
            return payload.object("paymentData") { data in
                let cryptogram = base64(data, "onlinePaymentCryptogram", isBundle ? .optional : .required)
                let eci = data.parsed("eciIndicator", .optional, expecting: "at most two digits") { text in
                    text.isEmpty || text.isDecimalDigits(1...2) ? text : nil
                }
                guard cryptogram != nil || isBundle else { return nil }
                return .threeDSecure(cryptogram: cryptogram, eci: eci?.isEmpty == true ? nil : eci)
            }
        }
    }

    /// The merchants' own credentials; an array without any is as good as none.
    private static func responses(_ payload: ObjectReader) -> [BundleResponse]? {
        guard payload.contains("authenticationResponses") else { return [] }
        return payload.array("authenticationResponses", count: 0...responseLimit) { response in
            let merchant = response.string("merchantIdentifier", length: 1...1024)
            let amount = response.parsed("transactionAmount", expecting: "minor units as digits", minorUnits)
            let cryptogram = base64(response, "authenticationData")
            guard let merchant, let amount, let cryptogram else { return nil }
            return BundleResponse(merchantHash: merchant, amount: amount, cryptogram: cryptogram)
        }
    }

    private static func base64(_ object: ObjectReader, _ key: String, _ presence: Presence = .required) -> Secret? {
        object.parsed(key, presence, expecting: "padded Base64") { text in
            Base64.decode(nonempty: text).map { _ in Secret(text) }
        }
    }

    private static func minorUnits(_ text: String) -> Int64? { text.isDecimalDigits(1...19) ? Int64(text) : nil }

    private static func currency(_ text: String) -> Currency? {
        guard text.isDecimalDigits(3...3), let number = Int(text) else { return nil }
        return currencies[number]
    }

    private static let currencies = Dictionary(Currency.all.map { ($0.numericCode, $0) }) { first, _ in first }

    /// `YYMMDD`, of this century.
    static func date(_ text: String) -> CalendarDay? {
        guard text.isDecimalDigits(6...6), let number = Int(text) else { return nil }
        return CalendarDay(year: 2000 + number / 10_000, month: number / 100 % 100, day: number % 100)
    }
}
