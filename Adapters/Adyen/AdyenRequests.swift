import AdapterKit
package import Domain
import StrictJSON
import WireFormats

/// Writes the requests of one Adyen merchant account.
///
/// Source: Adyen's OpenAPI file of Checkout v72, which the tests hold these requests against.
struct AdyenRequests: Sendable {
    /// The version that every request's path names.
    static let version = "v72"

    let baseURL: String
    let apiKey: Secret
    /// Adyen's account code, which every body names.
    let merchantAccount: String

    /// Makes the payment.
    func authorize(_ payment: AdyenNewPayment, for call: Call) -> WireRequest {
        post("/payments", payment.body(for: call, merchantAccount: merchantAccount), for: call)
    }

    /// Captures an amount; what is left of the authorization is released.
    func capture(_ payment: String, _ amount: JSON, _ shares: Shares, for call: Call) -> WireRequest {
        let body = JSON.object(omittingAbsent: [
            "merchantAccount": .string(merchantAccount),
            "amount": amount,
            "reference": .string(MerchantReference.modification(call)),
            "splits": shares.splits,
        ])
        return post(path(payment, "captures"), body, for: call)
    }

    /// Cancels the authorization, by our reference if Adyen's is not known.
    func cancel(_ payment: String?, for call: Call) -> WireRequest {
        let body = JSON.object(omittingAbsent: [
            "merchantAccount": .string(merchantAccount),
            "paymentReference": payment == nil ? .string(MerchantReference.payment(call)) : .none,
            "reference": .string(MerchantReference.modification(call)),
        ])
        return post(payment.map { path($0, "cancels") } ?? "/cancels", body, for: call)
    }

    /// Gives back an amount.
    func refund(_ payment: String, _ amount: JSON, _ shares: Shares, for call: Call) -> WireRequest {
        let body = JSON.object(omittingAbsent: [
            "merchantAccount": .string(merchantAccount),
            "amount": amount,
            "reference": .string(MerchantReference.modification(call)),
            "splits": shares.splits,
            "store": shares.store.map(JSON.string),
        ])
        return post(path(payment, "refunds"), body, for: call)
    }

    /// Deletes a stored payment method of a shopper.
    func forget(_ method: String, of shopper: String) -> WireRequest {
        var query = FormFields()
        query.append("shopperReference", shopper)
        query.append("merchantAccount", merchantAccount)
        return WireRequest(
            .delete,
            "\(baseURL)/\(Self.version)/storedPaymentMethods/\(FormFields.percentEncoded(method))?\(query.encoded)",
            headers: [Header("X-API-Key", apiKey.reveal()), Header("Accept", "application/json")],
            canMoveMoney: false
        )
    }

    /// Lists the stored payment methods of a shopper.
    func stored(for shopper: String) -> WireRequest {
        var query = FormFields()
        query.append("shopperReference", shopper)
        query.append("merchantAccount", merchantAccount)
        return WireRequest(
            .get,
            "\(baseURL)/\(Self.version)/storedPaymentMethods?\(query.encoded)",
            headers: [Header("X-API-Key", apiKey.reveal()), Header("Accept", "application/json")],
            canMoveMoney: false
        )
    }

    private func path(_ payment: String, _ action: String) -> String {
        "/payments/\(FormFields.percentEncoded(payment))/\(action)"
    }

    private func post(_ path: String, _ body: JSON, for call: Call) -> WireRequest {
        let headers = [
            Header("X-API-Key", apiKey.reveal()), Header("Idempotency-Key", call.key(exchange: 0)),
            Header("Content-Type", "application/json"), Header("Accept", "application/json"),
        ]
        return WireRequest(
            .post,
            "\(baseURL)/\(Self.version)\(path)",
            headers: headers,
            body: body.bytes,
            canMoveMoney: true
        )
    }
}

/// How an amount is booked among balance accounts (`splits`), which Adyen wants stated at each step.
///
/// Source: the descriptions of `Split` in Adyen's OpenAPI file of Checkout v72.
struct Shares {
    /// Adyen's word for the share of a balance account.
    private static let merchantType = "BalanceAccount"
    /// Adyen's word for the share of the platform's liable account.
    private static let commissionType = "Commission"

    /// The `splits`; nil if the whole is the platform's, which needs none.
    let splits: JSON?
    /// The store, if the merchant has one.
    let store: String?

    /// Divides `total` (in Adyen's unit) of a call between its merchant and the platform; nil if the fee is more.
    ///
    /// A part of zero is left out. References are unique for each operation, as Adyen wants them.
    init?(total: Int64, fee: Int64, call: Call) {
        guard 0...total ~= fee else { return nil }
        let submerchant = call.merchantAccount.flatMap(Submerchant.init)
        store = submerchant?.store
        guard let submerchant, call.settlesToMerchant else {
            splits = nil
            return
        }
        let shares = [
            (Self.merchantType, submerchant.balanceAccount, total - fee), (Self.commissionType, nil, fee),
        ]
        splits = .array(
            shares.filter { $0.2 > 0 }.map { type, account, value in
                .object(omittingAbsent: [
                    "type": .string(type),
                    "account": account.map(JSON.string),
                    "amount": .object([JSON.Member("value", .integer(value))]),
                    "reference": .string("\(call.operation.text).\(type)"),
                ])
            }
        )
    }
}

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
