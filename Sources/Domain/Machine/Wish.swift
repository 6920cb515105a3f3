/// An operation that should be started.
struct Wish {
    /// What to ask.
    var kind: Operation.Kind
    /// The amount to ask for, in minor units.
    var amount: Int64
    /// How long to wait first.
    var delayMilliseconds: Int64 = 0
    /// The refund it belongs to.
    var refund: RefundID?
    /// For a capture: whether what it leaves of the hold is released.
    var isFinal = true
}
