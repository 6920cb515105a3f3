import AdapterKit
import Domain
import StrictJSON
import WireFormats

/// Writes the requests of one Braintree account.
///
/// Source: "Making API calls" and "Transactions" of Braintree's GraphQL guides, read in November 2026.
struct BraintreeRequests: Sendable {
    /// The API version every request pins, as the guides give it.
    static let version = "2019-01-01"

    let baseURL: String
    let publicKey: Secret
    let privateKey: Secret

    /// Makes a single-use payment method of a device or network token; it lives three hours.
    func tokenize(_ token: NetworkToken, for call: Call) -> WireRequest {
        let month = String(token.expiryMonth)
        let networkToken = JSON.object(omittingAbsent: [
            "number": .string(token.number.reveal()),
            "expirationMonth": .string(month.utf8.count == 1 ? "0" + month : month),
            "expirationYear": .string(String(token.expiryYear)),
            "cryptogram": .string(token.cryptogram.reveal()),
            "eCommerceIndicator": token.eci.map { .string(Self.twoDigits($0)) },
            "originDetails": ["origin": .string(Self.origin(token.source))],
        ])
        return mutation(.tokenize, [JSON.Member("networkToken", networkToken)], call, canMoveMoney: false)
    }

    /// Holds (``Document/authorize``) or takes (``Document/charge``) the amount.
    ///
    /// The attempt is the order identifier: what an inquiry looks for, and what keeps Braintree's duplicate checking
    /// from taking two attempts for one.
    func create(
        _ document: Document,
        _ paymentMethod: String,
        of customer: Secret?,
        amount: String,
        account: String,
        for call: Call
    ) -> WireRequest {
        let transaction = JSON.object(omittingAbsent: [
            "amount": .string(amount),
            "merchantAccountId": .string(account),
            "orderId": .string(call.attempt.text),
            "customerId": customer.map { .string($0.reveal()) },
        ])
        let input = [
            JSON.Member("paymentMethodId", .string(paymentMethod)), JSON.Member("transaction", transaction),
        ]
        return mutation(document, input, call)
    }

    /// Takes the amount; the rest of the hold is released.
    ///
    /// An order identifier here would replace the attempt's on the transaction, so there is none.
    func capture(_ transaction: String, amount: String, for call: Call) -> WireRequest {
        let input = [
            JSON.Member("transactionId", .string(transaction)),
            JSON.Member("transaction", ["amount": .string(amount)]),
        ]
        return mutation(.capture, input, call)
    }

    /// Releases the hold, or a capture that has not settled.
    ///
    /// The published schema has no other way. What has settled in between is refunded in full by it, under the
    /// attempt's name; the answer says which of the two it was.
    func void(_ transaction: String, for call: Call) -> WireRequest {
        mutation(.reverse, [JSON.Member("transactionId", .string(transaction))], call)
    }

    /// Gives back the amount; the operation is the refund's order identifier, by which it is found again.
    func refund(_ transaction: String, amount: String, for call: Call) -> WireRequest {
        let input = [
            JSON.Member("transactionId", .string(transaction)),
            JSON.Member("refund", ["amount": .string(amount), "orderId": .string(call.operation.text)]),
        ]
        return mutation(.refund, input, call)
    }

    /// Reads a transaction.
    func read(_ transaction: String, for call: Call) -> WireRequest {
        post(.read, ["id": .string(transaction)], call, canMoveMoney: false)
    }

    /// Looks for the attempt's transaction.
    func search(for call: Call) -> WireRequest {
        let input: JSON = ["orderId": ["is": .string(call.attempt.text)]]
        return post(.search, ["input": input, "first": 10], call, canMoveMoney: false)
    }

    /// The operation goes along as the mutation's identifier, which Braintree repeats in the reply.
    private func mutation(
        _ document: Document,
        _ input: [JSON.Member],
        _ call: Call,
        canMoveMoney: Bool = true
    ) -> WireRequest {
        let named = [JSON.Member("clientMutationId", .string(call.operation.text))] + input
        return post(document, ["input": .object(named)], call, canMoveMoney: canMoveMoney)
    }

    /// A request whose answer is given under the operation's name.
    private func post(_ document: Document, _ variables: JSON, _ call: Call, canMoveMoney: Bool) -> WireRequest {
        let text = document.text(answeredAs: call.operation.text)
        let body: JSON = ["query": .string(text), "variables": variables]
        let keys = Array("\(publicKey.reveal()):\(privateKey.reveal())".utf8)
        return WireRequest(
            .post,
            baseURL + "/graphql",
            headers: [
                Header("Authorization", "Basic \(Base64.encode(keys))"), Header("Braintree-Version", Self.version),
                Header("Content-Type", "application/json"),
            ],
            body: body.bytes,
            canMoveMoney: canMoveMoney
        )
    }

    private static func origin(_ source: NetworkToken.Source) -> String {
        switch source {
        case .applePay: "APPLE_PAY"
        case .googlePay: "GOOGLE_PAY"
        case .network: "NETWORK_TOKEN"
        }
    }

    /// Apple gives one digit for some networks; Braintree wants two.
    private static func twoDigits(_ eci: String) -> String { eci.utf8.count == 1 ? "0" + eci : eci }
}
