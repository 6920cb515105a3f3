/// What the simulator has to say to a request, before it is made into JSON.
package enum Reply: Hashable, Sendable {
    /// The authorization as it was when the request was processed.
    case authorization(Authorization)
    /// The operation as it was when the request was processed, and its authorization.
    case operation(Operation, of: Authorization)
    /// The request was refused.
    case refusal(Refusal)

    /// The HTTP status: 201 for what was made, 402 for what was declined, else the refusal's.
    package var status: Int {
        switch self {
        case .authorization(let authorization): authorization.status == .declined ? 402 : 201
        case .operation(let operation, of: _): operation.status == .failed ? 402 : 201
        case .refusal(let refusal): refusal.status
        }
    }

    /// The authorization's identifier.
    package var authorization: String? {
        switch self {
        case .authorization(let authorization), .operation(_, of: let authorization): authorization.id
        case .refusal: nil
        }
    }

    /// Whether the result is kept under the idempotency key; a refusal is not, so the request may be sent again.
    package var isKept: Bool {
        if case .refusal = self { false } else { true }
    }
}
