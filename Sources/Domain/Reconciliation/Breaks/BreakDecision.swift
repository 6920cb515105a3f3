/// What somebody decides about a break.
package struct BreakDecision: Hashable, Sendable {
    /// The actor of what reconciliation does by itself.
    package static let reconciliation = "reconciliation"
    /// The longest actor and reason, in bytes of UTF-8.
    package static let textLimit = 500

    /// What becomes of it.
    package let state: BreakState
    /// Who decides.
    package let actor: String
    /// Why.
    package let reason: String

    /// Makes a decision.
    ///
    /// - Throws: ``BreakRefusal/unusableText`` unless actor and reason are lines of 1 to 500 bytes.
    package init(_ state: BreakState, by actor: String, because reason: String) throws(BreakRefusal) {
        guard PayoutRefusal.isLine(actor, limit: Self.textLimit), PayoutRefusal.isLine(reason, limit: Self.textLimit)
        else { throw .unusableText }
        self.state = state
        self.actor = actor
        self.reason = reason
    }
}
