package import Domain
package import SpillFiles

/// Why a reconciliation ends without a result.
package enum ReconciliationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The amounts of a currency add up to more than 128 bits hold.
    case sumOverflows(Currency)
    /// There are more payouts or entries of the bank than can be compared at once.
    case tooManyBankRows(limit: Int)
    /// The lookup answered another number of payments than it was asked for.
    case lookupAnswered(Int, of: Int)
    /// A text is longer than a line's can be; the limit in bytes.
    case textTooLong(limit: Int)
    /// Memory cannot be spilled to disk.
    case spill(SpillProblem)
    /// It was finished already.
    case finished

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .sumOverflows(let currency): "The sum of the amounts in \(currency.code) is too large."
        case .tooManyBankRows(let limit):
            "There are more than \(limit) payouts or bank entries; reconcile fewer days at a time."
        case .lookupAnswered(let found, let asked): "The lookup answered \(found) payments for \(asked) queries."
        case .textTooLong(let limit): "A reference has more than \(limit) bytes."
        case .spill(let problem): problem.description
        case .finished: "A reconciler can be finished once."
        }
    }
}
