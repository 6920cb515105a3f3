import AdapterKit
import Domain
import StrictJSON

/// What became of a capture, a void or a refund.
extension WorldpayOutcomeReader {
    /// Reads the reply to following a link: Worldpay takes the request on, and says later what became of it.
    func acceptance(
        _ reply: WorldpayReply,
        of link: String,
        _ state: WorldpayPaymentState,
        _ payment: String?
    ) -> Outcome {
        switch reply {
        case .object(let json, let status):
            guard status == 202, isPromised(json, of: link), isOurs(json, link, payment) else {
                return unknown("Worldpay answered something else than that it takes the request on.")
            }
            return .pending(progress(json, state))
        case .refusal(let refusal): return self.refusal(refusal)
        case .doubt(let reason): return unknown(reason)
        }
    }

    /// The Payments API names what it took on; the Card Payments API only gives links.
    private func isPromised(_ json: JSON, of link: String) -> Bool {
        guard LinkReader.isOfPaymentsAPI(link) else {
            return json["outcome"] == nil && json["_links"]?["cardPayments:events"]?["href"]?.stringValue != nil
        }
        let outcome = json["outcome"]?.stringValue
        return switch call.kind {
        case .authorize: false
        case .capture: outcome == "sentForSettlement"
        case .void: outcome == "sentForCancellation"
        case .refund: outcome == "sentForPartialRefund" || outcome == "sentForRefund"
        }
    }

    /// Whether the reply names the payment, or else leads back to it by the link that was followed.
    ///
    /// Only the answer to a cancellation has no name by Worldpay's descriptions, and its links are opaque: there it is
    /// the connection, which no other request was sent on, that says whose it is.
    private func isOurs(_ json: JSON, _ link: String, _ payment: String?) -> Bool {
        if let said = json["paymentId"], let payment { return said.stringValue == payment }
        if call.kind == .void { return true }
        let own = json["_links"]?["self"]?["href"]?.stringValue.flatMap(links.path)
        return own.map { link.hasPrefix($0 + "/") } ?? false
    }

    private func progress(_ json: JSON, _ state: WorldpayPaymentState) -> Progress {
        var state = state
        let fresh = links.links(json)
        if !fresh.isEmpty { state.links = fresh }
        switch call.kind {
        case .capture:
            state.captures += 1
            return Progress(reference: reference, state: state.text)
        case .refund: return Progress(reference: reference, state: state.text)
        case .void, .authorize:
            return Progress(reference: json["paymentId"]?.stringValue ?? call.pspReference, state: state.text)
        }
    }

    /// Worldpay offers no link for the operation; the record says what happened instead.
    func withoutLink(_ record: PaymentRecord) -> Outcome {
        // What is cancelled behind a part that was settled can still give that part back.
        let isRefundable = if case .refund = call.kind { record.isCaptured } else { false }
        if record.isVoided, !isRefundable { return alreadyCancelled(record) }
        let isHeld = record.authorization?.name == "authorizationSucceeded" || record.isCaptured
        switch call.kind {
        case .authorize: return unknown("A payment is not made by a link.")
        case .capture where !isHeld, .refund where !record.isCaptured:
            return rejected(.unsupported, record.events.last?.name ?? "none", "There is nothing to act on.")
        case .capture where record.isCaptured:
            return alreadySettled(record, "Worldpay takes no further settlement of the payment.")
        case .void where record.isCaptured:
            return alreadySettled(record, "The payment is sent for settlement.")
        case .void where record.authorization.map { !isHeld && !$0.name.hasSuffix("TimedOut") } == true:
            return rejected(.alreadyVoided, record.events.last?.name ?? "none", "The payment holds nothing.")
        case .capture, .void, .refund:
            return .notSent(reason: "Worldpay offers no such action for the payment now.")
        }
    }
}
