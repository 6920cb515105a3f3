import AdapterKit
import Domain
import StrictJSON

/// Reads what became of one call out of Checkout.com's replies.
struct CheckoutOutcomeReader {
    let call: Call
    let unit: CheckoutUnit
    /// The call's amount in Checkout.com's unit; 0 for a void, which names none.
    let asked: Int64
    /// What else the attempt's request made, as a search found it: payments over the whole amount, or a part.
    var surplus: [SurplusPayment] = []

    /// A commission in Checkout.com's unit; the amount is nil if there is none.
    struct Commission {
        var amount: Int64?
    }

    /// The commission in Checkout.com's unit; nil if it cannot express it.
    func commission(_ minorUnits: Int64?) -> Commission? {
        guard let minorUnits else { return Commission(amount: nil) }
        return unit.amount(minorUnits).map { Commission(amount: $0) }
    }

    /// Doubt about this reply, in a sentence.
    func unknown(_ reason: String) -> Outcome { .unknown(reason: reason) }

    /// The payment if it is the attempt's, and of the call's currency where it tells one.
    func ours(_ payment: CheckoutPayment?) -> CheckoutPayment? {
        guard let payment, (payment.currency ?? unit.code) == unit.code,
            payment.reference == call.attempt.text
        else { return nil }
        return payment
    }

    /// The decline of a response code.
    static func decline(_ responseCode: String?, _ advice: CheckoutAdvice?) -> Decline {
        let code = responseCode.flatMap(ProtocolText.word)
        let own = code.flatMap(CheckoutDeclines.category(_:)) ?? .generic
        let recommended = advice?.recommendation.flatMap(CheckoutDeclines.category(recommended:))
        let parts = [
            ("response code", code), ("recommendation", advice?.recommendation),
            ("merchant advice", advice?.merchantAdvice),
        ]
        let words = parts.compactMap { name, value in value.map { "\(name) \($0)" } }
        return Decline(
            code: code ?? "declined",
            category: own == .generic ? recommended ?? .generic : own,
            message: "Checkout.com declined" + (words.isEmpty ? "." : " (\(words.joined(separator: ", ")))."),
            advice: retryAdvice(code, advice)
        )
    }

    /// Whether and when it may be tried again: a consent that was taken back, then what Mastercard says, then what
    /// Checkout.com recommends.
    private static func retryAdvice(_ code: String?, _ advice: CheckoutAdvice?) -> Decline.RetryAdvice? {
        if let code, CheckoutDeclines.revocations.contains(code) { return .revoked }
        return advice?.merchantAdvice.flatMap { Decline.RetryAdvice(mastercard: $0) }
            ?? (advice?.recommendation == "03" ? .never : nil)
    }
}

/// What became of an authorization.
extension CheckoutOutcomeReader {
    /// A token made of an encrypted one, or what the operation ends with instead.
    enum Tokenized {
        case token(String)
        case outcome(Outcome)
    }

    /// Reads the reply to making a token.
    ///
    /// Whatever it says, nothing that can move money has been sent.
    func token(_ reply: CheckoutReply) -> Tokenized {
        switch reply {
        case .accepted(let status, let json):
            guard status == 201, let token = json["token"]?.stringValue, token.hasPrefix("tok_") else {
                return .outcome(.notSent(reason: "Checkout.com answered something else than the token asked for."))
            }
            return .token(token)
        case .refusal(let refusal): return .outcome(rejected(.configuration, refusal))
        case .doubt(let reason): return .outcome(.notSent(reason: reason))
        }
    }

    /// Reads the reply to requesting the payment: 201 is processed, 202 is not finished.
    func authorization(_ reply: CheckoutReply, capture: Bool) -> Outcome {
        switch reply {
        case .accepted(let status, let json):
            guard let payment = ours(CheckoutPayment(json)) else {
                return unknown("Checkout.com answered something else than the payment.")
            }
            return switch (status, payment.status) {
            case (201, "Authorized"), (201, "Captured"): approved(payment, capture: capture)
            case (201, "Declined"): declined(payment)
            case (202, "Pending"): waiting(payment)
            default: unknown("HTTP \(status) with a status that Checkout.com does not document for it.")
            }
        case .refusal(let refusal): return self.refusal(refusal)
        case .doubt(let reason): return unknown(reason)
        }
    }

    private func approved(_ payment: CheckoutPayment, capture: Bool) -> Outcome {
        guard payment.isApproved == true, payment.responseCode?.hasPrefix("10") == true else {
            return unknown("Checkout.com's payment is authorized but not approved.")
        }
        return payment.status == "Captured" ? taken(payment) : held(payment, capture: capture)
    }

    private func declined(_ payment: CheckoutPayment) -> Outcome {
        guard payment.isApproved == false, payment.currency == unit.code, isAsked(payment),
            let code = payment.responseCode, CheckoutDeclines.category(code) != nil
        else { return unknown("Checkout.com's payment is declined without what Checkout.com documents.") }
        return .declined(Self.decline(code, payment.advice))
    }

