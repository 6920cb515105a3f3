/// What an operator found out about an operation, outside of the gateway.
package enum OperatorWord: Hashable, Sendable {
    /// It was done: the amount in minor units, nil for what was asked, and the PSP's name for it if known.
    case succeeded(amount: Int64? = nil, reference: String? = nil)
    /// It was refused, and no money moved because of it.
    case failed
    /// It never reached the PSP.
    case notSent
}
