package import AdapterKit

/// Sends an adapter's requests over the network.
package protocol Sender: Sendable {
    /// Sends one request and answers what came of it; never throws, because silence is an answer too.
    ///
    /// - Parameters:
    ///   - request: the request as the adapter wrote it.
    ///   - freshConnection: whether to open a connection for it, because the PSP has no idempotency key and
    ///     a connection that was used before may send a request twice.
    ///   - timeoutMilliseconds: how long all of it may take, waiting for a connection included.
    /// - Returns: the reply, or why there is none.
    func send(_ request: WireRequest, freshConnection: Bool, timeoutMilliseconds: Int64) async -> SendResult
}

/// What came of sending a request.
package enum SendResult: Hashable, Sendable {
    /// The PSP answered.
    case reply(WireReply)
    /// It did not. `mayHaveArrived` is false only if the request provably never left.
    case failure(reason: String, mayHaveArrived: Bool)
}
