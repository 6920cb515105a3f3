/// Why nothing was done about a break.
package enum BreakRefusal: Error, Hashable, Sendable {
    /// The marketplace has no such break.
    case unknown(BreakID)
    /// A break does not go from the one state to the other.
    case illegal(from: BreakState, to: BreakState)
    /// Somebody else was faster: it is in this state now.
    case changed(BreakState)
    /// The actor or the reason is empty, longer than 500 bytes, has spaces at an end or control characters.
    case unusableText
}
