/// A request on its way to the transport's thread, with whom to answer and until when.
struct Arrival: Sendable {
    let request: HTTPRequest
    let ticket: Ticket
    /// Counted from the call of `send`, so that waiting for a place is part of it.
    let deadline: ContinuousClock.Instant
    private let continuation: CheckedContinuation<HTTPResult, Never>

    init(_ request: HTTPRequest, ticket: Ticket, answeredTo continuation: CheckedContinuation<HTTPResult, Never>) {
        self.request = request
        self.ticket = ticket
        deadline = .now + .milliseconds(TimeLimits.clamped(request.totalTimeoutMilliseconds))
        self.continuation = continuation
    }

    func answer(_ result: HTTPResult) { continuation.resume(returning: result) }

    /// Answers a request of which libcurl never heard, so that nothing of it can have been sent.
    func refuse(_ reason: TransportFailure.Reason, _ message: String) {
        var failure = TransportFailure(reason, message, mayHaveArrived: false)
        failure.onlyWaited = true
        answer(.failure(failure))
    }
}
