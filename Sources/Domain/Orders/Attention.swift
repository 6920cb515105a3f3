/// Something about an order that a person should look at.
///
/// It stands beside the status, never instead of it.
package struct Attention: Hashable, Sendable {
    /// Why a person should look.
    package enum Reason: String, Sendable, CaseIterable {
        /// Nobody has found out for a day what became of an operation.
        case unknownOutcome = "unknown_outcome"
        /// The PSP has worked on it for longer than it should; what waits for a step of the buyer's is not, until the step ends.
        case overdue
        /// A void or refund was refused for a reason we have no answer to.
        case compensationRefused = "compensation_refused"
        /// A capture failed for good after the order was accepted.
        case captureFailed = "capture_failed"
        /// The PSP says that it is done, and said that it was refused.
        case successAfterRefusal = "success_after_refusal"
        /// The PSP acted on another amount than it was asked to.
        case amountMismatch = "amount_mismatch"
        /// A refund that the PSP had taken on was refused, or one that had succeeded failed after all: the buyer does not
        /// have the money.
        case refundFailed = "refund_failed"
        /// A void or an authorization that had succeeded failed after all.
        case outcomeReversed = "outcome_reversed"
        /// More is given back, charged back or being refunded than was captured.
        case overRefunded = "over_refunded"
        /// More is captured, or being captured, than was authorized.
        case overCaptured = "over_captured"
        /// A PSP's webhook about the order was not told to it, or not wholly.
        case webhookProblem = "webhook_problem"
        /// The PSP, or somebody at it, voided a capture that had not settled: the buyer has all of it back.
        case captureVoided = "capture_voided"
        /// The PSP did again, under another name, what an operation of ours had asked of it once.
        case duplicateEffect = "duplicate_effect"
    }

    /// The payment it is about.
    package let payment: PaymentID
    /// The operation it is about.
    package let operation: OperationID
    /// Why.
    package let reason: Reason
    /// How much money is at risk, in minor units of the order's currency.
    package let amountAtRisk: Int64
    /// Since when.
    package let since: Timestamp
    /// The webhook that was not told to the order; the oldest, if there are several.
    package let webhook: WebhookID?

    /// Makes an item.
    package init(
        payment: PaymentID,
        operation: OperationID,
        reason: Reason,
        amountAtRisk: Int64,
        since: Timestamp,
        webhook: WebhookID? = nil
    ) {
        self.payment = payment
        self.operation = operation
        self.reason = reason
        self.amountAtRisk = amountAtRisk
        self.since = since
        self.webhook = webhook
    }
}

extension Attention: Comparable {
    /// The order in which an order has its items, whoever heard what first in a step: the oldest first, then by operation and
    /// reason, of which an order has one item each.
    package static func < (left: Attention, right: Attention) -> Bool {
        (left.since, left.operation, left.reason.rawValue) < (right.since, right.operation, right.reason.rawValue)
    }
}
