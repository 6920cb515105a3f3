/// What a request asks of the simulator.
package enum OperationKind: String, Hashable, Sendable, CaseIterable {
    /// Hold an amount, or take it in the same call.
    case authorize
    /// Take the amount of an authorization.
    case capture
    /// Release an authorization.
    case void
    /// Give back the amount of a capture.
    case refund
    /// Ask what became of an authorization or an operation.
    case inquire
}

/// What a trigger makes of an operation in the books.
package enum Effect: Hashable, Sendable {
    /// It succeeds.
    case approve
    /// It is declined.
    case decline(DeclineCode)
    /// The request is refused; the books keep no trace of it.
    case refuse(Refusal)
    /// Half of the amount is approved, rounded down, at least one minor unit.
    case approvePartly
    /// The authorization is approved and captured at once, whatever was asked.
    case captureAtOnce
    /// The authorization is approved and lapses after so many milliseconds.
    case lapse(afterMilliseconds: Int64)
    /// The buyer has to visit a page within so many milliseconds.
    case requireAction(withinMilliseconds: Int64)
    /// It is worked on and succeeds after so many milliseconds.
    case finish(afterMilliseconds: Int64)
    /// It is worked on and fails after so many milliseconds.
    case fail(afterMilliseconds: Int64)
    /// It succeeds, and after so many milliseconds it turns out to have failed.
    case failLater(afterMilliseconds: Int64)
    /// Refunds are refused until so many milliseconds after the capture; until then a void undoes the capture.
    case settle(afterMilliseconds: Int64)
    /// Inquiries do not find it until so many milliseconds after it was made.
    case hide(forMilliseconds: Int64)
}

/// What a trigger makes of the reply to an operation.
///
/// Deliveries that do not act are for the first request under a key (up to its first dot), and the next one is processed
/// normally, except ``never``. A repeat after a delivery that acted gets the kept result.
package enum Delivery: Hashable, Sendable {
    /// The reply is sent at once.
    case prompt
    /// It acts at once and answers so many milliseconds later; repeats wait for the same moment.
    case slow(milliseconds: Int64)
    /// It does not act and is never answered.
    case stallBefore
    /// It acts and is never answered.
    case stallAfter
    /// No request under any key acts or is ever answered.
    case never
    /// It does not act and answers 500.
    case errorBefore
    /// It acts and answers 500.
    case errorAfter
    /// It does not act and the connection is closed without a reply.
    case closeBefore
    /// It acts and the connection is closed without a reply.
    case closeAfter
    /// It acts and half of the JSON reply is sent.
    case truncate
    /// It acts and the whole reply is sent twice on the connection.
    case twice
    /// It answers as if it acted, and keeps no trace of it.
    case noTrace

    /// Whether the first request under a key gets a fault before anything happens.
    package var faultsBeforeActing: Bool {
        switch self {
        case .stallBefore, .errorBefore, .closeBefore, .never: true
        case .prompt, .slow, .stallAfter, .errorAfter, .closeAfter, .truncate, .twice, .noTrace: false
        }
    }
}

extension Delivery {
    /// How long the answer takes, in milliseconds.
    var delay: Int64 {
        if case .slow(let milliseconds) = self { milliseconds } else { 0 }
    }

    /// How the request that gets the fault is answered.
    var handling: Handling {
        switch self {
        case .prompt, .slow, .noTrace: .answer(afterMilliseconds: delay)
        case .stallBefore, .stallAfter, .never: .stall
        case .errorBefore, .errorAfter: .serverError
        case .closeBefore, .closeAfter: .close
        case .truncate: .truncate
        case .twice: .twice
        }
    }
}

/// How a request is to be answered.
package enum Handling: Hashable, Sendable {
    /// With the reply, after so many milliseconds.
    case answer(afterMilliseconds: Int64)
    /// Not at all; the connection stays open.
    case stall
    /// Not at all; the connection is closed.
    case close
    /// With 500, whatever the reply.
    case serverError
    /// With the first half of the reply.
    case truncate
    /// With the reply, twice.
    case twice
}

/// What a trigger makes of the webhooks about an operation.
package enum WebhookAnnouncement: Hashable, Sendable {
    /// They are sent at once, each one time; the answer does not wait for them.
    case prompt
    /// The answer waits until they were taken, at most so many milliseconds.
    case first(waitMilliseconds: Int64)
    /// They are sent so many milliseconds later, after what comes behind them.
    case late(milliseconds: Int64)
    /// Each is sent twice under one identifier.
    case twice
    /// None is sent.
    case silent
}

extension WebhookAnnouncement {
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
    func webhookWait(of operation: OperationKind) -> Int64? {
        if case .first(let milliseconds) = announcement(of: operation) { milliseconds } else { nil }
    }
}
