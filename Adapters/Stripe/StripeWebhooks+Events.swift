import AdapterKit
import Domain
import StrictJSON

/// Reads what an event says of a payment.
///
/// Stripe promises neither order nor single delivery, so that every notice says all of what the object says, and
/// nothing of what the event follows on. Source: "Types of events", read in November 2026.
struct StripeEventReader {
    let event: StripeEvent

    /// What the event says.
    ///
    /// `charge.refunded` is left out because it does not name the refund, `charge.captured` and
    /// `payment_intent.processing` because others say the same or more.
    var news: WebhookNews {
        switch event.type {
        case "payment_intent.amount_capturable_updated": intent(held)
        case "payment_intent.succeeded": intent(taken)
        case "payment_intent.payment_failed": intent(failed)
        case "payment_intent.requires_action": intent(waiting)
        case "payment_intent.canceled": intent(canceled)
        case "charge.succeeded": charge(held)
        case "charge.expired": charge(lapsed)
        case "refund.created", "refund.updated", "refund.failed", "charge.refund.updated": refund
        case "charge.dispute.created", "charge.dispute.funds_withdrawn": dispute(opened)
        case "charge.dispute.closed", "charge.dispute.funds_reinstated": dispute(closed)
        default: .nothing
        }
    }

    /// A notice about a payment, with the names of ours that Stripe repeats, if they are names of ours.
    func notice(
        _ happening: Notice.Happening,
        intent: String,
        attempt: String?,
        operation: String?,
        object: String?,
        isOthers: Bool = false,
        _ unit: Unit?
    ) -> WebhookNews {
        let subject = Notice.Subject(
            attempt: attempt.flatMap { AttemptID($0) }?.text,
            operation: operation.flatMap { OperationID($0) }?.text,
            payment: intent,
            object: object,
            isOthers: isOthers
        )
        return .notice(Notice(about: subject, happening, at: event.at), unit?.currency)
    }

    /// The operation whose request caused the event, unless it is the one that made the payment.
    func cause(besides maker: String?) -> String? {
        guard let cause = event.cause?.text, cause != maker else { return nil }
        return cause
    }

    /// A currency and Stripe's unit of it.
    struct Unit {
        var currency: Currency
        var stripe: StripeUnit

        /// Looks up a currency in lower case; nil if Stripe does not take it.
        init?(_ code: String) {
            guard let currency = Currency(code: code.uppercased()), let stripe = StripeUnit(currency) else {
                return nil
            }
            self.currency = currency
            self.stripe = stripe
        }

        /// Minor units of an amount above 0; nil if it is none.
        func minorUnits(_ amount: Int64?) -> Int64? {
            amount.flatMap { $0 > 0 ? stripe.minorUnits($0) : nil }
        }
    }

    /// A sentence for a person who looks at the event.
    func unreadable(_ problem: String) -> WebhookNews { .unreadable("\(event.type): \(problem)") }
}

/// News of PaymentIntents and of the charges they made.
extension StripeEventReader {
    func intent(_ read: (PaymentIntent, Unit) -> WebhookNews) -> WebhookNews {
        guard let intent = event.object.flatMap(PaymentIntent.init) else { return unreadable("no PaymentIntent") }
        guard let unit = Unit(intent.currency) else { return unreadable("a currency that is not taken") }
        return read(intent, unit)
    }

    /// The whole is held; an intent that was captured in part says so in another event.
    func held(_ intent: PaymentIntent, _ unit: Unit) -> WebhookNews {
        guard intent.status == "requires_capture", (intent.amountReceived ?? 0) == 0 else { return .nothing }
        guard let amount = unit.minorUnits(intent.amountCapturable) else { return unreadable("no amount") }
        return authorization(.succeeded(Success(reference: intent.id, amount: amount)), intent, unit)
    }

    /// The amount is taken: by the confirmation itself, or by a capture, ours or the dashboard's.
    func taken(_ intent: PaymentIntent, _ unit: Unit) -> WebhookNews {
        guard intent.status == "succeeded" else { return unreadable("a PaymentIntent that did not succeed") }
        guard let amount = unit.minorUnits(intent.amountReceived) else { return unreadable("no amount") }
        if intent.capturesAutomatically {
            let success = Success(reference: intent.id, amount: amount, capturedAmount: amount)
            return authorization(.succeeded(success), intent, unit)
        }
        let capture = intent.chargeID ?? intent.id
        return notice(
            .outcome(.capture, .succeeded(Success(reference: capture, amount: amount, capturedAmount: amount))),
            intent: intent.id,
            attempt: intent.attempt,
            operation: cause(besides: intent.operation),
            object: capture,
            unit
        )
    }

    /// The issuer or a risk rule said no.
    func failed(_ intent: PaymentIntent, _ unit: Unit) -> WebhookNews {
        guard intent.status == "requires_payment_method", let error = intent.lastPaymentError else {
            return unreadable("a PaymentIntent that did not fail")
        }
        return authorization(.declined(error.decline(requestID: nil)), intent, unit)
    }

    /// The buyer has to do something.
    func waiting(_ intent: PaymentIntent, _ unit: Unit) -> WebhookNews {
        guard intent.status == "requires_action", let action = intent.nextAction else {
            return unreadable("an action that it does not name")
        }
        return authorization(.actionRequired(action, Progress(reference: intent.id)), intent, unit)
    }

