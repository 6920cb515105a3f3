import AdapterKit
import Domain
import StrictJSON

/// Reads what became of one call out of Stripe's replies.
struct StripeOutcomeReader {
    let call: Call
    let unit: StripeUnit
    /// The call's amount in Stripe's unit.
    let asked: Int64

    /// A fee in Stripe's unit; the amount is nil if there is no fee.
    struct Fee {
        var amount: Int64?
    }

    /// The fee in Stripe's unit; nil if Stripe cannot express it.
    func fee(_ minorUnits: Int64?) -> Fee? {
        guard let minorUnits else { return Fee(amount: nil) }
        return unit.amount(minorUnits).map { Fee(amount: $0) }
    }

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// The intent in the reply, if it is the one named, the attempt's, and of the call's currency.
    func intent(_ json: PaymentIntent?, named id: String) -> PaymentIntent? {
        guard let json, json.id == id, isOurs(json), json.currency == unit.code else { return nil }
        return json
    }

    /// Whether the intent is the attempt's: a reply with another one answers another request.
    func isOurs(_ intent: PaymentIntent) -> Bool {
        intent.attempt == call.attempt.text && (call.pspReference == nil || intent.id == call.pspReference)
    }
}

/// What became of an authorization.
extension StripeOutcomeReader {
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

    /// Reads the reply to making a Customer, by the same rule as a token's.
    func customer(_ reply: StripeReply) -> Tokenized {
        switch reply {
        case .object(let json, let repeatsKey):
            guard repeatsKey, json["object"]?.stringValue == "customer",
                let id = json["id"]?.stringValue.flatMap(ProtocolText.word), id.hasPrefix("cus_")
            else {
                return .outcome(.notSent(reason: "Stripe answered something else than the Customer asked for."))
            }
            return .token(id)
        case .refusal(let refusal): return .outcome(rejected(.configuration, refusal))
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
        case "canceled" where call.asksForStoredMethod:
            .succeeded(success(intent, amount: call.money.minorUnits, captured: 0, expiresAt: nil))
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
            last4: intent.charge?.last4,
            stored: stored(intent),
            networkTransactionIDs: networkTransactionIDs(intent)
        )
    }

    /// The payment method that was attached to the intent's Customer because of this payment, or that was charged.
    private func stored(_ intent: PaymentIntent) -> StoredMethod? {
        guard case .buyerStoring = call.initiation, intent.isForFutureUse, let method = intent.paymentMethod,
            let customer = intent.customer
        else {
            return call.chargedMethod(
                intent.paymentMethod,
                network: intent.charge?.network,
                last4: intent.charge?.last4,
                expiryMonth: intent.charge?.expiryMonth,
                expiryYear: intent.charge?.expiryYear
            )
        }
        return StoredMethod(
            token: Secret(method),
            customer: Secret(customer),
            network: intent.charge?.network,
            last4: intent.charge?.last4,
            expiryMonth: intent.charge?.expiryMonth,
            expiryYear: intent.charge?.expiryYear
        )
    }

