package import AdapterKit

/// Sends an adapter's requests over the network.
package protocol Sender: Sendable {
    /// Sends one request and answers what came of it; never throws, because silence is an answer too.
    ///
    /// - Parameters:
    ///   - request: the request as the adapter wrote it.
    ///   - terms: how to send it.
    /// - Returns: the reply, or why there is none.
    func send(_ request: WireRequest, _ terms: SendTerms) async -> SendResult
}

/// What came of sending a request.
package enum SendResult: Hashable, Sendable {
    /// The PSP answered.
    case reply(WireReply)
    /// It did not. `mayHaveArrived` is false only if the request provably never left.
    case failure(reason: String, mayHaveArrived: Bool)
    /// It did not leave, for want of room on our own side: the PSP had no part in it, and it may be sent later.
    case held(reason: String)
}

/// How a request is sent.
package struct SendTerms: Hashable, Sendable {
    /// The PSP account whose connections it uses up, so that one that never answers keeps no other from being reached.
    package let account: String
    /// Whether to open a connection for it.
    ///
    /// Because the PSP has no idempotency key, and a connection that was used before may send a request twice; or because
    /// a reply may have nothing of ours on it, and one that was used before may bring the reply to another request.
    package let freshConnection: Bool
    /// How long all of it may take, waiting for a connection included, in milliseconds.
    package let timeoutMilliseconds: Int64
    /// How long it may wait before it leaves, in milliseconds; nil for as long as all of it may take.
    ///
    /// Later the order it belongs to may be refused, and what it would hold is not wanted any more.
    package let launchMilliseconds: Int64?

    /// Makes terms.
    package init(
        account: String,
        freshConnection: Bool,
        timeoutMilliseconds: Int64,
        launchMilliseconds: Int64? = nil
    ) {
        self.account = account
        self.freshConnection = freshConnection
        self.timeoutMilliseconds = timeoutMilliseconds
        self.launchMilliseconds = launchMilliseconds
    }
}
