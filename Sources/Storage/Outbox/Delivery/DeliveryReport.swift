package import Domain

/// What became of one try to deliver a callback.
package struct DeliveryReport: Hashable, Sendable {
    /// Where that leaves the callback.
    package enum Outcome: Hashable, Sendable {
        /// It arrived.
        case delivered
        /// It is tried again then.
        case again(Timestamp)
        /// It is given up.
        case dead
        /// The try does not count: the callback is as due as before.
        case untouched
    }

    /// The callback.
    package let callback: CallbackID
    /// Where that leaves it.
    package let outcome: Outcome
    /// The HTTP status of the reply, if one came.
    package let status: Int64?
    /// Why it failed; nil if it did not.
    package let error: String?

    /// Makes a report.
    package init(_ callback: CallbackID, _ outcome: Outcome, status: Int64?, error: String?) {
        self.callback = callback
        self.outcome = outcome
        self.status = status
        self.error = error
    }
}
