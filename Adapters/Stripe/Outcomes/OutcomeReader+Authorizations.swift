import AdapterKit
import Domain
import StrictJSON

/// What became of an authorization.
extension OutcomeReader {
    /// A token made of an encrypted one, or what the operation ends with instead.
    enum Tokenized {
        case token(String)
        case outcome(Outcome)
    }

    /// Reads the reply to making a token.
    ///
    /// Whatever it says, nothing that can move money has been sent. A token has nothing of ours on it, so that only the
    /// request's key, which the reply repeats, tells that it is not another buyer's.
    func token(_ reply: StripeReply) -> Tokenized {
        switch reply {
        case .object(let json, let repeatsKey):
            guard repeatsKey, json["object"]?.stringValue == "token", let id = json["id"]?.stringValue,
                id.hasPrefix("tok_")
            else {
                return .outcome(.notSent(reason: "Stripe answered something else than the token asked for."))
            }
            return .token(id)
        case .refusal(let refusal): return .outcome(self.refusal(refusal))
        case .doubt(let reason): return .outcome(.notSent(reason: reason))
        }
    }

    /// Reads the reply to creating and confirming the intent.
    func authorization(_ reply: StripeReply, capture: Bool) -> Outcome {
        switch reply {
        case .object(let json, _):
            PaymentIntent(json).map { authorization($0, capture: capture) }
                ?? unknown("Stripe answered something else than the PaymentIntent.")
        case .refusal(let refusal): self.refusal(refusal)
        case .doubt(let reason): unknown(reason)
        }
    }

    /// What an intent's state says of its authorization.
    func authorization(_ intent: PaymentIntent, capture: Bool) -> Outcome {
        guard isOurs(intent) else { return unknown("The PaymentIntent is another attempt's.") }
        guard intent.currency == unit.code, intent.amount == asked else {
            return unknown("The PaymentIntent is over another amount or currency.")
        }
        return switch intent.status {
        case "requires_capture": held(intent)
        case "succeeded": taken(intent, capture: capture)
        case "processing": .pending(Progress(reference: intent.id))
        case "requires_action": action(intent)
        case "requires_payment_method": failed(intent)
        case "canceled": .rejected(intent.cancellation)
        default: unknown("The PaymentIntent is in a state that says nothing of its authorization.")
        }
    }

    private func held(_ intent: PaymentIntent) -> Outcome {
        guard let capturable = intent.amountCapturable, capturable > 0, capturable <= asked,
            (intent.amountReceived ?? 0) == 0, let amount = unit.minorUnits(capturable)
        else { return unknown("The PaymentIntent holds an amount that was not asked for.") }
        let expiresAt = intent.charge?.captureBefore
        return .succeeded(success(intent, amount: amount, captured: 0, expiresAt: expiresAt))
    }

    /// A captured intent.
    ///
    /// If the capture was an operation of its own it may be over less than was authorized; the charge knows what was
    /// authorized.
    private func taken(_ intent: PaymentIntent, capture: Bool) -> Outcome {
        guard let received = intent.amountReceived, received > 0, received <= asked,
            let captured = unit.minorUnits(received)
        else { return unknown("The PaymentIntent took an amount that was not asked for.") }
        let authorized = capture ? received : intent.charge?.amount ?? received
        guard authorized >= received, authorized <= asked, let amount = unit.minorUnits(authorized) else {
            return unknown("The PaymentIntent's charge is over an amount that was not asked for.")
        }
        return .succeeded(success(intent, amount: amount, captured: captured, expiresAt: nil))
    }

    private func success(
        _ intent: PaymentIntent,
        amount: Int64,
        captured: Int64,
        expiresAt: Timestamp?
    ) -> Success {
        Success(
            reference: intent.id,
            amount: amount,
            capturedAmount: captured,
            expiresAt: expiresAt,
            network: intent.charge?.network,
            last4: intent.charge?.last4
        )
    }

    private func action(_ intent: PaymentIntent) -> Outcome {
        intent.nextAction.map { .actionRequired($0, Progress(reference: intent.id)) }
            ?? unknown("The PaymentIntent requires an action that it does not name.")
    }

    private func failed(_ intent: PaymentIntent) -> Outcome {
        intent.lastPaymentError.map { .declined($0.decline(requestID: nil)) }
            ?? unknown("The PaymentIntent has no payment method and no error.")
    }
}
