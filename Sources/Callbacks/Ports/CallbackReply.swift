/// What came of sending a callback.
package enum CallbackReply: Hashable, Sendable {
    /// The endpoint answered; of its answer nothing counts but the status and when to come again.
    case status(Int, retryAfter: String?)
    /// It did not, or nothing was sent; why, in words that hold nothing of the request.
    case silence(String)
    /// It was broken off because this side ends.
    case interrupted
}
