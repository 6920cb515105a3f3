import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// The element `payment` of a transaction that takes money, or `profile` in its place.
///
/// Source: Authorize.Net's schema for names, order and lengths; public code that runs against it for the descriptors,
/// for the base 64 of Apple's `paymentData`, and for network tokens.
struct PaymentField {
    /// `payment`, or `profile` for a stored payment profile of a customer's.
    var name = "payment"
    let json: JSON

    /// Writes a credential; nil for a token's number of more than 16 digits, which the schema has no room for, and for a
    /// profile that is not named by two numbers.
    ///
    /// The indicator of a network token is not sent: the schema's `tokenRequestorEci` is for Chase Pay only.
    init?(_ credential: Credential) {
        switch credential {
        case .pspToken(let token, let customer?):
            let (customer, profile) = (customer.reveal(), token.reveal())
            guard CardDigits.areDigits(customer), CardDigits.areDigits(profile) else { return nil }
            name = "profile"
            json = [
                "customerProfileId": .string(customer), "paymentProfile": ["paymentProfileId": .string(profile)],
            ]
        case .pspToken(let token, nil):
            json = Self.opaque("COMMON.ACCEPT.INAPP.PAYMENT", token.reveal())
        case .encryptedApplePay(let token):
            json = Self.opaque("COMMON.APPLE.INAPP.PAYMENT", Base64.encode(Array(token.paymentData.reveal().utf8)))
        case .networkToken(let token):
            let number = token.number.reveal()
            guard number.utf8.count <= 16 else { return nil }
            let month = token.expiryMonth < 10 ? "0\(token.expiryMonth)" : "\(token.expiryMonth)"
            json = [
                "creditCard": [
                    "cardNumber": .string(number), "expirationDate": .string("\(token.expiryYear)-\(month)"),
                    "isPaymentToken": true, "cryptogram": .string(token.cryptogram.reveal()),
                ]
            ]
        }
    }

    /// The card of a refund, by the last digits of its number; its expiry is masked.
    init(last4: String) {
        json = ["creditCard": ["cardNumber": .string(last4), "expirationDate": "XXXX"]]
    }

    private static func opaque(_ descriptor: String, _ value: String) -> JSON {
        ["opaqueData": ["dataDescriptor": .string(descriptor), "dataValue": .string(value)]]
    }
}
