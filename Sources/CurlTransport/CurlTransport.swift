/// The only way out: HTTP calls through libcurl, all driven by one thread of its own.
///
/// Redirects are not followed, proxies, cookies, `.netrc` and content decoding are off, and certificates are always
/// verified. `https` negotiates HTTP/2; connections are kept for reuse unless a request asks for its own or goes to a
/// URL that a stranger named. How many requests are in flight at once is limited per host, per bulkhead and in total;
/// those that wait do so in order of age, but hold up nobody who waits for something else.
package final class CurlTransport: Sendable {
    private let inbox: Inbox

    /// Starts the thread.
    ///
    /// It ends with ``stop()``, or when nothing refers to the transport any more.
    package init(limits: TransportLimits = TransportLimits()) {
        let multi = MultiHandle(limits: limits)
        let inbox = Inbox(waking: multi)
        self.inbox = inbox
        OwnThread.start {
            var loop = TransferLoop(inbox: inbox, multi: multi, limits: limits)
            loop.run()
        }
    }

    deinit { inbox.stop(answering: nil) }

    /// Sends a request and waits for its reply; never throws.
    ///
    /// Cancelling the task ends the transfer at once with `cancelled`.
    package func send(_ request: HTTPRequest) async -> HTTPResult {
        let ticket = inbox.makeTicket()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                inbox.post(Arrival(request, ticket: ticket, answeredTo: continuation))
            }
        } onCancel: {
            inbox.cancel(ticket)
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
