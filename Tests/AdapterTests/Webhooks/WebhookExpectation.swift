import AdapterKit
import Domain

/// What a webhook's file name says the adapter must make of it: a refusal, nothing, a problem, or a notice,
/// named by its action and what became of it; then free text.
enum WebhookExpectation: Hashable {
    case refused(WebhookRefusal)
    case nothing
    case problem
    case outcome(Notice.Action, Expectation)
    case reversed(Notice.Action)
    case lapsed
    case dispute(DisputeNotice.State)
    /// More than one event or notice, which no sample has.
    case several

    /// Reads a name such as `refund-succeeded-later`; nil if it says nothing of the kind.
    init?(_ name: String) {
        let words = name.split(separator: "-", maxSplits: 1).map { String($0) }
        guard let first = words.first else { return nil }
        let rest = words.count == 2 ? words[1] : ""
        switch first {
        case "nothing": self = .nothing
        case "problem": self = .problem
        case "lapsed": self = .lapsed
        case "refused":
            let refusals = WebhookRefusal.allCases.filter { rest.hasPrefix($0.rawValue.map { $0 == "_" ? "-" : $0 }) }
            guard let refusal = refusals.max(by: { $0.rawValue.count < $1.rawValue.count }) else { return nil }
            self = .refused(refusal)
        case "dispute":
            guard let state = DisputeNotice.State.allCases.first(where: { rest.hasPrefix($0.rawValue) }) else {
                return nil
            }
            self = .dispute(state)
        default:
            guard let action = Notice.Action(rawValue: first) else { return nil }
            if rest.hasPrefix("reversed") {
                self = .reversed(action)
            } else {
                guard let outcome = Expectation(rest) else { return nil }
                self = .outcome(action, outcome)
            }
        }
    }

    /// What a reading is.
    init(_ reading: WebhookReading) {
        switch reading {
        case .refused(let refusal): self = .refused(refusal)
        case .read(let events, reply: _):
            guard events.count == 1, events[0].notices.count <= 1 else {
                self = .several
                return
            }
            self = Self.expectation(events[0])
        }
    }

    private static func expectation(_ event: WebhookEvent) -> WebhookExpectation {
        guard event.problem == nil else { return .problem }
        return switch event.notices.first?.happening {
        case nil: .nothing
        case .outcome(let action, let outcome): .outcome(action, Expectation(outcome))
        case .reversed(let action, _): .reversed(action)
        case .lapsed: .lapsed
        case .dispute(let dispute): .dispute(dispute.state)
        }
    }
}

extension String {
    /// Whether the text starts with these characters.
    fileprivate func hasPrefix(_ characters: [Character]) -> Bool { starts(with: characters) }
}
