import AdapterKit
import Domain

/// The envelope of a notification.
struct Notification {
    /// The kind, as Braintree names it.
    var kind: String
    /// When Braintree made it.
    var at: Timestamp
    /// When Braintree made it, as it is written.
    var time: String
    /// What it is about: a dispute, a transaction, a disbursement; nil if it is about nothing.
    var subject: XMLElement?

    /// Reads the document; nil if it is no notification.
    init?(_ document: [UInt8]) {
        guard let root = try? XMLReader.read(document), root.name == "notification",
            let kind = root.value("kind"), Word(kind) != nil, let time = root.value("timestamp"),
            let at = Timestamp(rfc3339: time), let subject = root["subject"]
        else { return nil }
        self.kind = kind
        self.at = at
        self.time = time
        self.subject = subject.children.count == 1 ? subject.children.first : nil
    }

    /// The identifier of what it is about.
    var object: String? { subject?.value("id").flatMap { Word.isIdentifier($0) ? $0 : nil } }
}

/// Reads what a notification says of a payment.
///
/// Braintree tells by webhook what happens to a payment later, but not that it was authorized, captured, voided or
/// refunded. Source: "Webhook notification kinds", read in November 2026, and the samples of Braintree's own libraries.
struct BraintreeEventReader {
    let notification: Notification

    /// What the notification says.
    ///
    /// `transaction_settled` is left out because for a card it is never sent, and says no more than the capture's answer;
    /// `transaction_disbursed` and `disbursement` because settlement is read from reports.
    var news: WebhookNews {
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
    ) -> WebhookNews {
        let subject = Notice.Subject(
            attempt: attempt.flatMap { AttemptID($0) }?.text,
            operation: operation.flatMap { OperationID($0) }?.text,
            payment: payment,
            object: object
        )
        return .notice(Notice(about: subject, happening, at: notification.at), currency)
    }

    /// A sentence for a person who looks at the event.
    func unreadable(_ problem: String) -> WebhookNews { .unreadable("\(notification.kind): \(problem)") }
}

/// News of disputes, and of refunds and captures that failed later.
extension BraintreeEventReader {
    /// A dispute that has come to this state.
    ///
    /// A retrieval only asks for information, and takes nothing. Of one that is won in part, what was not won is lost.
    func dispute(_ state: DisputeNotice.State) -> WebhookNews {
        guard let dispute = notification.subject, dispute.name == "dispute", let id = notification.object,
            let transaction = dispute["transaction"], let payment = transaction.value("id"),
            let kind = dispute.value("kind")
        else { return unreadable("no dispute") }
        guard kind != "retrieval" else { return .nothing }
        guard kind == "chargeback" || kind == "pre_arbitration" else { return unreadable("a kind that is not known") }
        guard let amount = amount(dispute.value("amount-disputed") ?? dispute.value("amount"), of: dispute) else {
            return unreadable("no amount")
        }
        guard amount.minorUnits > 0 else { return .nothing }
        var lost = state == .won ? 0 : amount.minorUnits
        if state == .won, let won = dispute.value("amount-won") {
            guard let won = self.amount(won, of: dispute), 1...amount.minorUnits ~= won.minorUnits else {
                return unreadable("an amount won that is none of the disputed amount")
            }
            lost = amount.minorUnits - won.minorUnits
        }
        let isLostInPart = state == .won && lost > 0
        let news = DisputeNotice(
            state: isLostInPart ? .lost : state,
            amount: isLostInPart ? lost : amount.minorUnits,
            disputed: isLostInPart ? amount.minorUnits : nil,
            reason: dispute.value("reason").flatMap(Word.init)?.text,
            respondBy: state == .opened ? dispute.value("reply-by-date").flatMap(Timestamp.init(date:)) : nil
        )
        return notice(
            .dispute(news),
            payment: payment,
            attempt: transaction.value("order-id"),
            object: id,
            amount.currency
        )
    }

    /// A refund that was accepted, and then came to nothing.
    var refundFailed: WebhookNews {
        guard let refund = notification.subject, refund.name == "transaction", let id = notification.object,
            let payment = refund.value("refunded-transaction-id")
        else { return unreadable("no refund") }
        return notice(
            .reversed(.refund, failure(of: refund, "The refund was accepted and then failed")),
            payment: payment,
            operation: refund.value("order-id"),
            object: id,
            refund.value("currency-iso-code").flatMap { Currency(code: $0) }
        )
    }

    /// A capture, or a refund, that the processor refused to settle.
    var settlementDeclined: WebhookNews {
        guard let transaction = notification.subject, transaction.name == "transaction", let id = notification.object
        else { return unreadable("no transaction") }
        switch transaction.value("type") {
        case "credit": return refundFailed
        case "sale":
            return notice(
                .reversed(.capture, failure(of: transaction, "The capture was accepted and then failed")),
                payment: id,
                attempt: transaction.value("order-id"),
                object: id,
                transaction.value("currency-iso-code").flatMap { Currency(code: $0) }
            )
        default: return unreadable("a type that is not known")
        }
    }

    private func failure(of transaction: XMLElement, _ sentence: String) -> Rejection {
        let codes = ["processor-settlement-response-code", "processor-response-code", "status"]
        let code = codes.lazy.compactMap { transaction.value($0).flatMap(Word.init)?.text }.first
        return Rejection(.unsupported, code: code ?? notification.kind, message: "\(sentence): \(code ?? "no code").")
    }

    private func amount(_ text: String?, of dispute: XMLElement) -> Money? {
        guard let text, let code = dispute.value("currency-iso-code") else { return nil }
        return Money(braintree: text, code)
    }
}
