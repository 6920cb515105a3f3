/// Something that the marketplace or a merchant is told about an order once the step that made it is stored.
///
/// What they are told of payouts and agreements comes about without an order, see ``PayoutSeries`` and ``AgreementStep``.
package struct Announcement: Hashable, Sendable {
    /// Who is told.
    package enum Audience: Hashable, Sendable {
        /// The marketplace, with the order as it reads it.
        case marketplace
        /// One merchant, with its own payment and nothing else.
        case merchant(MerchantID)
    }

    /// What is told; the raw value is the callback's `type`.
    package enum Kind: String, Sendable, CaseIterable {
        /// The checkout may show success.
        case orderAccepted = "order.accepted"
        /// Nothing is sold, and everything is undone.
        case orderRefused = "order.refused"
        /// The buyer has to do something first.
        case orderRequiresAction = "order.requires_action"
        /// Everything that is to be captured is captured.
        case orderPaid = "order.paid"
        /// It was accepted, then called off with nothing captured.
        case orderCanceled = "order.canceled"
        /// A part of what was captured, or all of it, was given back.
        case orderRefunded = "order.refunded"
        /// A person should look.
        case orderAttentionRequired = "order.attention_required"
        /// The first authorization is about to lapse.
        case orderAuthorizationExpiring = "order.authorization_expiring"
        /// An amount is held on the buyer's card.
        case paymentAuthorized = "payment.authorized"
        /// It was taken, whole or in part.
        case paymentCaptured = "payment.captured"
        /// It could not be taken, or was taken and came back.
        case paymentCaptureFailed = "payment.capture_failed"
        /// What was held was released, and nothing of it taken.
        case paymentVoided = "payment.voided"
        /// A part of what was taken, or all of it, was given back.
        case paymentRefunded = "payment.refunded"
        /// What was given back came back, whole or in part.
        case paymentRefundFailed = "payment.refund_failed"
        /// The buyer's bank takes a charge back for now.
        case disputeOpened = "dispute.opened"
        /// The merchant keeps the charge.
        case disputeWon = "dispute.won"
        /// The buyer keeps the charge.
        case disputeLost = "dispute.lost"
        /// A merchant was paid what it is owed, or a part of it.
        case payoutPaid = "payout.paid"
        /// A payout came back, or never left; the merchant is owed it again.
        case payoutFailed = "payout.failed"
        /// The buyer has paid under an agreement for the first time, and it can be charged.
        case agreementActive = "agreement.active"
        /// What is charged under an agreement is another card, or the same with another expiry.
        case agreementUpdated = "agreement.updated"
        /// An agreement cannot be charged for now.
        case agreementSuspended = "agreement.suspended"
        /// An agreement is over.
        case agreementEnded = "agreement.ended"
    }

    /// Its identifier, which every try to deliver it carries.
    package let id: CallbackID
    /// Who is told.
    package let audience: Audience
    /// What is told.
    package let kind: Kind
    /// The payment it is about; nil for one about the whole order.
    package let payment: PaymentID?
    /// The dispute it is about.
    package let dispute: DisputeID?
    /// Its number among what the marketplace is told of the order, or the merchant of the payment: from 1 without gaps.
    package let sequence: Int64
    /// When it came about.
    package let at: Timestamp

    /// Makes an announcement.
    package init(
        _ id: CallbackID,
        _ kind: Kind,
        to audience: Audience,
        payment: PaymentID?,
        dispute: DisputeID?,
        sequence: Int64,
        at: Timestamp
    ) {
        self.id = id
        self.kind = kind
        self.audience = audience
        self.payment = payment
        self.dispute = dispute
        self.sequence = sequence
        self.at = at
    }
}
