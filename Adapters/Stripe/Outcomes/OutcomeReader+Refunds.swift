import AdapterKit
import Domain
import StrictJSON

/// What became of a refund.
extension OutcomeReader {
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
            let code = json["failure_reason"]?.stringValue.flatMap(StripeError.word) ?? "refund_failed"
            return .rejected(
                Rejection(.unsupported, code: code, message: "The refund was accepted and then failed: \(code).")
            )
        default: return unknown("The refund is in a state that Stripe does not document.")
        }
    }
}
