import AdapterKit
import Domain
import StrictJSON

/// What an inquiry learns. A refused inquiry says nothing of the operation it asks after.
extension CheckoutOutcomeReader {
    /// The payment a search found, or what the operation ends with instead.
    enum Located {
        case payment(String, surplus: [SurplusPayment] = [])
        case outcome(Outcome)
    }

    /// Reads the reply to the search by our attempt.
    ///
    /// A request that failed within Checkout.com is processed anew under the same key, so that there may be several. The
    /// latest, which is first, of those that took money counts, else of those that hold some, else of all; those that were
    /// approved in part behind others. Others that hold or took something are surplus; where one of several is not decided
    /// yet, the next inquiry tells.
    func located(_ reply: CheckoutReply) -> Located {
        guard case .accepted(200, let json) = reply, let found = json["data"]?.arrayValue,
            json["total_count"]?.integerValue == Int64(found.count)
        else { return .outcome(call.purpose == .inquire ? inquiryDoubt(reply) : searchFailure(reply)) }
        let payments = found.compactMap(CheckoutPayment.init)
        guard payments.count == found.count else {
            return .outcome(call.doubt("Checkout.com lists something that is no payment."))
        }
        guard payments.allSatisfy({ $0.reference == call.attempt.text }) else {
            return .outcome(call.doubt("Checkout.com lists something else than what was searched."))
        }
        let live = payments.filter { !$0.isOver }
        let holding = live.filter { $0.status != "Voided" }
        guard holding.count <= 1 || holding.allSatisfy(isDecided) else {
            return .outcome(unknown("Several payments carry this attempt."))
        }
        let whole = holding.filter { $0.approvedAmount == asked }
        let wanted = whole.isEmpty ? holding : whole
        // What took money already costs the buyer nothing more.
        let ours = wanted.first { $0.status != "Authorized" } ?? wanted.first
        if let found = ours ?? live.first ?? payments.first {
            // Of one that was given back nothing is left to undo.
            let surplus = holding.filter { $0.id != found.id && $0.status != "Refunded" }.map { other in
                SurplusPayment(
                    reference: other.id,
                    approvedAmount: other.approvedAmount == asked ? nil : other.approvedAmount.flatMap(unit.minorUnits),
                    capturedAmount: other.balances.flatMap { unit.minorUnits($0.captured) } ?? 0
                )
            }
            return .payment(found.id, surplus: surplus)
        }
        return .outcome(call.unlisted("Checkout.com does not list the payment yet.", answer: notFound("payment")))
    }

    /// Whether nothing more is to come of a payment's authorization, which got what was asked, or a part of it.
    private func isDecided(_ payment: CheckoutPayment) -> Bool {
        guard case .authorize(let authorization) = call.kind, isAsked(payment), payment.approvedAmount ?? 0 > 0 else {
            return false
        }
        let isTaken = ["Partially Captured", "Captured", "Partially Refunded", "Refunded"].contains(payment.status)
        return isTaken || (payment.status == "Authorized" && !authorization.capture)
    }

    /// What a payment says of its authorization; a declined one does not say why.
    enum Found {
        case outcome(Outcome)
        case declined
    }

    /// Reads the payment.
    func inquiry(_ reply: CheckoutReply, of id: String, capture: Bool) -> Found {
        if case .refusal(let refusal) = reply, refusal.status == 404 { return .outcome(notFound("payment")) }
        guard case .accepted(200, let json) = reply, let payment = ours(CheckoutPayment(json)), payment.id == id else {
            return .outcome(inquiryDoubt(reply))
        }
        switch payment.status {
        case "Pending": return .outcome(waiting(payment))
        case "Authorized": return .outcome(held(payment, capture: capture))
        case "Partially Captured", "Captured", "Partially Refunded", "Refunded": return .outcome(taken(payment))
        case "Declined":
            let isPromised = payment.isApproved != true && payment.currency == unit.code
            return isPromised ? .declined : .outcome(unknown("Checkout.com's payment is declined and approved."))
        case "Voided" where call.asksForStoredMethod, "Expired" where call.asksForStoredMethod:
            let kept = success(payment, amount: call.money.minorUnits, captured: 0, expiresAt: nil)
            return .outcome(.succeeded(kept))
        case "Voided", "Canceled":
            return .outcome(ended(.alreadyVoided, payment))
        case "Expired": return .outcome(ended(.expired, payment))
        default: return .outcome(unknown("The payment is in a state that says nothing of its authorization."))
        }
    }

    /// Reads the actions of a declined payment for the reason; there may be none yet.
    func decline(_ reply: CheckoutReply) -> Outcome {
        guard case .accepted(200, let json) = reply, let list = json.arrayValue else { return inquiryDoubt(reply) }
        let actions = list.compactMap(CheckoutAction.init)
        guard list.isEmpty || isOfOurs(actions) else {
            return unknown("Checkout.com lists the actions of another payment.")
        }
        let action = actions.first { $0.type == "Authorization" && $0.isApproved == false }
        return .declined(Self.decline(action?.responseCode, action?.advice))
    }

    /// Checkout.com has no trace of what was asked after.
    func notFound(_ thing: String) -> Outcome {
        .rejected(Rejection(.notFound, code: "not_found", message: "Checkout.com has no such \(thing)."))
    }

    /// Why an inquiry learned nothing.
    func inquiryDoubt(_ reply: CheckoutReply) -> Outcome {
        switch reply {
        case .accepted: unknown("Checkout.com answered something else than what was asked after.")
        case .refusal(let refusal): unknown("The inquiry was refused. \(refusal.sentence)")
        case .doubt(let reason): unknown(reason)
        }
    }

    /// A search before an operation failed, so that the operation itself was not sent.
    private func searchFailure(_ reply: CheckoutReply) -> Outcome {
        switch reply {
        case .refusal(let refusal): rejected(.configuration, refusal)
        case .accepted: .notSent(reason: "Checkout.com answered something else than the list of payments.")
        case .doubt(let reason): .notSent(reason: reason)
        }
    }

    /// A payment that holds nothing any more, unless something was captured before.
    private func ended(_ reason: Rejection.Reason, _ payment: CheckoutPayment) -> Outcome {
        if let captured = payment.balances?.captured, captured > 0 { return taken(payment) }
        return .rejected(
            Rejection(reason, code: payment.status, message: "Checkout.com's payment is \(payment.status).")
        )
    }
}
