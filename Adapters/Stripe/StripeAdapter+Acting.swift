import AdapterKit
import Domain

/// What is done to, or asked about, a PaymentIntent that is known by its identifier.
extension StripeAdapter {
    /// The next step; `replies` is what was answered since the intent was known.
    func act(on intent: String, _ reader: OutcomeReader, _ replies: ArraySlice<StripeReply>) -> Step {
        switch reader.call.purpose {
        case .perform: perform(on: intent, reader, replies)
        case .inquire: inquire(after: intent, reader, replies)
        }
    }

    private func perform(on intent: String, _ reader: OutcomeReader, _ replies: ArraySlice<StripeReply>) -> Step {
        let call = reader.call
        switch call.kind {
        case .authorize:
            return .outcome(.unknown(reason: "An authorization is not done to an intent that exists."))
        case .capture(let applicationFee, let isFinal):
            guard isFinal else { return .outcome(Self.unsupportedCapture) }
            if let reply = replies.first { return .outcome(reader.capture(reply, of: intent)) }
            guard let fee = reader.fee(applicationFee) else { return .outcome(Self.unsupportedFee) }
            return .send(requests.capture(intent, amount: reader.asked, applicationFee: fee.amount, for: call))
        case .void:
            if let reply = replies.first { return .outcome(reader.void(reply, of: intent)) }
            return .send(requests.cancel(intent, for: call))
        case .refund(let applicationFee):
            if let reply = replies.first { return .outcome(reader.refund(reply, of: intent)) }
            return .send(requests.refund(intent, amount: reader.asked, applicationFee: applicationFee, for: call))
        }
    }

    private func inquire(after intent: String, _ reader: OutcomeReader, _ replies: ArraySlice<StripeReply>) -> Step {
        if case .refund = reader.call.kind { return inquireRefund(of: intent, reader, replies) }
        guard let reply = replies.first else { return .send(requests.retrieve(intent, for: reader.call)) }
        return .outcome(reader.inquiry(reply, of: intent))
    }

    /// Reads page after page of the intent's refunds until ours is found or there are no more.
    private func inquireRefund(
        of intent: String,
        _ reader: OutcomeReader,
        _ replies: ArraySlice<StripeReply>
    ) -> Step {
        guard let last = replies.last else { return .send(requests.refunds(of: intent, after: nil, for: reader.call)) }
        switch reader.refundPage(last, of: intent) {
        case .outcome(let outcome): return .outcome(outcome)
        case .next(let refund):
            guard replies.count < Self.refundPageLimit else {
                return .outcome(.unknown(reason: "The intent has more refunds than an inquiry reads."))
            }
            return .send(requests.refunds(of: intent, after: refund, for: reader.call))
        }
    }

    private static let refundPageLimit = 20

    /// Captures that leave the rest held are offered to some accounts and cards only, so none is ever sent.
    private static let unsupportedCapture = unsupported("final_capture", "Stripe is asked for one capture only.")

    static let unsupportedFee = unsupported(
        "application_fee_amount",
        "Stripe cannot express this application fee in this currency."
    )
}
