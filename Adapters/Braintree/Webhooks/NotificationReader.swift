import Domain

/// Reads what a notification says of a payment.
///
/// Braintree tells by webhook what happens to a payment later, but not that it was authorized, captured, voided or
/// refunded. Source: "Webhook notification kinds", read in November 2026, and the samples of Braintree's own libraries.
struct NotificationReader {
    let notification: Notification

    /// What a notification says.
    enum News {
        /// Nothing of a payment of ours.
        case nothing
        /// One thing, and the currency of its amounts.
        case notice(Notice, Currency?)
        /// Something of a payment that cannot be read.
        case unreadable(String)
    }

    /// What the notification says.
    ///
    /// `transaction_settled` is left out because for a card it is never sent, and says no more than the capture's answer;
    /// `transaction_disbursed` and `disbursement` because settlement is read from reports.
    var news: News {
        switch notification.kind {
        case "dispute_opened": dispute(.opened)
        case "dispute_won": dispute(.won)
        case "dispute_lost", "dispute_accepted", "dispute_auto_accepted", "dispute_expired": dispute(.lost)
        case "refund_failed": refundFailed
        case "transaction_settlement_declined": settlementDeclined
        case "transaction_retried": unreadable("Braintree tried a declined payment again on its own")
        default: .nothing
        }
    }

    /// A notice about a payment.
    func notice(
        _ happening: Notice.Happening,
        payment: String,
        attempt: String? = nil,
        operation: String? = nil,
        object: String?,
        _ currency: Currency?
    ) -> News {
        let subject = Notice.Subject(
            attempt: attempt.flatMap { AttemptID($0) }?.text,
            operation: operation.flatMap { OperationID($0) }?.text,
            payment: payment,
            object: object
        )
        return .notice(Notice(about: subject, happening, at: notification.at), currency)
    }

    /// A sentence for a person who looks at the event.
    func unreadable(_ problem: String) -> News { .unreadable("\(notification.kind): \(problem)") }
}
