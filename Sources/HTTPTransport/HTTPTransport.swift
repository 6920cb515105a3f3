/// The only way out: HTTP calls through libcurl, all driven by one thread of its own.
///
/// Redirects are not followed, proxies, cookies, `.netrc` and content decoding are off, and certificates are always
/// verified. `https` negotiates HTTP/2; connections are kept for reuse unless a request asks for its own or goes to a
/// URL that a stranger named. How many requests are in flight at once is limited per host, per bulkhead and in total;
/// those that wait do so in order of age, but hold up nobody who waits for something else.
package final class HTTPTransport: Sendable {
    private let inbox: Inbox

    /// Starts the thread.
    ///
    /// It ends with ``stop()``, or when nothing refers to the transport any more.
    package init(limits: TransportLimits = TransportLimits()) {
        let multi = MultiHandle(limits: limits)
        let inbox = Inbox(waking: multi)
        self.inbox = inbox
        TransportThread.start {
            var loop = TransferLoop(inbox: inbox, multi: multi, limits: limits)
            loop.run()
        }
    }

    deinit { inbox.stop(answering: nil) }

    /// Sends a request and waits for its reply; never throws.
    ///
    /// Cancelling the task ends the transfer at once with `cancelled`.
    package func send(_ request: HTTPRequest) async -> HTTPResult {
        let cancellation = inbox.makeCancellation()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                inbox.post(PendingRequest(request, cancellation: cancellation, answeredTo: continuation))
            }
        } onCancel: {
            inbox.cancel(cancellation)
        }
    }

    /// Looks up the host, connects and shakes hands as for the request, closes the connection, and sends nothing.
    ///
    /// - Returns: why that cannot be done; nil if it can.
    package func connect(_ request: HTTPRequest) async -> TransportFailure? {
        var request = request
        request.connectsOnly = true
        return if case .failure(let failure) = await send(request) { failure } else { nil }
    }

    /// Ends what is in flight or waiting with `stopped`, closes every connection, and returns once that is done.
    ///
    /// Later requests are answered `stopped`.
    package func stop() async {
        await withCheckedContinuation { continuation in inbox.stop(answering: continuation) }
    }
}

/// How much a transport does at once.
package struct TransportLimits: Hashable, Sendable {
    /// Requests in flight to one host and port, and so the most connections to it.
    package var requestsPerHost: Int
    /// Requests in flight altogether, and so the most connections, idle ones included.
    package var requestsInTotal: Int
    /// Requests in flight of one bulkhead.
    ///
    /// It protects others only as far as it is less than ``requestsPerHost`` and ``requestsInTotal``.
    package var requestsPerBulkhead: Int
    /// Requests that may wait for a place; one more is refused as `queueFull`.
    package var requestsWaiting: Int
    /// Requests of one bulkhead that may wait for a place; one more is refused as `queueFull`.
    package var requestsWaitingPerBulkhead: Int
    /// The most bytes of header fields taken in one reply, interim replies and trailers included.
    package var replyHeaderLimitBytes: Int

    /// Makes limits; each is at least one, except that none may have to wait.
    package init(
        requestsPerHost: Int = 32,
        requestsInTotal: Int = 256,
        requestsPerBulkhead: Int = 16,
        requestsWaiting: Int = 4_096,
        requestsWaitingPerBulkhead: Int = 1_024,
        replyHeaderLimitBytes: Int = 65_536
    ) {
        self.requestsPerHost = max(1, requestsPerHost)
        self.requestsInTotal = max(1, requestsInTotal)
        self.requestsPerBulkhead = max(1, requestsPerBulkhead)
        self.requestsWaiting = max(0, requestsWaiting)
        self.requestsWaitingPerBulkhead = max(0, requestsWaitingPerBulkhead)
        self.replyHeaderLimitBytes = max(1, replyHeaderLimitBytes)
    }
}

/// Bounds of the time limits that a request may name.
enum TimeLimits {
    /// No call takes longer than a day; libcurl's own counter of milliseconds ends at 49 days.
    static let ceilingMilliseconds = 86_400_000

    /// libcurl takes zero for "no limit", which no request gets.
    static func clamped(_ milliseconds: Int) -> Int { min(max(1, milliseconds), ceilingMilliseconds) }
}
