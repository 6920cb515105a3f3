import Domain
import Storage

/// Everything about one event of a PSP, for a terminal.
struct WebhookPage {
    private let entry: WebhookEntry

    /// A page about an event.
    init(_ entry: WebhookEntry) { self.entry = entry }

    /// Facts about the event, then what it says.
    var text: String {
        let notices = Table(noticesOf: entry.document)
        return notices.rows.isEmpty ? facts : facts + "\n\nNotices\n" + notices.text
    }

    private var facts: String {
        let facts: [(String, String?)] = [
            ("webhook", entry.id.text),
            ("marketplace", entry.marketplace),
            ("psp account", "\(entry.psp) \(entry.account)"),
            ("event", "\(entry.type) \(entry.eventID)".harmless),
            ("merchant account", entry.document.merchantAccount.text?.harmless),
            ("state", entry.state.rawValue),
            ("problem", entry.problem?.harmless),
            ("order", entry.order?.text),
            ("received", entry.receivedAt.description),
            ("attempts", String(entry.attempts)),
            ("next attempt", entry.dueAt?.description),
            ("settled", entry.settledAt?.description),
            ("body sha256", entry.bodyHash),
        ]
        let present = facts.compactMap { name, value in value.map { (name, $0) } }
        let width = present.map(\.0.count).max() ?? 0
        return present.map { name, value in
            name + String(repeating: " ", count: width - name.count + 2) + value
        }.joined(separator: "\n")
    }
}

extension NoticeAccount {
    /// The account in words; nil if the PSP does not say.
    var text: String? {
        switch self {
        case .merchant(let name): name
        case .platform(let name): name.map { "the platform's own, \($0)" } ?? "the platform's own"
        case .unsaid: nil
        }
    }
}

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
            words.result = outcome.name
            switch outcome {
            case .succeeded(let success): words.amount = success.amount
            case .declined(let decline): words.code = decline.code
            case .rejected(let rejection): words.code = rejection.code
            case .pending, .actionRequired: break
            case .notSent(let reason), .unknown(let reason): words.code = reason
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
