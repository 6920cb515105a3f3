import Domain
import Logging
import Storage
import Telemetry

/// What a round at an endpoint comes to: a pure function of what was heard.
struct BatchResult: Hashable {
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
                let next = RetrySchedule.next(afterFailures: callback.attempts + 1, at: now, using: &random)
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

    /// What waits for an endpoint that has failed for as long as the schedule takes is as dead as what went through it.
    private mutating func fail(
        notBefore: Timestamp?,
        at now: Timestamp,
        using random: inout some RandomNumberGenerator
    ) {
        health.failures += 1
        let since = health.failingSince ?? now
        health.failingSince = since
        health.retryAt = notBefore ?? RetrySchedule.probe(afterFailures: health.failures, at: now, using: &random)
        let limit = now.adding(milliseconds: -RetrySchedule.wholeMilliseconds)
        if since <= limit { givesUpBefore = limit }
    }
}

/// What an endpoint's answer means.
enum Verdict: Hashable, Sendable {
    /// It has taken the callback: any 2xx.
    case delivered(Int)
    /// It has not, or nobody knows; before `notBefore` it wants to be left alone.
    case failed(status: Int?, String, notBefore: Timestamp?)
    /// It wants nothing more: 410.
    case gone
    /// Nobody knows, and it is not the endpoint's fault.
    case interrupted

    /// The least that an endpoint is left alone, in milliseconds, however eager it says it is.
    private static let leastPauseMilliseconds: Int64 = 1_000

    /// Reads an answer.
    ///
    /// A redirect is a failure like any other. Only 429 and 503 may say when to come again (RFC 9110, 10.2.3; RFC
    /// 6585, 4).
    init(_ reply: CallbackReply, at now: Timestamp) {
        switch reply {
        case .status(let status, _) where (200..<300).contains(status): self = .delivered(status)
        case .status(let status, _) where status >= 500 && PlantedBug.failureTakenForDelivery.isPlanted:
            self = .delivered(status)
        case .status(410, _): self = .gone
        case .status(let status, let retryAfter):
            let waits = status == 429 || status == 503
            let moment = waits ? RetryAfter.moment(retryAfter, now: now) : nil
            let least = now.adding(milliseconds: Self.leastPauseMilliseconds)
            self = .failed(status: status, "HTTP \(status)", notBefore: moment.map { max($0, least) })
        case .silence(let reason): self = .failed(status: nil, reason, notBefore: nil)
        case .interrupted: self = .interrupted
        }
    }
}

extension Verdict {
    /// Records a delivery on its span.
    func record(on span: OTLPSpan, of callback: StoredCallback) {
        span.set("tributary.callback.id", callback.id.text)
        span.set("tributary.callback.type", callback.content.type)
        span.set("tributary.endpoint.id", callback.endpoint.text)
        span.set("tributary.order.id", callback.content.order?.text)
        span.set("tributary.payment.id", callback.content.payment?.text)
        span.set("tributary.try", callback.attempts + 1)
        span.set("http.request.method", "POST")
        switch self {
        case .delivered(let status): span.set("http.response.status_code", Int64(status))
        case .failed(let status?, _, _):
            span.set("http.response.status_code", Int64(status))
            span.fail("\(status)")
        case .failed(nil, _, _): span.fail("no_answer")
        case .gone:
            span.set("http.response.status_code", 410)
            span.fail("410")
        case .interrupted: span.fail("interrupted")
        }
    }
}

/// Says in the log how a round went: endpoint, callback and reason, never a body or a secret.
struct BatchLog {
    private let logger: Logger

    init(_ logger: Logger) { self.logger = logger }

    func log(_ result: BatchResult, of claim: CallbackQueue.Claim, isOurs: Bool) {
        let endpoint = "\(claim.endpoint.id)"
        let callbacks = Dictionary(uniqueKeysWithValues: claim.callbacks.map { ($0.id, $0) })
        for report in result.reports {
            let metadata = metadata(report, callbacks[report.callback], of: claim)
            switch report.outcome {
            case .delivered: logger.info("a callback was delivered", metadata: metadata)
            case .again: logger.notice("a callback was not taken", metadata: metadata)
            case .dead: logger.warning("a callback was given up", metadata: metadata)
            case .untouched: logger.notice("a callback is not wanted", metadata: metadata)
            }
        }
        if result.reports.isEmpty, let error = result.health.lastError, result.health.failures > 0 {
            logger.warning(
                "nothing can be sent to an endpoint",
                metadata: ["endpoint": "\(endpoint)", "reason": "\(error)"]
            )
        }
        if result.isGone, isOurs { logger.warning("an endpoint was disabled", metadata: ["endpoint": "\(endpoint)"]) }
        if !isOurs {
            logger.warning(
                "a round outlived its claim; its endpoint is served anew",
                metadata: ["endpoint": "\(endpoint)"]
            )
        }
    }

    /// What belongs to a callback: what it is about, and how the try went.
    private func metadata(
        _ report: DeliveryReport,
        _ callback: StoredCallback?,
        of claim: CallbackQueue.Claim
    ) -> Logger.Metadata {
        var metadata: Logger.Metadata = [
            "endpoint": "\(claim.endpoint.id)", "callback": "\(report.callback)", "reason": "\(report.error ?? "-")",
        ]
        if let status = report.status { metadata["status"] = "\(status)" }
        if let callback { metadata["try"] = "\(callback.attempts + 1)" }
        if let payment = callback?.content.payment { metadata["payment"] = "\(payment)" }
        if let order = callback?.content.order {
            metadata["order"] = "\(order)"
            if let trace = claim.traceParents[order].flatMap(TraceContext.init) {
                metadata["trace_id"] = "\(trace.trace)"
            }
        }
        return metadata
    }
}
