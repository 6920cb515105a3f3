import Domain
import Storage

extension Table {
    /// A row for each event of a PSP.
    init(webhooks: [WebhookEntry]) {
        self.init(
            "id",
            "marketplace",
            "psp",
            "psp_account",
            "type",
            "event_id",
            "state",
            "order",
            "attempts",
            "received_at",
            "due_at",
            "settled_at",
            "problem"
        )
        for entry in webhooks {
            add(
                .text(entry.id.text),
                .text(entry.marketplace),
                .text(entry.psp),
                .text(entry.account),
                .text(entry.type),
                .text(entry.eventID),
                .text(entry.state.rawValue),
                .optional(entry.order?.text),
                .integer(entry.attempts),
                .moment(entry.receivedAt),
                .moment(entry.dueAt),
                .moment(entry.settledAt),
                .optional(entry.problem)
            )
        }
    }

    /// A row for each thing that an event says of a payment; what a buyer's step needs is left out.
    init(noticesOf document: WebhookDocument) {
        self.init(
            "says",
            "action",
            "result",
            "currency",
            "amount",
            "code",
            "attempt",
            "operation",
            "payment",
            "object",
            "at"
        )
        for notice in document.notices {
            let words = notice.happening.words
            add(
                .text(words.says),
                .optional(words.action?.rawValue),
                .optional(words.result),
                .optional(document.currency?.code),
                words.amount.map { amount in
                    document.currency.map { .amount(amount, $0) } ?? .integer(amount)
                } ?? .absent,
                .optional(words.code),
                .optional(notice.subject.attempt),
                .optional(notice.subject.operation),
                .optional(notice.subject.payment),
                .optional(notice.subject.object),
                .moment(notice.at)
            )
        }
    }
}

/// What happened, in the words of a table.
private struct NoticeWords {
    var says: String
    var action: Notice.Action?
    var result: String?
    var amount: Int64?
    var code: String?
}

extension Notice.Happening {
    fileprivate var words: NoticeWords {
        switch self {
        case .outcome(let action, let outcome):
            var words = NoticeWords(says: "outcome", action: action)
            switch outcome {
            case .succeeded(let success): (words.result, words.amount) = ("succeeded", success.amount)
            case .declined(let decline): (words.result, words.code) = ("declined", decline.code)
            case .rejected(let rejection): (words.result, words.code) = ("rejected", rejection.code)
            case .pending: words.result = "pending"
            case .actionRequired: words.result = "action_required"
            case .notSent(let reason): (words.result, words.code) = ("not_sent", reason)
            case .unknown(let reason): (words.result, words.code) = ("unknown", reason)
            }
            return words
        case .reversed(let action, let rejection):
            return NoticeWords(says: "reversed", action: action, code: rejection.code)
        case .lapsed: return NoticeWords(says: "lapsed")
        case .dispute(let dispute):
            return NoticeWords(
                says: "dispute",
                result: dispute.state.rawValue,
                amount: dispute.amount,
                code: dispute.reason
            )
        }
    }
}
