import AdapterKit
import Domain

/// Making a payment.
extension WorldpayAdapter {
    /// The creation, or what became of it.
    func authorize(
        _ authorization: Call.Authorization,
        _ reader: OutcomeReader,
        _ replies: ArraySlice<WorldpayReply>
    ) -> Step {
        if let reply = replies.first { return .outcome(reader.authorization(reply)) }
        guard let credential = authorization.credential else {
            // The request cannot be written any more, but one like it may have been sent.
            return .outcome(.unknown(reason: "The credential has been erased; only an inquiry can tell."))
        }
        if case .pspToken(_, .some) = credential {
            return .outcome(Self.unsupported("customer", "Worldpay's tokens belong to no customer."))
        }
        guard let instrument = PaymentInstrument(credential) else {
            return .outcome(Self.unsupported("paymentInstrumentIsNotSupported", "The token is none of Worldpay's."))
        }
        let call = reader.call
        guard let entity = MerchantEntity(of: call, otherwise: requests.entity) else {
            let message = "The merchant account is no entity of Worldpay's."
            return .outcome(.rejected(Rejection(.configuration, code: "entity", message: message)))
        }
        if let refused = Self.refusedFee(authorization.applicationFee, call) { return .outcome(refused) }
        let payment = NewPayment(
            instrument: instrument,
            entity: entity,
            narrative: requests.narrative,
            authorization: authorization
        )
        return .send(requests.create(payment, for: call))
    }

    /// Why a commission that Worldpay would have to keep cannot be taken; nil if there is none.
    ///
    /// Nothing in a payment says it; see README.md for what Split Payments would take.
    static func refusedFee(_ fee: Int64?, _ call: Call) -> Outcome? {
        guard call.merchantAccount != nil, let fee, fee > 0 else { return nil }
        return unsupported("applicationFee", "Worldpay keeps no commission for the marketplace.")
    }
}
