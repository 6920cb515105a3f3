/// What a request asks of the simulator.
package enum OperationKind: String, Hashable, Sendable, CaseIterable {
    /// Hold an amount, or take it in the same call.
    case authorize
    /// Take the amount of an authorization.
    case capture
    /// Release an authorization.
    case void
    /// Give back the amount of a capture.
    case refund
    /// Ask what became of an authorization or an operation.
    case inquire
}
