/// What a trigger makes of an operation in the books.
package enum Effect: Hashable, Sendable {
    /// It succeeds.
    case approve
    /// It is declined.
    case decline(DeclineCode)
    /// The request is refused; the books keep no trace of it.
    case refuse(Refusal)
    /// Half of the amount is approved, rounded down, at least one minor unit.
    case approvePartly
    /// The authorization is approved and captured at once, whatever was asked.
    case captureAtOnce
    /// The authorization is approved and lapses after so many milliseconds.
    case lapse(afterMilliseconds: Int64)
    /// The buyer has to visit a page within so many milliseconds.
    case requireAction(withinMilliseconds: Int64)
    /// It is worked on and succeeds after so many milliseconds.
    case finish(afterMilliseconds: Int64)
    /// It is worked on and fails after so many milliseconds.
    case fail(afterMilliseconds: Int64)
    /// It succeeds, and after so many milliseconds it turns out to have failed.
    case failLater(afterMilliseconds: Int64)
    /// Refunds are refused until so many milliseconds after the capture; until then a void undoes the capture.
    case settle(afterMilliseconds: Int64)
    /// Inquiries do not find it until so many milliseconds after it was made.
    case hide(forMilliseconds: Int64)
}
