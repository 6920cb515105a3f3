import AdapterKit
import Domain
import StrictJSON

/// What an inquiry learns. A refused inquiry says nothing of the operation it asks after.
extension StripeOutcomeReader {
    /// The intent a search found, or what the operation ends with instead.
    enum Located {
        case intent(String)
        case outcome(Outcome)
    }

    /// Reads the reply to the search by our attempt.
    ///
    /// Found objects may be out of date, so only their identifier is used.
    func located(_ reply: StripeReply) -> Located {
        guard case .object(let json, _) = reply, json["object"]?.stringValue == "search_result",
            let found = json["data"]?.arrayValue, json["has_more"]?.boolValue == false
        else { return .outcome(call.purpose == .inquire ? inquiryDoubt(reply) : searchFailure(reply)) }
        let intents = found.compactMap(PaymentIntent.init)
        guard intents.count == found.count, intents.allSatisfy(isOurs) else {
            return .outcome(call.doubt("Stripe found something else than what was searched."))
        }
        guard let intent = intents.first else {
            let answer = notFound("PaymentIntent")
            return .outcome(call.unlisted("Stripe does not list the PaymentIntent yet.", answer: answer))
        }
        guard intents.count == 1 else { return .outcome(unknown("Several PaymentIntents carry this attempt.")) }
        return .intent(intent.id)
    }

    /// Reads the intent for what became of the call.
    func inquiry(_ reply: StripeReply, of id: String) -> Outcome {
        if case .refusal(let refusal) = reply, refusal.error.code == "resource_missing", refusal.error.names(id) {
            return notFound("PaymentIntent")
        }
        guard case .object(let json, _) = reply, let intent = intent(PaymentIntent(json), named: id) else {
            return inquiryDoubt(reply)
        }
        return switch call.kind {
        case .authorize(let authorization): self.authorization(intent, capture: authorization.capture)
        case .capture: capture(intent)
        case .void: void(intent)
        case .refund: unknown("A refund is not read from its PaymentIntent.")
        }
    }

    private func capture(_ intent: PaymentIntent) -> Outcome {
        switch intent.status {
        case "succeeded": captured(intent)
        case "processing": .pending(Progress(reference: intent.chargeID))
        case "canceled": .rejected(intent.cancellation)
        case "requires_capture", "requires_action", "requires_confirmation", "requires_payment_method":
            notFound("capture")
        default: unknown("The PaymentIntent is in a state that Stripe does not document.")
        }
    }

    private func void(_ intent: PaymentIntent) -> Outcome {
        switch intent.status {
        case "canceled":
            intent.cancellation.reason == .expired ? .rejected(intent.cancellation) : voided(intent)
        case "succeeded":
            .rejected(
                Rejection(
                    .alreadyCaptured,
                    code: "succeeded",
                    message: "The PaymentIntent is captured.",
                    captured: intent.amountReceived.flatMap { unit.minorUnits($0) }
                )
            )
        case "requires_capture", "requires_action", "requires_confirmation", "requires_payment_method", "processing":
            notFound("cancellation")
        default: unknown("The PaymentIntent is in a state that Stripe does not document.")
        }
    }

    /// Stripe has no trace of what was asked after.
    func notFound(_ thing: String) -> Outcome {
        .rejected(Rejection(.notFound, code: "resource_missing", message: "Stripe has no such \(thing)."))
    }

    /// Why an inquiry learned nothing.
    func inquiryDoubt(_ reply: StripeReply) -> Outcome {
        switch reply {
        case .object: unknown("Stripe answered something else than what was asked after.")
        case .refusal(let refusal): unknown("The inquiry was refused. \(refusal.sentence)")
        case .doubt(let reason): unknown(reason)
        }
    }

    /// A search before an operation failed, so that the operation itself was not sent.
    private func searchFailure(_ reply: StripeReply) -> Outcome {
        if case .refusal(let refusal) = reply { return rejected(.configuration, refusal) }
        guard case .unknown(let reason) = inquiryDoubt(reply) else { return inquiryDoubt(reply) }
        return .notSent(reason: reason)
    }
}
