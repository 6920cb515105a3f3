/// What is known of an operation.
///
/// Facts may come in any order and twice; a state gives way only to one of a higher rank, so the order cannot
/// matter: open < unknown < pending = action required < refused < succeeded < reversed.
package enum OperationState: Hashable, Sendable {
    /// Written down; nothing has been heard.
    case open
    /// It may have happened. Somebody asks again on a schedule.
    case unknown(reason: String)
    /// The PSP works on it.
    case pending
    /// The buyer has to do something first.
    case actionRequired(NextAction)
    /// Provably nothing reached the PSP that can move money. Final.
    case notSent(reason: String)
    /// The issuer or a risk rule said no. Final, unless the PSP later says it succeeded.
    case declined(Decline)
    /// The PSP refused the request. Final, unless the PSP later says it succeeded.
    case rejected(Rejection)
    /// Done. Final, unless the PSP later says that it failed after all.
    case succeeded
    /// The PSP said it was done, and later that it failed after all, so that it counts as never done. Final.
    case reversed(Rejection)

    /// The rank; a state only gives way to one of a higher rank, or of the same one below `definite`.
    private var rank: Int {
        switch self {
        case .open: 0
        case .unknown: 1
        case .pending, .actionRequired: 2
        case .notSent, .declined, .rejected: 3
        case .succeeded: 4
        case .reversed: 5
        }
    }

    /// Whether the PSP, or the buyer, works on it.
    package var isWorkedOn: Bool { rank == 2 }

    /// Whether the credential of an authorization in this state is kept.
    ///
    /// It is as long as sending again is thinkable: nothing definite is known, and the PSP has not taken it over.
    package var keepsCredential: Bool { rank < 2 }

    /// Whether nothing more is expected.
    package var isDefinite: Bool { rank >= 3 }

    /// Whether the PSP, or our own evidence, said no.
    var isRefusal: Bool { rank == 3 }

    /// Whether it was done at some time.
    var hasSucceeded: Bool { rank >= 4 }

    /// Whether it is done, and did not fail after all.
    var isDone: Bool { rank == 4 }

    /// Whether it was done, and failed after all.
    var isReversed: Bool { rank == 5 }

    /// Whether `next` may take this state's place.
    func givesWay(to next: OperationState) -> Bool {
        next.rank > rank || (next.rank == rank && !isDefinite)
    }

    /// Whether one says that it is done and the other that it was refused.
    ///
    /// What failed after all came to nothing, as what was refused did. What we closed ourselves, because its void succeeded,
    /// was refused by nobody.
    func contradicts(_ other: OperationState) -> Bool {
        (isDone && other.isRefusal && !other.isCalledOff) || (isRefusal && other.isDone && !isCalledOff)
    }

    /// Whether it is an authorization that we closed because its void succeeded before the buyer was done.
    private var isCalledOff: Bool { self == .declined(.calledOff) }

    /// The name in tables and events.
    package var name: String {
        switch self {
        case .open: "open"
        case .unknown: "unknown"
        case .pending: "pending"
        case .actionRequired: "action_required"
        case .notSent: "not_sent"
        case .declined: "declined"
        case .rejected: "rejected"
        case .succeeded: "succeeded"
        case .reversed: "reversed"
        }
    }
}
