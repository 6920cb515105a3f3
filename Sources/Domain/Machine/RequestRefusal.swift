/// Why an order does not do what somebody asked for.
///
/// Nothing was changed.
package struct RequestRefusal: Error, Hashable, Sendable {
    /// A stable code; its text is what callers compare.
    package enum Code: String, Sendable, CaseIterable {
        /// The order, or the payment, is in no state to be captured.
        case notCapturable = "not_capturable"
        /// The order, or the payment, is in no state to be canceled.
        case notCancelable = "not_cancelable"
        /// The order, or the payment, is in no state to be refunded.
        case notRefundable = "not_refundable"
        /// Captures are under way.
        case captureInProgress = "capture_in_progress"
        /// Something is captured already.
        case alreadyCaptured = "already_captured"
        /// The hold has lapsed.
        case authorizationExpired = "authorization_expired"
        /// More than is held and not claimed by another capture.
        case captureExceedsAuthorized = "capture_exceeds_authorized"
        /// The PSP captures all or nothing.
        case partialCaptureUnsupported = "partial_capture_unsupported"
        /// The PSP captures once.
        case multipleCapturesUnsupported = "multiple_captures_unsupported"
        /// An all-or-nothing order is captured as a unit.
        case captureInPart = "capture_in_part"
        /// An amount alone does not say which of several payments it comes from.
        case allocationRequired = "allocation_required"
        /// More than is captured and neither refunded, being refunded nor charged back.
        case refundExceedsCaptured = "refund_exceeds_captured"
        /// The order has no such payment.
        case unknownPayment = "unknown_payment"
        /// A payment is named twice.
        case repeatedPayment = "repeated_payment"
        /// The caller may not release what is held of an order of which something is captured.
        case insufficientScope = "insufficient_scope"
        /// An amount is not above zero, or nothing is named.
        case invalidAmount = "invalid_amount"
        /// The buyer has nothing to do.
        case actionNotRequired = "action_not_required"
        /// The order has no such operation.
        case unknownOperation = "unknown_operation"
        /// It is known already what became of the operation.
        case operationSettled = "operation_settled"
        /// An instance has the operation in hand: its answer may come any moment.
        case operationInFlight = "operation_in_flight"
        /// Nothing of the order rests in doubt or after a refusal.
        case nothingToRetry = "nothing_to_retry"
        /// The order is in no state for a hold to be let go of on request.
        case notReleasable = "not_releasable"
        /// Nothing is held.
        case nothingHeld = "nothing_held"
        /// What is held is being released.
        case releaseInProgress = "release_in_progress"
        /// Without the payments the order would be one that its policy does not accept.
        case policyUnsatisfied = "policy_unsatisfied"
        /// The PSP lets go of nothing that it captured a part of.
        case releaseUnsupported = "release_unsupported"
        /// More than is captured and not charged back.
        case disputeExceedsCaptured = "dispute_exceeds_captured"
        /// The dispute is decided already.
        case disputeDecided = "dispute_decided"
        /// What the PSP took for the dispute is posted already, from its settlement file.
        case feeSettled = "fee_settled"
        /// The PSP's name for it is known with another amount or state, or as something else.
        case referenceKnown = "reference_known"
        /// Without the PSP's name it may be another one than what is known without a name.
        case referenceRequired = "reference_required"
    }

    /// The code.
    package let code: Code
    /// A sentence for the caller's developer.
    package let detail: String
    /// The payment it is about; nil for the whole order.
    package let payment: PaymentID?
    /// What could have been asked for, in minor units, where an amount was too much.
    package let available: Int64?

    /// Makes a refusal.
    package init(_ code: Code, _ detail: String, payment: PaymentID? = nil, available: Int64? = nil) {
        self.code = code
        self.detail = detail
        self.payment = payment
        self.available = available
    }
}

extension OrderMachine {
    /// The payment that a request names.
    ///
    /// - Parameters:
    ///   - id: which one.
    ///   - named: what the request named before it.
    /// - Returns: the payment.
    /// - Throws: ``RequestRefusal`` if the order has none of that name, or it is named twice.
    func payment(_ id: PaymentID, besides named: [PaymentID] = []) throws(RequestRefusal) -> Payment {
        guard let payment = order.payments.first(where: { $0.id == id }) else {
            throw RequestRefusal(.unknownPayment, "The order has no such payment.", payment: id)
        }
        guard !named.contains(id) else {
            throw RequestRefusal(.repeatedPayment, "A payment is named twice.", payment: id)
        }
        return payment
    }

    /// The payments that a request names, each once, every one of which passes a check.
    ///
    /// - Returns: the payments, in the order in which they are named.
    /// - Throws: ``RequestRefusal`` for the first that does not.
    func payments(
        _ ids: [PaymentID],
        passing check: (Payment) throws(RequestRefusal) -> Void
    ) throws(RequestRefusal) -> [Payment] {
        var payments: [Payment] = []
        for id in ids {
            let payment = try payment(id, besides: payments.map(\.id))
            try check(payment)
            payments.append(payment)
        }
        return payments
    }
}
