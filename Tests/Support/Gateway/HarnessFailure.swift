package import Domain

/// What a test waited for in vain.
package enum HarnessFailure: Error, Hashable, CustomStringConvertible {
    /// No order has that identifier.
    case noOrder(OrderID)
    /// No order was placed under that key.
    case neverPlaced(String)
    /// The PSP was not asked for that.
    case neverAsked(String)
    /// The order did not become what the test waits for; this is how it stands.
    case neverCame(String)
    /// The API does not listen; this is how its serving ended.
    case neverServed(String)
    /// This is wrong with what was told.
    case wronglyTold([String])

    package var description: String {
        switch self {
        case .noOrder(let id): "there is no order \(id)"
        case .neverAsked(let what): "the PSP was never asked for \(what)"
        case .neverPlaced(let key): "no order was placed under \(key)"
        case .neverServed(let end): "the API does not listen: \(end)"
        case .wronglyTold(let complaints): "callbacks: \(complaints.joined(separator: "; "))"
        case .neverCame(let text): "the order stays: \(text)"
        }
    }

    /// An order in a few words.
    package static func text(_ order: Order) -> String {
        let payments = order.payments.map { payment in
            let operations = payment.attempts.flatMap(\.operations).map { "\($0.kind.rawValue) \($0.state)" }
            return "\(payment.externalIdentifier) \(payment.state.rawValue) [\(operations.joined(separator: ", "))]"
        }
        let reason = order.decision.reason?.rawValue ?? "-"
        return "\(order.status.rawValue) \(order.decision.state.rawValue) (\(reason)): "
            + payments.joined(separator: "; ")
    }
}
