import AdapterKit
import Domain

/// What is done to, or asked about, a payment that is known by its identifier.
extension CheckoutAdapter {
    /// The next step; `replies` is what was answered since the payment was known.
    func act(on payment: String, _ reader: OutcomeReader, _ replies: ArraySlice<CheckoutReply>) -> Step {
        switch reader.call.purpose {
        case .perform: perform(on: payment, reader, replies)
        case .inquire: inquire(after: payment, reader, replies)
        }
    }

    /// A refusal does not say what is in the way, so the payment is read to find out.
    private func perform(on payment: String, _ reader: OutcomeReader, _ replies: ArraySlice<CheckoutReply>) -> Step {
        guard let first = replies.first else { return request(on: payment, reader) }
        switch reader.action(first) {
        case .outcome(let outcome): return .outcome(outcome)
        case .refused(let refusal):
            guard let second = replies.dropFirst().first else { return .send(requests.retrieve(payment)) }
            return .outcome(reader.explanation(of: refusal, by: second, of: payment))
        }
    }

    private func request(on payment: String, _ reader: OutcomeReader) -> Step {
        let call = reader.call
        switch call.kind {
        case .authorize:
            return .outcome(.unknown(reason: "An authorization is not done to a payment that exists."))
        case .capture(let applicationFee, let isFinal):
            guard let commission = reader.commission(applicationFee) else { return .outcome(Self.unsupportedFee) }
            return .send(
                requests.capture(
                    payment,
                    amount: reader.asked,
                    commission: commission.amount,
                    isFinal: isFinal,
                    for: call
                )
            )
        case .void: return .send(requests.void(payment, for: call))
        case .refund(let applicationFee):
            guard let commission = reader.commission(applicationFee) else { return .outcome(Self.unsupportedFee) }
            return .send(requests.refund(payment, amount: reader.asked, commission: commission.amount, for: call))
        }
    }

    /// An authorization is read from the payment, and its decline's code from the actions; all else from the actions.
    private func inquire(after payment: String, _ reader: OutcomeReader, _ replies: ArraySlice<CheckoutReply>) -> Step {
        guard case .authorize(let authorization) = reader.call.kind else {
            guard let reply = replies.first else { return .send(requests.actions(of: payment)) }
            return .outcome(reader.foundAction(reply))
        }
        guard let first = replies.first else { return .send(requests.retrieve(payment)) }
        switch reader.inquiry(first, of: payment, capture: authorization.capture) {
        case .outcome(let outcome): return .outcome(outcome)
        case .declined:
            guard let second = replies.dropFirst().first else { return .send(requests.actions(of: payment)) }
            return .outcome(reader.decline(second))
        }
    }
}
