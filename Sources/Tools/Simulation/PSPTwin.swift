package import AdapterKit
import AdyenAdapter
import AuthorizeNetAdapter
package import Domain
import Gateway
package import PSPSimulator
import Wiring

/// A PSP as its twin plays it, and the account that a marketplace has there.
package struct PSPTwin: Sendable, CustomStringConvertible {
    /// The dialect, which is the adapter's name too.
    package let dialect: DialectName
    /// The account's credentials, as its declaration would name them.
    package let credentials: [String: String]
    /// The account's name in the twin's books.
    package let account: String
    /// What the twin signs webhooks with; the adapter's `webhook_secret` unless that says more.
    package let webhookSecret: String
    /// What pays, so that the twin does what a code of its table of amounts and numbers says.
    package let credential: @Sendable (_ code: Int) -> Credential
    /// The attempt that a reference in the twin's books stands for.
    package var attempt: @Sendable (_ reference: String) -> String = { $0 }
    /// The merchant's account there, if it has one.
    package var merchantAccount: String?
    /// Whom it pays.
    package var settlesTo = RouteSnapshot.SettlesTo.marketplace
    /// How the commission gets to the marketplace.
    package var commissionBy = RouteSnapshot.CommissionBy.psp

    package var description: String { dialect.rawValue }

    /// The seven PSPs.
    package static let all = [stripe, adyen, checkout, square, braintree, worldpay, authorizeNet]

    /// The simulator in its own dialect, which is no PSP's.
    package static let simulator = PSPTwin(
        dialect: .simulator,
        credentials: ["api_key": "key_shop", "webhook_secret": "c2ltdWxhdG9yLXR3aW4tc2VjcmV0"],
        account: "shop",
        webhookSecret: "c2ltdWxhdG9yLXR3aW4tc2VjcmV0",
        credential: networkToken
    )

    /// The places of those that answer a capture before it is done, as their adapters declare.
    package static let capturingLater = all.indices.filter { place in
        AdapterCatalog.psps["\(all[place])"]?.capabilities.asynchronous.contains(.capture) == true
    }

    private static let stripe = PSPTwin(
        dialect: .stripe,
        credentials: ["secret_key": "sk_test_key_shop", "webhook_secret": "whsec_twins"],
        account: "shop",
        webhookSecret: "whsec_twins",
        credential: networkToken
    )

    private static let adyen = PSPTwin(
        dialect: .adyen,
        credentials: ["api_key": "AQE_key_shop", "merchant_account": "ShopCOM", "webhook_secret": hexadecimal],
        account: "ShopCOM",
        webhookSecret: hexadecimal,
        credential: networkToken,
        attempt: { MerchantReference($0)?.attempt?.text ?? $0 }
    )

    private static let checkout = PSPTwin(
        dialect: .checkout,
        credentials: [
            "secret_key": "sk_sbox_key_shop", "public_key": "pk_sbox_key_shop", "webhook_secret": "checkout-twins",
        ],
        account: "shop",
        webhookSecret: "checkout-twins",
        credential: networkToken
    )

    private static let square = PSPTwin(
        dialect: .square,
        credentials: [
            "access_token": "EAAA_key_shop", "location_id": "LSHOP1", "webhook_secret": "square-twins",
        ],
        account: "shop",
        webhookSecret: "square-twins",
        credential: { .pspToken(Secret("cnon:\(AmountTable.token(forCode: Int64($0)))")) }
    )

    private static let braintree = PSPTwin(
        dialect: .braintree,
        credentials: [
            "public_key": "pub_shop", "private_key": "pri_key_shop", "merchant_accounts": "USD=shop_usd",
            "webhook_secret": "pub_shop|pri_key_shop",
        ],
        account: "shop",
        webhookSecret: "pub_shop:pri_key_shop",
        credential: networkToken
    )

    private static let worldpay = PSPTwin(
        dialect: .worldpay,
        credentials: [
            "username": "access_key_shop", "password": "secret", "entity": "default", "narrative": "Travel Now",
            "webhook_secret": hexadecimal,
        ],
        account: "shop",
        webhookSecret: hexadecimal,
        credential: networkToken
    )

    private static let authorizeNet = PSPTwin(
        dialect: .authorizeNet,
        credentials: [
            "api_login_id": "login_key_shop", "transaction_key": "0123456789abcdef",
            "webhook_secret": hexadecimal + hexadecimal,
        ],
        account: "shop",
        webhookSecret: hexadecimal + hexadecimal,
        credential: networkToken,
        attempt: { ShortName.attempt($0)?.text ?? $0 }
    )

    private static let hexadecimal = String(repeating: "44782DEF547AAA06", count: 4)

    /// A device token whose last three digits are the code; a digit before them makes the number pass Luhn's check.
    @Sendable private static func networkToken(_ code: Int) -> Credential {
        let digits = String(1000 + code % 1000).dropFirst()
        let number =
            (0...9).lazy.map { "999999000000\($0)\(digits)" }.first(where: passesLuhn) ?? "9999990000000\(digits)"
        return .networkToken(
            NetworkToken(
                number: Secret(number),
                expiryMonth: 12,
                expiryYear: 2031,
                cryptogram: Secret("AgAAAAAABk4DWZ4C28yUQAAAAAA="),
                eci: "07",
                source: .applePay
            )
        )
    }

    private static func passesLuhn(_ number: String) -> Bool {
        let sum = number.utf8.reversed().enumerated().reduce(0) { sum, place in
            let digit = Int(place.element) - 48
            guard place.offset % 2 == 1 else { return sum + digit }
            return sum + (digit < 5 ? 2 * digit : 2 * digit - 9)
        }
        return sum % 10 == 0
    }
}
