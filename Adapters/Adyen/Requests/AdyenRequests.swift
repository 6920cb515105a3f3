import AdapterKit
import Domain
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
    func authorize(_ payment: NewPayment, for call: Call) -> WireRequest {
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
