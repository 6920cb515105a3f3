import AdapterKit
import Domain
import StrictJSON

/// What we write on every payment and action at Checkout.com.
extension JSON {
    /// Our identifiers, by which an inquiry, a webhook or a settlement line finds its way back, and the sub-entity,
    /// which webhooks do not name otherwise.
    ///
    /// Never free text. Checkout.com takes 20 members of 255 characters.
    static func metadata(of call: Call) -> JSON {
        .object(omittingAbsent: [
            "order": .string(call.order.text),
            "payment": .string(call.payment.text),
            "attempt": .string(call.attempt.text),
            "operation": .string(call.operation.text),
            "merchant_account": call.merchantAccount.map(JSON.string),
        ])
    }
}
