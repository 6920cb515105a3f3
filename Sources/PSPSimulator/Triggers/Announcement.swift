/// What a trigger makes of the webhooks about an operation.
package enum Announcement: Hashable, Sendable {
    /// They are sent at once, each one time; the answer does not wait for them.
    case prompt
    /// The answer waits until they were taken, at most so many milliseconds.
    case first(patienceMilliseconds: Int64)
    /// They are sent so many milliseconds later, after what comes behind them.
    case late(milliseconds: Int64)
    /// Each is sent twice under one identifier.
    case twice
    /// None is sent.
    case silent
}

extension Announcement {
    /// Reads the word of a trigger, for example `webhook_late_500`; nil if it is none.
    init?(word: String) {
        guard let script = try? TokenScript(TokenScript.approval.text + "+capture_" + word) else { return nil }
        self = script.announcement(of: .capture)
        guard self != .prompt else { return nil }
    }

    /// The word of a trigger; nil for what needs none.
    var word: String? {
        switch self {
        case .prompt: nil
        case .first(let milliseconds): "webhook_first_\(milliseconds)"
        case .late(let milliseconds): "webhook_late_\(milliseconds)"
        case .twice: "webhook_twice"
        case .silent: "webhook_none"
        }
    }
}

extension TokenScript {
    /// How long an answer waits for the operation's webhooks, in milliseconds; nil if it does not.
    func patience(of operation: OperationKind) -> Int64? {
        if case .first(let milliseconds) = announcement(of: operation) { milliseconds } else { nil }
    }
}
