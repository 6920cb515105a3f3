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
