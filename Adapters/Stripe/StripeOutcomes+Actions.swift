import AdapterKit
import Domain
import StrictJSON

/// What became of a capture or a void.
extension StripeOutcomeReader {
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

/// What became of a refund.
extension StripeOutcomeReader {
    /// A page of refunds: ours, or the refund to go on after.
    enum RefundPage {
        case outcome(Outcome)
        case next(String)
    }

    /// Reads the reply to a refund.
    func refund(_ reply: StripeReply, of intent: String) -> Outcome {
        switch reply {
        case .object(let json, _): refund(json, of: intent)
        case .refusal(let refusal): self.refusal(refusal)
        case .doubt(let reason): unknown(reason)
        }
    }

    /// Reads a page of the intent's refunds.
    func refundPage(_ reply: StripeReply, of intent: String) -> RefundPage {
        guard case .object(let json, _) = reply, json["object"]?.stringValue == "list",
            let refunds = json["data"]?.arrayValue, let hasMore = json["has_more"]?.boolValue
        else { return .outcome(inquiryDoubt(reply)) }
        guard refunds.allSatisfy({ $0["payment_intent"]?.stringValue == intent }) else {
            return .outcome(unknown("Stripe listed refunds of another PaymentIntent."))
        }
        if let ours = refunds.first(where: { $0["metadata"]?["operation"]?.stringValue == call.operation.text }) {
            return .outcome(refund(ours, of: intent))
        }
        guard hasMore else { return .outcome(notFound("refund")) }
        guard let last = refunds.last?["id"]?.stringValue else {
            return .outcome(unknown("Stripe's list of refunds goes on after nothing."))
        }
        return .next(last)
    }

    private func refund(_ json: JSON, of intent: String) -> Outcome {
        guard json["object"]?.stringValue == "refund", let id = json["id"]?.stringValue, !id.isEmpty,
            json["payment_intent"]?.stringValue == intent,
            json["metadata"]?["operation"]?.stringValue == call.operation.text,
            json["currency"]?.stringValue == unit.code,
            let amount = json["amount"]?.integerValue, amount == asked
        else { return unknown("Stripe answered something else than the refund asked for.") }
        switch json["status"]?.stringValue {
        case "succeeded": return .succeeded(Success(reference: id, amount: call.money.minorUnits))
        case "pending", "requires_action": return .pending(Progress(reference: id))
        case "failed", "canceled":
            let code = json["failure_reason"]?.stringValue.flatMap(ProtocolText.word) ?? "refund_failed"
            let message = "The refund was accepted and then failed: \(code)."
            return .rejected(Rejection(.unsupported, code: code, message: message, object: id))
        default: return unknown("The refund is in a state that Stripe does not document.")
        }
    }
}
