import AdapterKit
import Domain

/// Each operation is one exchange: the request, or what its reply says.
extension AdyenAdapter {
    func perform(_ reader: OutcomeReader, _ reply: WireReply?) -> Step {
        switch reader.call.kind {
        case .authorize(let authorization): authorize(authorization, reader, reply)
        case .capture(let fee, let isFinal): capture(fee, isFinal: isFinal, reader, reply)
        case .void: void(reader, reply)
        case .refund(let fee): refund(fee, reader, reply)
        }
    }

    private func authorize(
        _ authorization: Call.Authorization,
        _ reader: OutcomeReader,
        _ reply: WireReply?
    ) -> Step {
        if let reply { return .outcome(reader.authorization(reply, capture: authorization.capture)) }
        guard let credential = authorization.credential else {
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only a webhook can tell."))
        }
        guard let source = PaymentSource(credential) else {
            let message =
                "A stored payment method is its identifier with the shopper reference as customer, or the two as one "
                + "text with a slash between."
            return .outcome(.rejected(Rejection(.configuration, code: "psp_token", message: message)))
        }
        guard let shares = reader.shares(fee: authorization.applicationFee) else {
            return .outcome(Self.unsupportedFee)
        }
        let payment = NewPayment(source: source, amount: reader.amount, shares: shares, authorization: authorization)
        return .send(requests.authorize(payment, for: reader.call))
    }

    private func capture(_ fee: Int64?, isFinal: Bool, _ reader: OutcomeReader, _ reply: WireReply?) -> Step {
        guard isFinal else { return .outcome(Self.unsupportedCapture) }
        guard let payment = reader.call.pspReference else { return .outcome(Self.unnamedPayment) }
        if let reply { return .outcome(reader.modification(reply, of: payment)) }
        guard let shares = reader.shares(fee: fee) else { return .outcome(Self.unsupportedFee) }
        return .send(requests.capture(payment, reader.amount, shares, for: reader.call))
    }

    private func void(_ reader: OutcomeReader, _ reply: WireReply?) -> Step {
        if let reply { return .outcome(reader.modification(reply, of: reader.call.pspReference)) }
        return .send(requests.cancel(reader.call.pspReference, for: reader.call))
    }

    private func refund(_ fee: Int64?, _ reader: OutcomeReader, _ reply: WireReply?) -> Step {
        guard let payment = reader.call.pspReference else { return .outcome(Self.unnamedPayment) }
        if let reply { return .outcome(reader.modification(reply, of: payment)) }
        guard let shares = reader.shares(fee: fee) else { return .outcome(Self.unsupportedFee) }
        return .send(requests.refund(payment, reader.amount, shares, for: reader.call))
    }

    /// Whether the rest stays held after a capture is a setting of the account, so only final captures are sent.
    private static let unsupportedCapture = unsupported("final_capture", "Adyen is asked for one capture only.")

    private static let unsupportedFee = unsupported(
        "splits",
        "The fee is more than the amount, or in no unit of Adyen's."
    )

    /// Captures and refunds are known by Adyen's reference only.
    private static let unnamedPayment = Outcome.notSent(reason: "Adyen's reference of the payment is not known yet.")
}
