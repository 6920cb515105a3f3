package import Domain

/// A break as it is stored: what differs, and what became of it.
package struct StoredBreak: Hashable, Sendable {
    /// Its identifier.
    package let id: BreakID
    /// Whose books it is about.
    package let marketplace: String
    /// What differs.
    package let difference: Break
    /// What became of it.
    package let state: BreakState
    /// When it was first found.
    package let openedAt: Timestamp
    /// The day that the run which saw it last looked back from, `YYYY-MM-DD`.
    package let asOf: String
    /// When it was resolved; nil if it was not.
    package let resolvedAt: Timestamp?
    /// How many actions it has.
    package let actions: Int
}

/// One change of a break's state; never changed itself.
package struct BreakAction: Hashable, Sendable {
    /// Counts a break's actions, from 1.
    package let number: Int
    /// Who did it.
    package let actor: String
    /// Why.
    package let reason: String
    /// When.
    package let at: Timestamp
    /// The state before.
    package let from: BreakState
    /// The state after.
    package let to: BreakState

    /// Makes an action.
    package init(number: Int, actor: String, reason: String, at: Timestamp, from: BreakState, to: BreakState) {
        self.number = number
        self.actor = actor
        self.reason = reason
        self.at = at
        self.from = from
        self.to = to
    }
}
