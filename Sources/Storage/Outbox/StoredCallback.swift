package import Domain

/// A callback as it is kept.
package struct StoredCallback: Hashable, Sendable {
    /// Where a callback stands.
    package enum State: String, Sendable, CaseIterable {
        /// It is to be delivered, now or later.
        case waiting
        /// Its endpoint has taken it.
        case delivered
        /// It was given up: a dead letter, until somebody replays it.
        case dead
    }

    /// What was written down in the transaction whose state it tells.
    package let content: NewCallback
    /// The endpoint it is for.
    package let endpoint: EndpointID
    /// Where it stands.
    package let state: State
    /// How many times it was tried in vain since it was written down or replayed.
    package let attempts: Int64
    /// When it is tried next; nil once it is settled.
    package let dueAt: Timestamp?
    /// When it was delivered or given up.
    package let settledAt: Timestamp?
    /// The HTTP status of the last reply.
    package let lastStatus: Int64?
    /// Why the last try failed.
    package let lastError: String?

    /// Its identifier.
    package var id: CallbackID { content.id }
}
