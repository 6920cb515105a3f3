package import AdapterKit
import Domain
import StrictJSON

/// Having Stripe forget a payment method.
extension StripeAdapter {
    /// Detaches the payment method from its Customer.
    ///
    /// A refusal does not say whether it is detached already, so the payment method is read to find out.
    package func next(forRemoval removal: MethodRemoval, after exchanges: [Exchange]) -> Step {
        let method = removal.token.reveal()
        let replies = exchanges.map { StripeReply($0.reply, to: nil) }
        guard let first = replies.first else {
            return .send(requests.detach(method, on: removal.merchantAccount).withHiddenPath)
        }
        switch first {
        case .object(let json, _): return .outcome(Self.removal(json, of: method))
        case .doubt(let reason): return .outcome(.unknown(reason: reason))
        case .refusal(let refusal):
            if refusal.error.code == "resource_missing" { return .outcome(Self.rejected(.notFound, refusal)) }
            guard !refusal.concernsKey else { return .outcome(Self.rejected(.configuration, refusal)) }
            guard let second = replies.dropFirst().first else {
                return .send(requests.paymentMethod(method, on: removal.merchantAccount).withHiddenPath)
            }
            return .outcome(Self.standing(second, of: method, after: refusal))
        }
    }

    /// The payment method after its removal, which has no Customer any more.
    private static func removal(_ json: JSON, of method: String) -> Outcome {
        guard json["object"]?.stringValue == "payment_method", json["id"]?.stringValue == method,
            json["customer"]?.isNull == true
        else { return .unknown(reason: "Stripe answered something else than the detached payment method.") }
        return .succeeded(Success(reference: nil, amount: 0))
    }

    private static func standing(_ reply: StripeReply, of method: String, after refusal: StripeRefusal) -> Outcome {
        switch reply {
        case .object(let json, _):
            if case .succeeded(let success) = removal(json, of: method) { return .succeeded(success) }
            return rejected(.configuration, refusal)
        case .refusal(let second) where second.error.code == "resource_missing": return rejected(.notFound, second)
        case .refusal, .doubt:
            return .unknown(reason: "The removal was refused, and the payment method could not be read.")
        }
    }

    private static func rejected(_ reason: Rejection.Reason, _ refusal: StripeRefusal) -> Outcome {
        .rejected(Rejection(reason, code: refusal.error.tellingCode, message: refusal.sentence))
    }
}
