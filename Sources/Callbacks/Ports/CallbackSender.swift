/// The way to endpoints, which strangers name.
package protocol CallbackSender: Sendable {
    /// Sends one callback and answers what came of it; never throws, because silence is an answer too.
    ///
    /// It has to refuse what ``refusal(of:)`` refuses, to check the address it connects to, to follow no redirect, and
    /// to end in time.
    func send(_ request: CallbackRequest) async -> CallbackReply

    /// Why nothing may be sent to an address, in words; nil if it may, as far as the address alone tells.
    func refusal(of url: String) -> String?
}
