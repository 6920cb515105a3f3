import AdapterKit
import Domain

/// What a refused request means for the call.
extension OutcomeReader {
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
        case (.capture, "succeeded"), (.void, "succeeded"): return rejected(.alreadyCaptured, refusal)
        case (.capture, "canceled"), (.void, "canceled"), (.refund, "canceled"):
            return rejected(intent.cancellation.reason, refusal)
        case (.refund, "requires_capture"), (.refund, "processing"): return rejected(.notSettledYet, refusal)
        case (.capture, "requires_action"), (.capture, "requires_confirmation"),
            (.capture, "requires_payment_method"), (.refund, "requires_action"), (.refund, "requires_confirmation"),
            (.refund, "requires_payment_method"):
            return rejected(.unsupported, refusal)
        default: return unknown("The PaymentIntent is \(StripeError.word(intent.status) ?? "undocumented").")
        }
    }

    private func reason(for error: StripeError) -> Rejection.Reason {
        if isAmountTooLarge(error) { return .amountTooLarge }
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
