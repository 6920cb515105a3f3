package import Domain

/// Where a gateway's order stands in Wallet's words: a pure function of the order and its fulfillments.
///
/// | order | status | payment |
/// |---|---|---|
/// | `requires_action`, `processing` | open | pending |
/// | `authorized`, `partially_captured` | open | authorized |
/// | `paid`, `partially_paid`, `partially_refunded` | open until every fulfillment is closed, then completed | paid |
/// | `refunded` | completed | refunded |
/// | `compensating`, `failed`, `canceled` | cancelled | voided, or declined where nothing was ever held |
///
/// A refund closes nothing: goods that are on their way stay on their way.
package struct WalletOrderStanding: Hashable, Sendable {
    /// Where the order stands.
    package let status: WalletOrderStatus
    /// Where its payment stands.
    package let paymentStatus: WalletPaymentStatus
    /// A sentence on it, where the status does not say it all.
    package let statusDescription: String?
    /// The amount the buyer confirmed, or, once no more can be captured, what was; in minor units.
    package let total: Int64

    /// The standing of an order, or of one payment of it as an order of its own.
    ///
    /// - Parameters:
    ///   - order: the order.
    ///   - payment: the payment that counts alone; nil for the whole checkout.
    ///   - merchantNames: what the buyer knows each payment's submerchant by; its external identifier if absent.
    ///   - fulfillments: what is shipped or picked up of it.
    package init(
        _ order: Order,
        of payment: PaymentID? = nil,
        merchantNames: [PaymentID: String] = [:],
        fulfillments: [WalletFulfillment]
    ) {
        let payments = order.payments.filter { payment == nil || $0.id == payment }
        let asked = payment == nil ? order.amount.minorUnits : payments.reduce(0) { $0 + $1.amount }
        let isAccepted = order.decision.state == .accepted
        let sold = isAccepted ? payments.filter(order.counts) : payments
        guard !isAccepted || !sold.isEmpty else {
            self.init(calledOff: payments, status: .failed, asked: asked)
            return
        }
        var part = order
        part.payments = payments
        let status = part.status
        let isDelivered = fulfillments.allSatisfy(\.isClosed)
        // What a refund does not change: whether more can be captured, and how much was.
        let isCapturable = sold.contains(where: Self.isCapturable)
        let captured = sold.reduce(0) { $0 + $1.captured }
        let isFinal = isAccepted && captured > 0 && !isCapturable
        let missing = isFinal && captured < asked ? Self.missing(payments, sold, merchantNames) : nil
        let total = isFinal ? min(asked, captured) : asked
        switch status {
        case .requiresAction, .processing:
            self.init(.open, .pending, Self.confirming, asked)
        case .authorized, .partiallyCaptured:
            self.init(.open, .authorized, nil, asked)
        case .paid, .partiallyPaid, .partiallyRefunded:
            self.init(isDelivered && !isCapturable ? .completed : .open, .paid, missing, total)
        case .refunded:
            self.init(.completed, .refunded, missing, total)
        case .compensating, .failed, .canceled:
            self.init(calledOff: payments, status: status, asked: asked)
        }
    }

    private init(
        _ status: WalletOrderStatus,
        _ paymentStatus: WalletPaymentStatus,
        _ statusDescription: String?,
        _ total: Int64
    ) {
        self.status = status
        self.paymentStatus = paymentStatus
        self.statusDescription = statusDescription
        self.total = total
    }

    private init(calledOff payments: [Payment], status: OrderStatus, asked: Int64) {
        let wasHeld = payments.contains { $0.authorizedAt != nil || $0.captured > 0 }
        let reason = status == .canceled ? Self.canceled : wasHeld ? Self.released : Self.declined
        self.init(.cancelled, wasHeld ? .voided : .declined, reason, asked)
    }

    private static func isCapturable(_ payment: Payment) -> Bool {
        switch payment.state {
        case .authorized, .capturing: true
        case .captured: payment.held > 0
        default: false
        }
    }

    /// Which submerchants' parts were not charged, or not in full.
    private static func missing(
        _ payments: [Payment],
        _ sold: [Payment],
        _ names: [PaymentID: String]
    ) -> String? {
        func text(_ payments: [Payment]) -> String {
            payments.map { names[$0.id] ?? $0.externalIdentifier }.joined(separator: ", ")
        }
        let isSold = Set(sold.map(\.id))
        let uncharged = payments.filter { !isSold.contains($0.id) || $0.captured == 0 }
        if !uncharged.isEmpty { return "\(notCharged)\(text(uncharged))" }
        let partly = payments.filter { $0.captured < $0.amount }
        return partly.isEmpty ? nil : "\(chargedInPart)\(text(partly))"
    }

    /// What an undecided order says; a key of localisations like every sentence below.
    package static let confirming = "Confirming with the merchants"
    /// What an order says that was refused with nothing held.
    package static let declined = "The payment was declined"
    /// What an order says that was refused after something had been held.
    package static let released = "The order did not go through; nothing is charged"
    /// What an order says that was called off.
    package static let canceled = "The order was canceled"
    /// What stands before the names of those whose parts were not charged.
    package static let notCharged = "Not charged: "
    /// What stands before the names of those whose parts were charged in part.
    package static let chargedInPart = "Charged in part: "
}

extension WalletTransactionStatus {
    /// The status of a payment's purchase.
    package init(_ state: PaymentState) {
        self =
            switch state {
            case .created, .authorizing, .requiresAction, .pending, .unresolved: .pending
            case .authorized, .capturing: .approved
            case .captured: .completed
            case .declined, .rejected, .notSent, .captureFailed: .failed
            case .voiding, .voided, .expired: .cancelled
            }
    }
}

extension WalletOrderPayment {
    /// What Wallet shows of a payment: what was captured of it, or asked for, and each refund that succeeded.
    ///
    /// - Parameters:
    ///   - payment: the payment.
    ///   - merchantName: what the buyer knows its submerchant by.
    ///   - placedAt: when the order was placed, which is when the buyer paid.
    ///   - receipts: the names of receipts' files.
    package init(
        _ payment: Payment,
        merchantName: String,
        placedAt: Timestamp,
        receipts: [WalletOrderInput.Transaction: String] = [:]
    ) {
        let refunds = payment.attempts.flatMap(\.operations)
            .filter { $0.givesBack && $0.state == .succeeded && $0.doneAmount > 0 }
            .map { operation in
                Refund(
                    amount: operation.doneAmount,
                    at: max(placedAt, operation.succeededAt ?? operation.createdAt),
                    receipt: operation.refund.flatMap { receipts[.refund($0, payment.id)] }
                )
            }
        self.init(
            id: payment.id,
            merchantName: merchantName,
            amount: payment.captured > 0 ? payment.captured : payment.amount,
            status: WalletTransactionStatus(payment.state),
            createdAt: placedAt,
            refunds: refunds.sorted { $0.at < $1.at },
            receipt: receipts[.purchase(payment.id)]
        )
    }
}
