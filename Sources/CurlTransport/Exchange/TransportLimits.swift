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
