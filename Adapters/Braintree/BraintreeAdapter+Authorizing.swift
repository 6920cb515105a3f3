import AdapterKit
import Domain

/// Authorizing or charging a payment method, after making one of a device or network token.
extension BraintreeAdapter {
    func authorize(
        _ authorization: Call.Authorization,
        _ reader: OutcomeReader,
        _ unit: BraintreeUnit,
        _ replies: ArraySlice<WireReply>
    ) -> Step {
        switch authorization.credential {
        case nil:
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only an inquiry can tell."))
        case .pspToken(let method, let customer):
            return create(method.reveal(), of: customer, authorization, reader, unit, replies)
        case .networkToken(let token):
            guard let first = replies.first else { return .send(requests.tokenize(token, for: reader.call)) }
            return switch reader.token(BraintreeReply(first, to: reader.call)) {
            case .paymentMethod(let id): create(id, of: nil, authorization, reader, unit, replies.dropFirst())
            case .outcome(let outcome): .outcome(outcome)
            }
        case .encryptedApplePay:
            let message = "Braintree takes an encrypted Apple Pay token from its own client library only."
            return .outcome(Self.unsupported("encrypted_apple_pay", message))
        }
    }

    /// The creation, or what became of it; `replies` is empty if it is yet to be sent.
    private func create(
        _ paymentMethod: String,
        of customer: Secret?,
        _ authorization: Call.Authorization,
        _ reader: OutcomeReader,
        _ unit: BraintreeUnit,
        _ replies: ArraySlice<WireReply>
    ) -> Step {
        let call = reader.call
        if let reply = replies.first {
            return .outcome(reader.authorization(BraintreeReply(reply, to: call)))
        }
        if let refusal = Self.refusal(ofFee: authorization.applicationFee) { return refusal }
        guard let account = call.merchantAccount ?? ownAccounts.account(for: call.money.currency) else {
            let message = "There is no merchant account of the marketplace's for \(call.money.currency)."
            return .outcome(Self.unsupported("merchant_account", message))
        }
        guard let amount = unit.text(call.money) else {
            return .outcome(Self.unsupported("amount", "Braintree cannot express this amount."))
        }
        let mutation = authorization.capture ? Document.charge : Document.authorize
        return .send(
            requests.create(mutation, paymentMethod, of: customer, amount: amount, account: account, for: call)
        )
    }
}
