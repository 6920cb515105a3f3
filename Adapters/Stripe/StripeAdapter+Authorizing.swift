import AdapterKit
import Domain

/// Creating and confirming a PaymentIntent, after making a token of an encrypted one.
extension StripeAdapter {
    func authorize(
        _ authorization: Call.Authorization,
        _ reader: OutcomeReader,
        _ replies: ArraySlice<StripeReply>
    ) -> Step {
        switch authorization.credential {
        case nil:
            // The request cannot be written any more, but one like it may have been sent.
            .outcome(.unknown(reason: "The credential has been erased; only an inquiry can tell."))
        case .pspToken(let token, let customer):
            create(.pspToken(token.reveal(), customer: customer?.reveal()), authorization, reader, replies)
        case .networkToken(let token):
            create(.networkToken(token), authorization, reader, replies)
        case .encryptedApplePay(let token):
            if let first = replies.first {
                switch reader.token(first) {
                case .token(let id): create(.pspToken(id, customer: nil), authorization, reader, replies.dropFirst())
                case .outcome(let outcome): .outcome(outcome)
                }
            } else {
                .send(requests.token(token, for: reader.call))
            }
        }
    }

    /// The creation, or what became of it; `replies` is empty if it is yet to be sent.
    private func create(
        _ source: NewPaymentIntent.Source,
        _ authorization: Call.Authorization,
        _ reader: OutcomeReader,
        _ replies: ArraySlice<StripeReply>
    ) -> Step {
        if let reply = replies.first {
            return .outcome(reader.authorization(reply, capture: authorization.capture))
        }
        guard let fee = reader.fee(authorization.applicationFee) else { return .outcome(Self.unsupportedFee) }
        let intent = NewPaymentIntent(
            source: source,
            unit: reader.unit,
            amount: reader.asked,
            applicationFee: fee.amount,
            authorization: authorization
        )
        return .send(requests.authorize(intent, for: reader.call, exchange: replies.startIndex))
    }
}
