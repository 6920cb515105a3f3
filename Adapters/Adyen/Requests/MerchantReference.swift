import AdapterKit
package import Domain

/// Our reference of a payment, capture, cancel or refund at Adyen: `att_…` or `op_…`, and behind a dot the merchant's
/// account, if the payment has one.
///
/// The reference is the only thing of ours that Adyen's signature of a webhook covers, so it carries the account that
/// the gateway compares with the payment's route. At most 80 characters.
package struct MerchantReference: Hashable, Sendable {
    /// Our attempt, if this is a payment's reference.
    package let attempt: AttemptID?
    /// Our operation, if this is the reference of what was done to a payment.
    package let operation: OperationID?
    /// The merchant's account.
    package let merchantAccount: String?

    /// The reference of the payment that a call makes or is about.
    static func payment(_ call: Call) -> String { text(call.attempt.text, call) }

    /// The reference of what a call does to its payment.
    static func modification(_ call: Call) -> String { text(call.operation.text, call) }

    /// Reads a reference; nil if it is none of ours.
    package init?(_ text: String) {
        let dot = text.utf8.firstIndex(of: UInt8(ascii: "."))
        let name = String(text[..<(dot ?? text.endIndex)])
        attempt = AttemptID(name)
        operation = OperationID(name)
        merchantAccount = dot.map { String(text[text.utf8.index(after: $0)...]) }
        guard attempt != nil || operation != nil, merchantAccount.map({ Submerchant($0) != nil }) ?? true else {
            return nil
        }
    }

    private static func text(_ name: String, _ call: Call) -> String {
        call.merchantAccount.map { "\(name).\($0)" } ?? name
    }
}