    /// A payment that waits for the buyer, or for something else.
    func waiting(_ payment: CheckoutPayment) -> Outcome {
        let progress = Progress(reference: payment.id)
        return payment.redirectURL.map { .actionRequired(NextAction(kind: .redirect, url: $0), progress) }
            ?? .pending(progress)
    }

    /// A payment that holds what was approved.
    ///
    /// A sale in one call is captured a little later by Checkout.com itself, so until then it is not done.
    func held(_ payment: CheckoutPayment, capture: Bool) -> Outcome {
        guard payment.currency == unit.code, isAsked(payment), let amount = payment.approvedAmount,
            (1...asked).contains(amount), let minorUnits = unit.minorUnits(amount)
        else { return unknown("The payment holds an amount that was not asked for.") }
        if capture { return .pending(Progress(reference: payment.id)) }
        return .succeeded(success(payment, amount: minorUnits, captured: 0, expiresAt: payment.expiresAt))
    }

    /// A payment of which something was captured; the balances say how much.
    func taken(_ payment: CheckoutPayment) -> Outcome {
        guard payment.currency == unit.code, isAsked(payment), let balances = payment.balances,
            (1...asked).contains(balances.authorized), (1...balances.authorized).contains(balances.captured),
            let amount = unit.minorUnits(balances.authorized), let captured = unit.minorUnits(balances.captured)
        else { return unknown("The payment took an amount that was not asked for, or does not tell it.") }
        return .succeeded(success(payment, amount: amount, captured: captured, expiresAt: payment.expiresAt))
    }

    /// Whether the payment was asked for with the call's amount; what was approved may be less.
    func isAsked(_ payment: CheckoutPayment) -> Bool {
        guard let amount = payment.amount else { return false }
        return amount <= asked && (payment.amountRequested ?? asked) == asked
    }

    func success(
        _ payment: CheckoutPayment,
        amount: Int64,
        captured: Int64,
        expiresAt: Timestamp?
    ) -> Success {
        var success = Success(
            reference: payment.id,
            amount: amount,
            capturedAmount: captured,
            expiresAt: expiresAt,
            network: payment.network,
            last4: payment.last4,
            stored: stored(payment),
            networkTransactionIDs: networkTransactionIDs(payment)
        )
        success.surplus = surplus
        return success
    }

    /// The source that was stored with the payment, or that was charged.
    private func stored(_ payment: CheckoutPayment) -> StoredMethod? {
        guard case .buyerStoring = call.initiation, let source = payment.source else {
            return call.chargedMethod(
                payment.source,
                network: payment.network,
                last4: payment.last4,
                expiryMonth: payment.expiryMonth,
                expiryYear: payment.expiryYear
            )
        }
        return StoredMethod(
            token: Secret(source),
            customer: payment.customer.map { Secret($0) },
            network: payment.network,
            last4: payment.last4,
            expiryMonth: payment.expiryMonth,
            expiryYear: payment.expiryYear
        )
    }

    private func networkTransactionIDs(_ payment: CheckoutPayment) -> [NetworkTransactionID] {
        guard call.initiation != .buyer, let text = payment.schemeID else { return [] }
        return [NetworkTransactionID(text, network: payment.network)].compactMap { $0 }
    }
}

/// What a refused request means for the call.
extension CheckoutOutcomeReader {
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
            let tells = [.alreadyVoided, .alreadyCaptured, .expired].contains(reason)
            let captured = tells ? payment.balances.flatMap { unit.minorUnits($0.captured) } : nil
            return .rejected(
                Rejection(reason, code: refusal.tellingCode, message: message, captured: captured)
            )
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
        case "Partially Captured", "Captured", "Partially Refunded":
            isRefund ? refundObstacle(payment) : releaseObstacle(payment)
        case "Refunded": isRefund ? .reason(.amountTooLarge) : releaseObstacle(payment)
        case "Voided", "Canceled": .reason(.alreadyVoided)
        // Nothing is held, which is all that a void wants.
        case "Declined": .reason(call.kind == .void ? .alreadyVoided : .unsupported)
        case "Expired": .reason(.expired)
        default: .undocumented
        }
    }

    /// The rest of a payment of which something was captured: still held, less than is to be captured, or released.
    private func releaseObstacle(_ payment: CheckoutPayment) -> Obstacle {
        let left = call.kind == .void ? payment.balances?.availableToVoid : payment.balances?.availableToCapture
        guard let left else { return payment.status == "Partially Captured" ? .none : .reason(.alreadyCaptured) }
        guard left == 0 else { return call.kind != .void && left < asked ? .reason(.amountTooLarge) : .none }
        guard let balances = payment.balances else { return .reason(.alreadyCaptured) }
        // What is neither captured nor said to be released may be captured by something that is on its way.
        let isAllTold = balances.voided.map { balances.captured + $0 >= balances.authorized }
        if case .capture = call.kind, balances.captured < asked {
            return isAllTold == true ? .reason(.alreadyVoided) : .none
        }
        return call.kind == .void && isAllTold == false ? .none : .reason(.alreadyCaptured)
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
