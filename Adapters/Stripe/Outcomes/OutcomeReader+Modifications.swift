import AdapterKit
import Domain
import StrictJSON

/// What became of a capture or a void.
extension OutcomeReader {
    /// Reads the reply to a capture.
    func capture(_ reply: StripeReply, of id: String) -> Outcome {
        modification(reply, of: id) { intent in
            switch intent.status {
            case "succeeded": captured(intent)
            case "processing": .pending(Progress(reference: intent.chargeID))
            default: unknown("Stripe accepted the capture but the PaymentIntent is not captured.")
            }
        }
    }

    /// Reads the reply to a cancellation.
    func void(_ reply: StripeReply, of id: String) -> Outcome {
        modification(reply, of: id) { intent in
            intent.status == "canceled"
                ? voided(intent) : unknown("Stripe accepted the cancellation but the PaymentIntent is not canceled.")
        }
    }

    private func modification(
        _ reply: StripeReply,
        of id: String,
        _ read: (PaymentIntent) -> Outcome
    ) -> Outcome {
        switch reply {
        case .object(let json, _):
            intent(PaymentIntent(json), named: id).map(read)
                ?? unknown("Stripe answered something else than the PaymentIntent.")
        case .refusal(let refusal): self.refusal(refusal)
        case .doubt(let reason): unknown(reason)
        }
    }

    /// The capture of an intent that is captured; an intent is captured once.
    func captured(_ intent: PaymentIntent) -> Outcome {
        guard let received = intent.amountReceived, received > 0, let amount = unit.minorUnits(received) else {
            return unknown("The PaymentIntent does not say what it took.")
        }
        return .succeeded(
            Success(reference: intent.chargeID ?? intent.id, amount: amount, capturedAmount: amount)
        )
    }

    /// The void of an intent that is canceled.
    ///
    /// A cancellation releases whatever was held, so it has no amount of its own at Stripe; it is given as the
    /// call's.
    func voided(_ intent: PaymentIntent) -> Outcome {
        .succeeded(Success(reference: intent.id, amount: call.money.minorUnits))
    }
}
