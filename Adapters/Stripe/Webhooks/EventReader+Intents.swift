import Domain
import StrictJSON

/// News of PaymentIntents and of the charges they made.
extension EventReader {
    func intent(_ read: (PaymentIntent, Unit) -> News) -> News {
        guard let intent = event.object.flatMap(PaymentIntent.init) else { return unreadable("no PaymentIntent") }
        guard let unit = Unit(intent.currency) else { return unreadable("a currency that is not taken") }
        return read(intent, unit)
    }

    /// The whole is held; an intent that was captured in part says so in another event.
    func held(_ intent: PaymentIntent, _ unit: Unit) -> News {
        guard intent.status == "requires_capture", (intent.amountReceived ?? 0) == 0 else { return .nothing }
        guard let amount = unit.minorUnits(intent.amountCapturable) else { return unreadable("no amount") }
        return authorization(.succeeded(Success(reference: intent.id, amount: amount)), intent, unit)
    }

    /// The amount is taken: by the confirmation itself, or by a capture, ours or the dashboard's.
    func taken(_ intent: PaymentIntent, _ unit: Unit) -> News {
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
    func failed(_ intent: PaymentIntent, _ unit: Unit) -> News {
        guard intent.status == "requires_payment_method", let error = intent.lastPaymentError else {
            return unreadable("a PaymentIntent that did not fail")
        }
        return authorization(.declined(error.decline(requestID: nil)), intent, unit)
    }

    /// The buyer has to do something.
    func waiting(_ intent: PaymentIntent, _ unit: Unit) -> News {
        guard intent.status == "requires_action", let action = intent.nextAction else {
            return unreadable("an action that it does not name")
        }
        return authorization(.actionRequired(action, Progress(reference: intent.id)), intent, unit)
    }

    /// What was held is released, because somebody asked for it or because its time ran out.
    ///
    /// A cancellation releases all that was held; it is given the amount of the intent, though less may have been
    /// held, or nothing.
    func canceled(_ intent: PaymentIntent, _ unit: Unit) -> News {
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

    private func authorization(_ outcome: Outcome, _ intent: PaymentIntent, _ unit: Unit) -> News {
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

extension EventReader {
    /// Reads a charge of a PaymentIntent; one without is never ours.
    func charge(_ read: (JSON, LatestCharge, String, Unit) -> News) -> News {
        guard let json = event.object, let charge = LatestCharge(json), let code = json["currency"]?.stringValue else {
            return unreadable("no charge")
        }
        guard let intent = json["payment_intent"]?.stringValue else { return .nothing }
        guard let unit = Unit(code) else { return unreadable("a currency that is not taken") }
        return read(json, charge, intent, unit)
    }

    /// The amount is held; the charge, unlike its intent, knows until when and on which card.
    func held(_ json: JSON, _ charge: LatestCharge, _ intent: String, _ unit: Unit) -> News {
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
    func lapsed(_ json: JSON, _ charge: LatestCharge, _ intent: String, _ unit: Unit) -> News {
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
