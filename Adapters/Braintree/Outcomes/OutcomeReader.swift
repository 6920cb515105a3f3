import AdapterKit
import Domain
import StrictJSON

/// Reads what became of one call out of Braintree's replies.
struct OutcomeReader {
    let call: Call

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// A refusal by the state of the transaction.
    func rejected(_ reason: Rejection.Reason, _ code: String, _ message: String) -> Outcome {
        .rejected(Rejection(reason, code: code, message: message))
    }

    /// Whether the transaction is the attempt's, in its currency.
    func isOurs(_ transaction: Transaction) -> Bool {
        transaction.orderID == call.attempt.text && transaction.amount.currency == call.money.currency
            && (call.pspReference == nil || transaction.legacyID == call.pspReference)
    }

    /// Whether the payload answers this call's own request.
    func answersCall(_ payload: JSON) -> Bool { payload["clientMutationId"]?.stringValue == call.operation.text }

    /// The transaction in the payload of a mutation of this call, if it is ours.
    func transaction(_ payload: JSON) -> Transaction? {
        guard answersCall(payload), let transaction = payload["transaction"].flatMap(Transaction.init),
            isOurs(transaction)
        else { return nil }
        return transaction
    }
}
