import Domain
import Storage

/// What a round at an endpoint comes to: a pure function of what was heard.
struct RoundResult: Hashable {
    /// What becomes of the callbacks.
    private(set) var reports: [DeliveryReport] = []
    /// How the endpoint is now.
    private(set) var health: CallbackEndpoint.Health
    /// Whether the endpoint wants nothing more.
    private(set) var isGone = false
    /// What has been due since before then is given up; nil for nothing.
    private(set) var givesUpBefore: Timestamp?

    /// Reads what was heard of the callbacks of a claim.
    init(
        _ claim: CallbackQueue.Claim,
        _ heard: [CallbackID: Verdict],
        at now: Timestamp,
        using random: inout some RandomNumberGenerator
    ) {
        health = claim.endpoint.health
        var (isDelivered, hasFailed) = (false, false)
        var notBefore: Timestamp?
        for callback in claim.callbacks {
            switch heard[callback.id] {
            case .delivered(let status):
                isDelivered = true
                reports.append(DeliveryReport(callback.id, .delivered, status: Int64(status), error: nil))
                note(status: status, error: nil, at: now)
            case .failed(let status, let error, let pause):
                hasFailed = true
                notBefore = [notBefore, pause].compactMap(\.self).max()
                let next = Ladder.next(afterFailures: callback.attempts + 1, at: now, using: &random)
                let outcome = next.map { DeliveryReport.Outcome.again(max($0, pause ?? $0)) } ?? .dead
                reports.append(DeliveryReport(callback.id, outcome, status: status.map(Int64.init), error: error))
                note(status: status, error: error, at: now)
            case .gone:
                isGone = true
                reports.append(DeliveryReport(callback.id, .untouched, status: 410, error: "HTTP 410"))
                note(status: 410, error: "HTTP 410", at: now)
            case .interrupted, nil: continue
            }
        }
        if isDelivered {
            health.lastDeliveredAt = now
            (health.failures, health.failingSince, health.retryAt) = (0, nil, notBefore)
        } else if hasFailed {
            fail(notBefore: notBefore, at: now, using: &random)
        }
    }

    /// What comes of a round in which nothing could be sent, by no fault of the callbacks.
    init(
        _ claim: CallbackQueue.Claim,
        unsent reason: String,
        at now: Timestamp,
        using random: inout some RandomNumberGenerator
    ) {
        health = claim.endpoint.health
        note(status: nil, error: reason, at: now)
        fail(notBefore: nil, at: now, using: &random)
    }

    private mutating func note(status: Int?, error: String?, at now: Timestamp) {
        health.lastTriedAt = now
        health.lastStatus = status.map(Int64.init)
        health.lastError = error
    }

    /// What waits for an endpoint that has failed for as long as the ladder takes is as dead as what climbed it.
    private mutating func fail(
        notBefore: Timestamp?,
        at now: Timestamp,
        using random: inout some RandomNumberGenerator
    ) {
        health.failures += 1
        let since = health.failingSince ?? now
        health.failingSince = since
        health.retryAt = notBefore ?? Ladder.probe(afterFailures: health.failures, at: now, using: &random)
        let limit = now.adding(milliseconds: -Ladder.wholeMilliseconds)
        if since <= limit { givesUpBefore = limit }
    }
}
