package import Domain

/// What two sides that were matched share: the identifiers of most matches are never written out.
package enum SharedKey: Hashable, Sendable {
    /// Our attempt.
    case attempt(AttemptID)
    /// Our operation.
    case operation(OperationID)
    /// A name of the PSP's or the bank's, or an amount.
    case text(String)

    /// As people read it.
    package var text: String {
        switch self {
        case .attempt(let attempt): attempt.text
        case .operation(let operation): operation.text
        case .text(let text): text
        }
    }
}