    private func networkTransactionIDs(_ intent: PaymentIntent) -> [NetworkTransactionID] {
        guard call.initiation != .buyer, let charge = intent.charge, let text = charge.networkTransactionID else {
            return []
        }
        return [NetworkTransactionID(text, network: charge.network)].compactMap { $0 }
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

/// What a refused request means for the call.
extension StripeOutcomeReader {
    /// Reads a refusal.
    ///
    /// What the error says of the intent has the last word: an intent that holds or took money contradicts a refused
    /// authorization.
    func refusal(_ refusal: StripeRefusal) -> Outcome {
        if refusal.concernsKey { return rejected(.configuration, refusal) }
        let error = refusal.error
        guard isAnswered(by: refusal) else { return unknown("Stripe refused another request. \(refusal.sentence)") }
        if contradicts(error) { return unknown("Stripe refused, but its PaymentIntent went on. \(refusal.sentence)") }
        if isDecline(error) { return .declined(error.decline(requestID: refusal.requestID)) }
        if error.code == "payment_intent_unexpected_state" { return unexpectedState(refusal) }
        return rejected(reason(for: error), refusal)
    }

    /// Whether it is the call's request that was refused: by the request's key, which the reply repeats, by the intent in
    /// the error, or by the object that the error names.
    private func isAnswered(by refusal: StripeRefusal) -> Bool {
        if let intent = refusal.error.intent { return isOurs(intent) }
        return refusal.repeatsKey || call.pspReference.map(refusal.error.names) == true
    }

    /// Only what asks the issuer can be declined: an authorization or a capture.
    private func isDecline(_ error: StripeError) -> Bool {
        let isAttempt = error.kind == .card || error.code.map(StripeDeclines.failedAttempts.contains) == true
        switch call.kind {
        case .authorize: return isAttempt
        case .capture: return isAttempt && reason(for: error) == .configuration
        case .void, .refund: return false
        }
    }

    private func contradicts(_ error: StripeError) -> Bool {
        guard let status = error.intent?.status, case .authorize = call.kind else { return false }
        return ["requires_capture", "succeeded", "processing"].contains(status)
    }

    /// The operation does not fit the intent's state; the state says what happened instead.
    private func unexpectedState(_ refusal: StripeRefusal) -> Outcome {
        guard let intent = refusal.error.intent else {
            return unknown("The PaymentIntent's state does not allow this, and is not told. \(refusal.sentence)")
        }
        switch (call.kind, intent.status) {
        case (.capture, "succeeded"), (.void, "succeeded"):
            let captured = intent.amountReceived.flatMap { unit.minorUnits($0) }
            return .rejected(
                Rejection(
                    .alreadyCaptured,
                    code: refusal.error.tellingCode,
                    message: refusal.sentence,
                    captured: captured
                )
            )
        case (.capture, "canceled"), (.void, "canceled"), (.refund, "canceled"):
            return rejected(intent.cancellation.reason, refusal)
        case (.refund, "requires_capture"), (.refund, "processing"): return rejected(.notSettledYet, refusal)
        case (.capture, "requires_action"), (.capture, "requires_confirmation"),
            (.capture, "requires_payment_method"), (.refund, "requires_action"), (.refund, "requires_confirmation"),
            (.refund, "requires_payment_method"):
            return rejected(.unsupported, refusal)
        default: return unknown("The PaymentIntent is \(ProtocolText.word(intent.status) ?? "undocumented").")
        }
    }

    private func reason(for error: StripeError) -> Rejection.Reason {
        if isAmountTooLarge(error) { return .amountTooLarge }
        if error.code == "resource_missing", error.parameter == "payment_method", case .merchant = call.initiation {
            return .methodGone
        }
        return switch (error.code, call.kind) {
        case ("charge_already_captured", _): .alreadyCaptured
        case ("charge_expired_for_capture", _), ("capture_charge_authorization_expired", _): .expired
        case ("charge_already_refunded", .capture), ("charge_already_refunded", .void): .alreadyVoided
        case ("resource_missing", .capture), ("resource_missing", .void), ("resource_missing", .refund): .notFound
        case (let code?, _) where Self.unsupportedCodes.contains(code): .unsupported
        default: .configuration
        }
    }

    /// Whether more was asked for than can be captured, or than is left to refund.
    ///
    /// Of a refund Stripe has no code of its own for it ("Refund amount is greater than unrefunded amount on charge"),
    /// but it names the parameter; an amount that it cannot read has a code.
    private func isAmountTooLarge(_ error: StripeError) -> Bool {
        switch (call.kind, error.code) {
        case (.capture, "amount_too_large"), (.refund, "amount_too_large"), (.refund, "charge_already_refunded"): true
        case (.capture, nil): error.kind == .invalidRequest && error.parameter == "amount_to_capture"
        case (.refund, nil): error.kind == .invalidRequest && (error.parameter == "amount" || error.exceedsCharge)
        default: false
        }
    }

    func rejected(_ reason: Rejection.Reason, _ refusal: StripeRefusal) -> Outcome {
        .rejected(Rejection(reason, code: refusal.error.tellingCode, message: refusal.sentence))
    }

    /// Codes that refuse this payment rather than the account or the request.
    private static let unsupportedCodes: Set<String> = [
        "amount_too_large", "amount_too_small", "balance_insufficient", "capture_unauthorized_payment",
        "charge_already_refunded", "charge_disputed", "charge_exceeds_source_limit",
        "charge_exceeds_transaction_limit", "charge_not_refundable", "insufficient_funds", "invalid_charge_amount",
        "payment_intent_incompatible_payment_method", "payment_method_currency_mismatch",
        "payment_method_not_available", "payment_method_unactivated", "payment_method_unsupported_type",
        "refund_disputed_payment",
    ]
}
