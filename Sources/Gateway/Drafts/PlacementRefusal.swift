package import Domain
package import StrictJSON

/// Why an order was not placed.
///
/// Nothing was stored, no PSP was called, and the idempotency key is still free.
package enum PlacementRefusal: Error, Hashable, Sendable {
    /// The request cannot be accepted as it is; every reason at once.
    case invalid([Violation])
    /// The idempotency key was used with another body.
    case keyReused(OrderID)
    /// Another order of the marketplace uses the reference.
    case referenceInUse(OrderID)
    /// The agreement that it is paid under does not allow it.
    case agreement(AgreementRefusal)
}

extension SplitRefusal {
    /// The refusal in the words of the API.
    var violation: Violation {
        switch self {
        case .noContexts:
            Violation(pointer: "/contexts", code: "no_contexts", detail: "At least one context is needed.")
        case .repeated(let index):
            Violation(
                pointer: "/contexts/\(index)/external_identifier",
                code: "duplicate_external_identifier",
                detail: "An earlier context is for the same merchant."
            )
        case .otherCurrency(let index):
            Violation(
                pointer: "/contexts/\(index)/currency",
                code: "currency_mismatch",
                detail: "Every context is in the order's currency."
            )
        case .zero(let index):
            Violation(
                pointer: "/contexts/\(index)/amount",
                code: "out_of_range",
                detail: "Must be at least 1 minor unit."
            )
        case .exceedsTotal(let contexts, let total):
            Violation(
                pointer: "/contexts",
                code: "contexts_exceed_amount",
                detail: "The contexts sum to \(contexts), which is more than the amount of \(total)."
            )
        case .residualUnassigned(let residual):
            Violation(
                pointer: "/residual",
                code: "residual_unassigned",
                detail:
                    "The contexts leave \(residual) of the amount: send \"residual\": \"uncharged\" if that is meant."
            )
        case .overflow:
            Violation(
                pointer: "/contexts",
                code: "amount_overflow",
                detail: "The sum of the contexts does not fit 64 bits."
            )
        }
    }
}

extension PolicyRefusal {
    /// The refusal in the words of the API.
    var violation: Violation {
        switch self {
        case .unknownName(let name):
            Violation(
                pointer: "/policy/external_identifiers",
                code: "policy_unsatisfiable",
                detail: "No context is for the required merchant \"\(name.prefix(64))\"."
            )
        case .noNames:
            Violation(
                pointer: "/policy/external_identifiers",
                code: "policy_unsatisfiable",
                detail: "At least one merchant has to be required; best_effort requires none."
            )
        case .minimumOutOfRange:
            Violation(
                pointer: "/policy/amount",
                code: "policy_unsatisfiable",
                detail: "Must be above zero and at most the sum of the contexts."
            )
        }
    }
}
