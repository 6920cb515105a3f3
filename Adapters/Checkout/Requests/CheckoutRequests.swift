import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// Writes the requests of one account.
///
/// Source: Checkout.com's API reference and the models of its .NET library, read in November 2026; the tests hold the
/// bodies against a schema written after them.
struct CheckoutRequests: Sendable {
    let baseURL: String
    let account: CheckoutAccount

    /// Makes an encrypted Apple Pay token into a token of Checkout.com's, which lives 15 minutes; nil if it is no JSON.
    func token(_ token: EncryptedApplePay, publicKey: Secret) -> WireRequest? {
        guard let data = try? JSON.parse(text: token.paymentData.reveal()), data.objectValue != nil else { return nil }
        let headers = [Self.authorization(publicKey), Header("Content-Type", "application/json")]
        let body: JSON = ["type": "applepay", "token_data": data]
        return WireRequest(.post, baseURL + "/tokens", headers: headers, body: body.bytes, canMoveMoney: false)
    }

    /// Requests the payment.
    func authorize(_ payment: NewPayment, for call: Call, exchange: Int) -> WireRequest {
        let commission = payment.commission == 0 ? nil : payment.commission
        let allocations = allocations(of: payment.amount, commission: commission, for: call)
        let body = payment.body(for: call, allocations: allocations, processingChannel: account.processingChannel)
        return post("/payments", body, for: call, exchange: exchange)
    }

    /// Captures `amount`; a final capture releases what is left.
    ///
    /// The allocation is stated again, as a partial capture must, with the commission: 0 is a commission of 0.
    func capture(_ payment: String, amount: Int64, commission: Int64?, isFinal: Bool, for call: Call) -> WireRequest {
        let body = JSON.object(omittingAbsent: [
            "amount": .integer(amount),
            "capture_type": isFinal ? "Final" : "NonFinal",
            "reference": .string(call.operation.text),
            "amount_allocations": allocations(of: amount, commission: commission, for: call),
            "metadata": .metadata(of: call),
        ])
        return post(path(payment, "/captures"), body, for: call)
    }

    /// Releases what the payment holds.
    func void(_ payment: String, for call: Call) -> WireRequest {
        let body: JSON = ["reference": .string(call.operation.text), "metadata": .metadata(of: call)]
        return post(path(payment, "/voids"), body, for: call)
    }

    /// Gives back `amount`, from the sub-entity's account; the commission is the part of it that the platform bears.
    func refund(_ payment: String, amount: Int64, commission: Int64?, for call: Call) -> WireRequest {
        let commission = commission == 0 ? nil : commission
        let body = JSON.object(omittingAbsent: [
            "amount": .integer(amount),
            "reference": .string(call.operation.text),
            "amount_allocations": allocations(of: amount, commission: commission, for: call),
            "metadata": .metadata(of: call),
        ])
        return post(path(payment, "/refunds"), body, for: call)
    }

    /// Reads the payment.
    func retrieve(_ payment: String) -> WireRequest { get(path(payment)) }

    /// Lists what was done to the payment, latest first.
    func actions(of payment: String) -> WireRequest { get(path(payment, "/actions")) }

    /// Looks for the payment by our reference; 100 is the greatest page.
    func search(for call: Call) -> WireRequest {
        get("/payments?reference=\(FormFields.percentEncoded(call.attempt.text))&limit=100&skip=0")
    }

    /// Who gets the amount; nil if nobody but the platform.
    ///
    /// On a full account an allocation pays the sub-entity, so that there is none where the marketplace is to be paid;
    /// on a lite account it only says whose sale it was, so that there is no commission.
    private func allocations(of amount: Int64, commission: Int64?, for call: Call) -> JSON? {
        guard let entity = call.merchantAccount, call.settlesToMerchant || account.isLite else { return nil }
        let kept = call.settlesToMerchant ? commission : nil
        let allocation = JSON.object(omittingAbsent: [
            "id": .string(entity),
            "amount": .integer(amount),
            "commission": kept.map { ["amount": .integer($0)] },
        ])
        return .array([allocation])
    }

    private func path(_ payment: String, _ action: String = "") -> String {
        "/payments/\(FormFields.percentEncoded(payment))\(action)"
    }

    private func get(_ path: String) -> WireRequest {
        WireRequest(.get, baseURL + path, headers: [Self.authorization(account.secretKey)], canMoveMoney: false)
    }

    /// A request with the operation's key.
    ///
    /// A search before it has no key and does not count, so that the key is the same whether or not the payment has
    /// become known in between.
    private func post(_ path: String, _ body: JSON, for call: Call, exchange: Int = 0) -> WireRequest {
        let headers = [
            Self.authorization(account.secretKey), Header("Cko-Idempotency-Key", call.key(exchange: exchange)),
            Header("Content-Type", "application/json"),
        ]
        return WireRequest(.post, baseURL + path, headers: headers, body: body.bytes, canMoveMoney: true)
    }

    private static func authorization(_ key: Secret) -> Header { Header("Authorization", "Bearer \(key.reveal())") }
}
