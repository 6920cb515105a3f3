/// One try to authorize a payment at one PSP account.
///
/// Never overwritten.
package struct Attempt: Hashable, Sendable {
    /// Its identifier, which is our reference at the PSP.
    package let id: AttemptID
    /// Where it was routed.
    package let route: FrozenRoute
    /// The PSP's name for the payment, once known.
    package var pspReference: String?
    /// Opaque provider state.
    package var pspState: String?
    /// The card network, as the PSP names it.
    package var network: String?
    /// The last four digits of the card or token.
    package var last4: String?
    /// When the authorization lapses.
    package var expiresAt: Timestamp?
    /// What was asked of the PSP, in the order of asking; the first is the authorization.
    package var operations: [Operation]

    /// Makes an attempt with its authorization.
    package init(id: AttemptID, route: FrozenRoute, operations: [Operation]) {
        self.id = id
        self.route = route
        self.operations = operations
    }

    /// The authorization.
    ///
    /// - Precondition: the attempt has one, which placing and loading see to.
    package var authorization: Operation {
        guard let first = operations.first, first.kind == .authorize else {
            preconditionFailure("an attempt begins with an authorization")
        }
        return first
    }

    /// What the PSP approved, in minor units.
    package var authorized: Int64 { done(.authorize) }
    /// What is captured, given back or not.
    package var captured: Int64 { done(.capture) }
    /// What is given back.
    package var refunded: Int64 { done(.refund) + done(.reverse) }
    /// What was released without being captured: by a void, or by a capture of less than the authorization.
    package var released: Int64 { isReleased ? authorized - captured : 0 }
    /// What is still held on the card.
    package var held: Int64 { authorized - captured - released }
    /// What is captured and not given back.
    package var net: Int64 { captured - refunded }
    /// Whether the PSP approved less than was asked.
    package var isPartialApproval: Bool { authorization.state == .succeeded && authorized < authorization.amount }

    /// The operations behind the authorization that may still come to something.
    package var openOperations: [Operation] { operations.filter { $0.kind != .authorize && $0.isOpen } }

    /// The operations of a kind.
    package func all(_ kind: Operation.Kind) -> [Operation] { operations.filter { $0.kind == kind } }

    private var isReleased: Bool {
        operations.contains { $0.state == .succeeded && ($0.kind == .void || $0.kind == .capture) }
    }

    private func done(_ kind: Operation.Kind) -> Int64 {
        operations.reduce(0) { $0 + ($1.kind == kind && $1.state == .succeeded ? $1.doneAmount : 0) }
    }
}
