import AdapterKit
import Domain

/// What a refused request means for the call.
extension OutcomeReader {
    /// Reads the refusal of a payment request.
    func refusal(_ refusal: CheckoutRefusal) -> Outcome {
        guard refusal.status == 422 else { return rejected(.configuration, refusal) }
        if let code = refusal.codes.first(where: { CheckoutDeclines.category(ofError: $0) != nil }),
            let category = CheckoutDeclines.category(ofError: code)
        {
            return .declined(Decline(code: code, category: category, message: refusal.sentence))
        }
        return rejected(reason(of: refusal), refusal)
    }

    func rejected(_ reason: Rejection.Reason, _ refusal: CheckoutRefusal) -> Outcome {
        .rejected(Rejection(reason, code: refusal.tellingCode, message: refusal.sentence))
    }

    /// Why an action was refused, as far as the payment tells.
    ///
    /// A 403 although the payment's state allows the action is doubt: something may be on its way that does not show
    /// yet.
    func explanation(of refusal: CheckoutRefusal, by reply: CheckoutReply, of id: String) -> Outcome {
        guard case .accepted(200, let json) = reply, let payment = ours(CheckoutPayment(json)), payment.id == id else {
            return unknown("The action was refused, and the payment cannot be read. \(refusal.sentence)")
        }
        switch obstacle(in: payment) {
        case .reason(let reason):
            let message = "Checkout.com's payment is \(payment.status). \(refusal.sentence)"
            return .rejected(Rejection(reason, code: refusal.tellingCode, message: message))
        case .none where refusal.status == 422: return rejected(self.reason(of: refusal), refusal)
        case .none: return unknown("The action was refused, but the payment allows it. \(refusal.sentence)")
        case .undocumented: return unknown("The payment is in a state that Checkout.com does not document.")
        }
    }

    private enum Obstacle {
        case reason(Rejection.Reason)
        case none
        case undocumented
    }

    private func obstacle(in payment: CheckoutPayment) -> Obstacle {
        switch payment.status {
        case "Pending": .reason(.unsupported)
        case "Authorized": isRefund ? .reason(.notSettledYet) : .none
        case "Partially Captured": isRefund ? refundObstacle(payment) : releaseObstacle(payment)
        case "Captured", "Partially Refunded": isRefund ? refundObstacle(payment) : .reason(.alreadyCaptured)
        case "Refunded": .reason(isRefund ? .amountTooLarge : .alreadyCaptured)
        case "Voided", "Canceled": .reason(.alreadyVoided)
        // Nothing is held, which is all that a void wants.
        case "Declined": .reason(call.kind == .void ? .alreadyVoided : .unsupported)
        case "Expired": .reason(.expired)
        default: .undocumented
        }
    }

    /// The rest of a payment that is captured in part: still held, less than is to be captured, or released.
    private func releaseObstacle(_ payment: CheckoutPayment) -> Obstacle {
        let left = call.kind == .void ? payment.balances?.availableToVoid : payment.balances?.availableToCapture
        guard let left else { return .none }
        if left == 0 { return .reason(.alreadyCaptured) }
        return call.kind != .void && left < asked ? .reason(.amountTooLarge) : .none
    }

    private func refundObstacle(_ payment: CheckoutPayment) -> Obstacle {
        guard let left = payment.balances?.availableToRefund else { return .none }
        return left < asked ? .reason(.amountTooLarge) : .none
    }

    private var isRefund: Bool { if case .refund = call.kind { true } else { false } }

    private func reason(of refusal: CheckoutRefusal) -> Rejection.Reason {
        if isChange, refusal.codes.contains(where: Self.amountCodes.contains) { return .amountTooLarge }
        return refusal.codes.contains(where: Self.unsupportedCodes.contains) ? .unsupported : .configuration
    }

    /// Whether something is done to a payment that exists.
    private var isChange: Bool { if case .authorize = call.kind { false } else { true } }

    /// More than is authorized, or than is left to capture or to refund.
    private static let amountCodes: Set<String> = [
        "amount_exceeds_balance", "capture_value_greater_than_authorized",
        "capture_value_greater_than_remaining_authorized", "refund_amount_exceeds_balance",
    ]

    /// Codes that refuse this payment rather than the account or the request.
    private static let unsupportedCodes: Set<String> = [
        "action_failure_limit_exceeded", "amount_exceeds_balance", "amount_invalid", "amount_limit_exceeded",
        "capture_value_greater_than_authorized", "capture_value_greater_than_remaining_authorized", "currency_invalid",
        "payment_method_not_supported", "refund_amount_exceeds_balance", "token_type_invalid",
    ]
}
