/// A request as the scripted PSP got it.
package struct ScriptedCall: Hashable, Sendable {
    /// What is asked.
    package enum Kind: String, Hashable, Sendable {
        /// Hold an amount.
        case authorize
        /// Take it.
        case capture
        /// Release it, or undo a capture.
        case void
        /// Give it back.
        case refund
        /// What became of something.
        case inquire
        /// Forget a stored method.
        case forget
    }

    /// The token of the authorization it is about; empty if there is none.
    package let token: String
    /// What is asked.
    package let kind: Kind
    /// The idempotency key.
    package let key: String?
    /// Whether it came over a connection of its own.
    package let isFresh: Bool
    /// The body, as sent.
    package let body: [UInt8]
}
