import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// Writes the requests of one Worldpay account.
///
/// Source: Worldpay's descriptions of the Payments API 2024-06-01, the Card Payments API 7 and the Payment Queries
/// API 1, read in November 2026.
struct WorldpayRequests: Sendable {
    /// The version of the Payments API that every request pins.
    static let version = "2024-06-01"
    /// What the Card Payments API, to which the links of looked-up payments lead, speaks.
    static let cardPayments = "application/vnd.worldpay.payments-v7+json"
    /// What the Payment Queries API speaks.
    static let queries = "application/vnd.worldpay.payment-queries-v1.hal+json"

    let baseURL: String
    /// The value of the `Authorization` header field.
    let authorization: Secret
    let entity: String
    let narrative: String

    /// Makes a payment.
    func create(_ payment: NewPayment, for call: Call) -> WireRequest {
        post("/api/payments", payment.body(for: call))
    }

    /// Follows a link, which may be only a path, with what the operation needs in the body.
    ///
    /// Captures and refunds are always the partial ones, whatever the amount, because only they carry a reference of
    /// ours. The last capture says which of how many it is; before that nobody knows how many there will be.
    func follow(_ path: String, captures: Int, for call: Call) -> WireRequest {
        switch call.kind {
        case .authorize, .void: return post(path, nil)
        case .refund: return post(path, Self.part(of: call, sequence: nil))
        case .capture(_, let isFinal):
            let number = Int64(captures) + 1
            return post(
                path,
                Self.part(
                    of: call,
                    sequence: isFinal ? ["number": .integer(number), "total": .integer(number)] : .none
                )
            )
        }
    }

    /// Looks for payments with our reference.
    func search(for call: Call) -> WireRequest {
        get("/paymentQueries/payments?transactionReference=\(FormFields.percentEncoded(call.attempt.text))")
    }

    /// Reads a payment's record: its events, and the links that fit its state.
    func retrieve(_ payment: String) -> WireRequest {
        get("/paymentQueries/payments/\(FormFields.percentEncoded(payment))")
    }

    private static func part(of call: Call, sequence: JSON?) -> JSON {
        .object(omittingAbsent: [
            "reference": .string(OperationReference.text(call.operation)),
            "value": value(call.money),
            "sequence": sequence,
        ])
    }

    /// An amount as Worldpay writes it.
    static func value(_ money: Money) -> JSON {
        ["currency": .string(money.currency.code), "amount": .integer(money.minorUnits)]
    }

    private func get(_ path: String) -> WireRequest {
        let headers = [Header("Authorization", authorization.reveal()), Header("Accept", Self.queries)]
        return WireRequest(.get, baseURL + path, headers: headers, canMoveMoney: false)
    }

    private func post(_ path: String, _ body: JSON?) -> WireRequest {
        let own =
            LinkReader.isOfPaymentsAPI(path)
            ? [
                Header("Content-Type", "application/json"), Header("Accept", "application/json"),
                Header("WP-Api-Version", Self.version),
            ] : [Header("Content-Type", Self.cardPayments), Header("Accept", Self.cardPayments)]
        return WireRequest(
            .post,
            baseURL + path,
            headers: [Header("Authorization", authorization.reveal())] + own,
            body: body?.bytes ?? [],
            canMoveMoney: true
        )
    }
}
