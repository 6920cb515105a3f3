import Domain

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
