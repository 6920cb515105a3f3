import Domain

/// News of disputes, and of refunds and captures that failed later.
extension NotificationReader {
    /// A dispute that has come to this state.
    ///
    /// A retrieval only asks for information, and takes nothing. Of one that is won in part, what was not won is lost.
    func dispute(_ state: DisputeNotice.State) -> News {
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
    var refundFailed: News {
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
    var settlementDeclined: News {
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
