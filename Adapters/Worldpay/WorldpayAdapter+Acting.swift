import AdapterKit
import Domain

/// What is done to a payment, by following a link that Worldpay gave for it.
extension WorldpayAdapter {
    /// The next step of a capture, a void or a refund.
    ///
    /// The link is in the provider state; if not, the payment is looked up, which tells the links that fit its state.
    func act(_ reader: OutcomeReader, _ replies: ArraySlice<WorldpayReply>) -> Step {
        if case .capture(let fee, _) = reader.call.kind, let refused = Self.refusedFee(fee, reader.call) {
            return .outcome(refused)
        }
        if let state = reader.call.pspState.flatMap(PaymentState.init), let link = state.link(for: reader.call.kind) {
            return follow(link, of: state, reader.call.pspReference, reader, replies)
        }
        return look(reader, replies) { record, rest in
            guard let link = record.state.link(for: reader.call.kind) else {
                return .outcome(reader.withoutLink(record))
            }
            return follow(link, of: record.state, record.id, reader, rest)
        }
    }

    /// The next step of an inquiry.
    func inquire(_ reader: OutcomeReader, _ replies: ArraySlice<WorldpayReply>) -> Step {
        look(reader, replies) { record, _ in .outcome(reader.inquiry(record)) }
    }

    /// Follows a link of the payment with that identifier, if it is known.
    private func follow(
        _ link: String,
        of state: PaymentState,
        _ payment: String?,
        _ reader: OutcomeReader,
        _ replies: ArraySlice<WorldpayReply>
    ) -> Step {
        if let reply = replies.first { return .outcome(reader.acceptance(reply, of: link, state, payment)) }
        return .send(requests.follow(link, captures: state.captures, for: reader.call))
    }

    /// Reads the payment's record, after finding its identifier by our reference if that is not known.
    private func look(
        _ reader: OutcomeReader,
        _ replies: ArraySlice<WorldpayReply>,
        _ found: (PaymentRecord, ArraySlice<WorldpayReply>) -> Step
    ) -> Step {
        var rest = replies
        var payment = reader.call.pspReference
        if payment == nil {
            guard let reply = rest.popFirst() else { return .send(requests.search(for: reader.call)) }
            switch reader.located(reply) {
            case .found(let id): payment = id
            case .outcome(let outcome): return .outcome(outcome)
            }
        }
        guard let payment else { return .outcome(.unknown(reason: "The payment has no name.")) }
        guard let reply = rest.popFirst() else { return .send(requests.retrieve(payment)) }
        switch reader.record(reply, of: payment) {
        case .found(let record): return found(record, rest)
        case .outcome(let outcome): return .outcome(outcome)
        }
    }
}