    /// What was held is released, because somebody asked for it or because its time ran out.
    ///
    /// A cancellation releases all that was held; it is given the amount of the intent, though less may have been
    /// held, or nothing.
    func canceled(_ intent: PaymentIntent, _ unit: Unit) -> WebhookNews {
        guard intent.status == "canceled", let amount = unit.minorUnits(intent.amount) else {
            return unreadable("a PaymentIntent that is not canceled")
        }
        let isLapse = intent.cancellation.reason == .expired
        let void = Notice.Happening.outcome(.void, .succeeded(Success(reference: intent.id, amount: amount)))
        return notice(
            isLapse ? .lapsed : void,
            intent: intent.id,
            attempt: intent.attempt,
            operation: isLapse ? nil : cause(besides: intent.operation),
            object: isLapse ? nil : intent.id,
            unit
        )
    }

    private func authorization(_ outcome: Outcome, _ intent: PaymentIntent, _ unit: Unit) -> WebhookNews {
        notice(
            .outcome(.authorize, outcome),
            intent: intent.id,
            attempt: intent.attempt,
            operation: intent.operation,
            object: nil,
            unit
        )
    }
}

extension StripeEventReader {
    /// Reads a charge of a PaymentIntent; one without is never ours.
    func charge(_ read: (JSON, LatestCharge, String, Unit) -> WebhookNews) -> WebhookNews {
        guard let json = event.object, let charge = LatestCharge(json), let code = json["currency"]?.stringValue else {
            return unreadable("no charge")
        }
        guard let intent = json["payment_intent"]?.stringValue else { return .nothing }
        guard let unit = Unit(code) else { return unreadable("a currency that is not taken") }
        return read(json, charge, intent, unit)
    }

    /// The amount is held; the charge, unlike its intent, knows until when and on which card.
    func held(_ json: JSON, _ charge: LatestCharge, _ intent: String, _ unit: Unit) -> WebhookNews {
        guard json["status"]?.stringValue == "succeeded", json["captured"]?.boolValue == false else { return .nothing }
        guard let amount = unit.minorUnits(charge.amount) else { return unreadable("no amount") }
        let success = Success(
            reference: intent,
            amount: amount,
            expiresAt: charge.captureBefore,
            network: charge.network,
            last4: charge.last4
        )
        return notice(
            .outcome(.authorize, .succeeded(success)),
            intent: intent,
            attempt: json["metadata"]?["attempt"]?.stringValue,
            operation: json["metadata"]?["operation"]?.stringValue,
            object: nil,
            unit
        )
    }

    /// The hold ran out.
    func lapsed(_ json: JSON, _ charge: LatestCharge, _ intent: String, _ unit: Unit) -> WebhookNews {
        notice(
            .lapsed,
            intent: intent,
            attempt: json["metadata"]?["attempt"]?.stringValue,
            operation: nil,
            object: nil,
            unit
        )
    }
}

/// News of money that goes back: refunds and disputes.
extension StripeEventReader {
    /// A refund, ours or the dashboard's.
    ///
    /// A failed one is told as reversed, whatever it was before: Stripe never lets a refund succeed after it failed,
    /// and our own request may have been answered with success. A refund that is not ours counts once money moves.
    var refund: WebhookNews {
        guard let refund = event.object.flatMap(StripeRefund.init) else { return unreadable("no refund") }
        let isOurs = refund.operation.flatMap { OperationID($0) } != nil
        guard let intent = refund.intent, isOurs || refund.movesMoney else { return .nothing }
        guard let unit = Unit(refund.currency), let amount = unit.minorUnits(refund.amount) else {
            return unreadable("no amount")
        }
        guard let happening = happening(refund, amount: amount) else { return unreadable("an undocumented status") }
        return notice(
            happening,
            intent: intent,
            attempt: refund.attempt,
            operation: refund.operation,
            object: refund.id,
            isOthers: !isOurs,
            unit
        )
    }

    private func happening(_ refund: StripeRefund, amount: Int64) -> Notice.Happening? {
        switch refund.status {
        case "succeeded": .outcome(.refund, .succeeded(Success(reference: refund.id, amount: amount)))
        case "pending", "requires_action": .outcome(.refund, .pending(Progress(reference: refund.id)))
        case "failed", "canceled": .reversed(.refund, refund.failure)
        default: nil
        }
    }
}

extension StripeEventReader {
    /// Reads a dispute of a PaymentIntent's charge, if it has come to the state that `state` finds in it.
    func dispute(_ state: (StripeDispute) -> DisputeNotice.State?) -> WebhookNews {
        guard let dispute = event.object.flatMap(StripeDispute.init) else { return unreadable("no dispute") }
        guard let intent = dispute.intent, let state = state(dispute) else { return .nothing }
        guard let unit = Unit(dispute.currency), let amount = unit.minorUnits(dispute.amount) else {
            return unreadable("no amount")
        }
        let news = DisputeNotice(
            state: state,
            amount: amount,
            reason: dispute.reason,
            respondBy: state == .opened ? dispute.respondBy : nil,
            fee: unit.minorUnits(dispute.fee)
        )
        return notice(.dispute(news), intent: intent, attempt: nil, operation: nil, object: dispute.id, unit)
    }

    /// Money was taken back for now.
    ///
    /// An inquiry (`warning_…`) takes nothing; if it becomes a dispute, the withdrawal of the money says so. The state
    /// may be ahead of the event, but the money was withdrawn all the same.
    func opened(_ dispute: StripeDispute) -> DisputeNotice.State? {
        switch dispute.status {
        case "needs_response", "under_review", "won", "lost": .opened
        default: nil
        }
    }

    /// It is decided.
    ///
    /// An inquiry that is closed, and a dispute that was prevented, decide nothing.
    func closed(_ dispute: StripeDispute) -> DisputeNotice.State? {
        switch dispute.status {
        case "won": .won
        case "lost": event.type == "charge.dispute.closed" ? .lost : nil
        default: nil
        }
    }
}
