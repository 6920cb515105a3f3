import AdapterKit
import Domain

/// Authorizing, and what is done to or asked about a transaction that is known by its identifier.
extension AuthorizeNetAdapter {
    /// An authorization, with or without its capture, is one exchange.
    func authorize(
        _ authorization: Call.Authorization,
        _ reader: OutcomeReader,
        _ replies: ArraySlice<AuthorizeNetReply>
    ) -> Step {
        if let reply = replies.first {
            return switch reader.transaction(reply, of: nil) {
            case .outcome(let outcome): .outcome(outcome)
            case .unexplained(let refusal): .outcome(reader.rejected(.configuration, refusal))
            }
        }
        guard let credential = authorization.credential else {
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only an inquiry can tell."))
        }
        guard let payment = PaymentField(credential) else {
            if credential.kind == .pspToken {
                let message = "A payment profile is its number, with the number of its customer's profile as customer."
                return .outcome(.rejected(Rejection(.configuration, code: "customer", message: message)))
            }
            return .outcome(Self.unsupported("card_number", "Authorize.Net takes card numbers of 16 digits at most."))
        }
        return .send(requests.authorize(payment, authorization, for: reader.call))
    }

    /// The next step; `replies` is what was answered since the transaction was known.
    func act(on payment: String, _ reader: OutcomeReader, _ replies: ArraySlice<AuthorizeNetReply>) -> Step {
        let call = reader.call
        guard call.purpose == .perform else {
            guard let reply = replies.first else { return .send(requests.details(of: payment, for: call)) }
            return .outcome(reader.inquiry(reply, of: payment))
        }
        switch call.kind {
        case .authorize:
            return .outcome(.unknown(reason: "An authorization is not done to a transaction that exists."))
        case .capture(applicationFee: _, let isFinal):
            guard isFinal else {
                return .outcome(Self.unsupported("final_capture", "Authorize.Net captures once."))
            }
            return submit(requests.capture(payment, for: call), payment, reader, replies)
        case .void: return submit(requests.void(payment, for: call), payment, reader, replies)
        case .refund:
            if let last4 = CardDigits.last4(call.pspState) {
                return submit(requests.refund(payment, last4: last4, for: call), payment, reader, replies)
            }
            guard let reply = replies.first else { return .send(requests.details(of: payment, for: call)) }
            return switch reader.cardDigits(reply, of: payment) {
            case .last4(let last4):
                submit(requests.refund(payment, last4: last4, for: call), payment, reader, replies.dropFirst())
            case .outcome(let outcome): .outcome(outcome)
            }
        }
    }

    /// Sends the request, reads the reply, and looks at the transaction where the refusal does not say what is wrong.
    private func submit(
        _ request: WireRequest,
        _ payment: String,
        _ reader: OutcomeReader,
        _ replies: ArraySlice<AuthorizeNetReply>
    ) -> Step {
        guard let reply = replies.first else { return .send(request) }
        switch reader.transaction(reply, of: payment) {
        case .outcome(let outcome): return .outcome(outcome)
        case .unexplained(let refusal):
            guard let details = replies.dropFirst().first else {
                return .send(requests.details(of: payment, for: reader.call))
            }
            return .outcome(reader.explanation(of: refusal, in: details, of: payment))
        }
    }

    /// A refund is a transaction of its own; only the operation in its invoice number tells which one is ours.
    func inquireRefund(_ reader: OutcomeReader, _ replies: ArraySlice<AuthorizeNetReply>) -> Step {
        let search = TransactionSearch(forRefundOf: reader.call)
        switch search.result(of: replies) {
        case .ask(let page): return .send(requests.list(page, for: reader.call))
        case .found(let transaction, count: _): return .outcome(reader.refund(transaction))
        case .absent: return .outcome(reader.notFound("refund"))
        case .failed(let reply): return .outcome(reader.searchFailure(reply))
        case .unclear(let reason): return .outcome(reader.unclear(reason))
        }
    }
}
