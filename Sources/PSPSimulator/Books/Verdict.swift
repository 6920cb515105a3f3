/// What the books answer to a request.
package struct Verdict: Hashable, Sendable {
    /// What there is to say; nil if the request was struck before it acted.
    package let reply: Reply?
    /// How to say it.
    package let handling: Handling
    /// Whether the reply is the kept result of an earlier request under the same key.
    package let isReplay: Bool

    /// How long to wait for the webhooks to be taken before answering, in milliseconds; nil not to wait.
    package let patience: Int64?

    init(
        _ reply: Reply?,
        _ handling: Handling = .answer(afterMilliseconds: 0),
        isReplay: Bool = false,
        patience: Int64? = nil
    ) {
        self.reply = reply
        self.handling = handling
        self.isReplay = isReplay
        self.patience = patience
    }
}
