import AdapterKit
import Domain

/// What is done to, or asked about, a transaction that is known by its GraphQL identifier.
extension BraintreeAdapter {
    /// The next step; `replies` is what was answered since the transaction was known.
    func act(
        on transaction: String,
        _ reader: OutcomeReader,
        _ unit: BraintreeUnit,
        _ replies: ArraySlice<WireReply>
    ) -> Step {
        switch reader.call.purpose {
        case .perform: return perform(on: transaction, reader, unit, replies)
        case .inquire:
            guard let reply = replies.first else { return .send(requests.read(transaction, for: reader.call)) }
            return .outcome(reader.inquiry(BraintreeReply(reply, to: reader.call), of: transaction))
        }
    }

    private func perform(
        on transaction: String,
        _ reader: OutcomeReader,
        _ unit: BraintreeUnit,
        _ replies: ArraySlice<WireReply>
    ) -> Step {
        let call = reader.call
        let amount = unit.text(call.money) ?? ""
        switch call.kind {
        case .authorize:
            return .outcome(.unknown(reason: "An authorization is not done to a transaction that exists."))
        case .capture(let applicationFee, let isFinal):
            guard isFinal else { return .outcome(Self.unsupportedCapture) }
            if let refusal = Self.refusal(ofFee: applicationFee) { return refusal }
            guard let reply = replies.first else {
                return .send(requests.capture(transaction, amount: amount, for: call))
            }
            return finish(BraintreeReply(reply, to: call), transaction, reader, replies)
        case .void:
            guard let reply = replies.first else { return .send(requests.void(transaction, for: call)) }
            return finish(BraintreeReply(reply, to: call), transaction, reader, replies)
        case .refund(let applicationFee):
            if let refusal = Self.refusal(ofFee: applicationFee) { return refusal }
            guard let reply = replies.first else {
                return .send(requests.refund(transaction, amount: amount, for: call))
            }
            return finish(BraintreeReply(reply, to: call), transaction, reader, replies)
        }
    }

    /// What became of it.
    ///
    /// Where it was refused because the transaction's state does not allow it, Braintree does not say which state that
    /// is, so the transaction is read.
    private func finish(
        _ reply: BraintreeReply,
        _ transaction: String,
        _ reader: OutcomeReader,
        _ replies: ArraySlice<WireReply>
    ) -> Step {
        guard case .refusal(let refusal) = reply, reader.concernsState(refusal) else {
            return .outcome(reader.modification(reply, of: transaction))
        }
        guard let state = replies.dropFirst().first else { return .send(requests.read(transaction, for: reader.call)) }
        let read = BraintreeReply(state, to: reader.call)
        return .outcome(reader.standing(read, of: transaction, after: refusal))
    }

    /// Only PayPal and Venmo transactions are captured in parts, so a capture that leaves the rest held is never sent.
    private static let unsupportedCapture = unsupported("final_capture", "Braintree captures a card payment once.")
}
