import AdapterKit
import Domain

/// Reads what became of one call out of Worldpay's replies.
struct OutcomeReader {
    let call: Call
    let links: LinkReader

    /// Something a reply was asked for, or what the operation ends with instead.
    enum Found<Value> {
        case found(Value)
        case outcome(Outcome)
    }

    /// Our reference of the operation, by which Worldpay names captures and refunds.
    var reference: String { OperationReference.text(call.operation) }

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// A refusal with that code.
    func rejected(_ reason: Rejection.Reason, _ code: String, _ message: String) -> Outcome {
        .rejected(Rejection(reason, code: code, message: message))
    }

    /// What a refused request means for the call.
    ///
    /// An authorization is refused because of the account or the request, and now and then because of the card; a
    /// link is refused with 404 if Worldpay does not know the payment behind it.
    func refusal(_ refusal: WorldpayRefusal) -> Outcome {
        if case .authorize = call.kind, refusal.status == 400, let failed = WorldpayFailures.outcome(of: refusal.code) {
            return failed
        }
        return rejected(reason(of: refusal), refusal.code, refusal.sentence)
    }

    /// What is asked for is a whole number in 32 bits, above 0, so that only more than there is can be wrong with it.
    private func reason(of refusal: WorldpayRefusal) -> Rejection.Reason {
        switch (call.kind, refusal.status, refusal.field) {
        case (.authorize, _, _): .configuration
        case (.capture, 400, "$.value.amount"), (.refund, 400, "$.value.amount"): .amountTooLarge
        case (_, 404, _): .notFound
        default: .configuration
        }
    }
}
