/// What the books answer to a request.
package struct Verdict: Hashable, Sendable {
    /// What there is to say; nil if the request was struck before it acted.
    package let reply: Reply?
    /// How to say it.
    package let handling: Handling
    /// Whether the reply is the kept result of an earlier request under the same key.
    package let isReplay: Bool

    init(_ reply: Reply?, _ handling: Handling = .answer(afterMilliseconds: 0), isReplay: Bool = false) {
        self.reply = reply
        self.handling = handling
        self.isReplay = isReplay
    }
}
