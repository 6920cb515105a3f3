import Domain
import StrictJSON
import WalletTokens

/// What `tributary apple-pay open` says about a token: the same members for people and programs.
struct ApplePayAnswer {
    private let members: KeyValuePairs<String, JSON>

    /// A token that was opened; the number masked, and no cryptogram.
    init(_ opened: OpenedApplePay) {
        let payment = opened.payment
        let (type, indicator): (String, String?) =
            switch payment.authentication {
            case .threeDSecure(_, let eci): ("3DSecure", eci)
            case .emv: ("EMV", nil)
            }
        members = [
            "verified": true,
            "version": .string(opened.version.rawValue),
            "environment": .string(opened.environment.rawValue),
            "signing_time": .string(opened.signingTime.wholeSeconds),
            "transaction_id": .string(opened.transactionID),
            "pan": .string(payment.maskedNumber),
            "expiration": .string(payment.expiration.description),
            "currency": .string(payment.amount.currency.code),
            "amount": .integer(payment.amount.minorUnits),
            "payment_data_type": .string(type),
            "eci": .optional(indicator),
            "merchant_token": .bool(payment.merchantTokenIdentifier != nil),
            "authentication_responses": .array(
                payment.responses.map { response in
                    ["merchant_identifier": .string(response.merchantHash), "amount": .integer(response.amount)]
                }
            ),
        ]
    }

    /// A token that was refused.
    init(_ refusal: TokenRefusal) {
        members = [
            "verified": false,
            "stage": .string(refusal.stage.rawValue),
            "code": .string(refusal.code),
            "detail": .string(refusal.detail),
        ]
    }

    /// One row a member.
    var table: Table {
        members.reduce(into: Table("field", "value")) { table, member in
            let value = member.value
            table.add(.text(member.key), value.isNull ? .absent : .text(value.stringValue ?? value.text))
        }
    }

    /// One object.
    var json: JSON { .object(members.map { JSON.Member($0.key, $0.value) }) }
}
