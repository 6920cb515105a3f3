/// When a partial success of an order is acceptable.
package enum Policy: Hashable, Sendable {
    /// Every payment is needed.
    case allOrNothing
    /// Any payment will do.
    case bestEffort
    /// The payments of these merchants are needed, by external identifier.
    case required(Set<String>)
    /// At least that much in minor units has to be authorized.
    case minimum(Int64)

    /// The name on the wire.
    package var name: String {
        switch self {
        case .allOrNothing: "all_or_nothing"
        case .bestEffort: "best_effort"
        case .required: "required"
        case .minimum: "minimum"
        }
    }

    /// Whether an order is acceptable if these of its payments succeed and the others do not.
    ///
    /// One rule serves all four: everything required is there, and the sum reaches the minimum (1 if none is named).
    package func isSatisfied(by succeeding: [Payment], of all: [Payment]) -> Bool {
        let names = Set(succeeding.map(\.externalIdentifier))
        return required(of: all).isSubset(of: names)
            && succeeding.reduce(0) { $0 + $1.amount } >= leastAmount
    }

    private func required(of all: [Payment]) -> Set<String> {
        switch self {
        case .allOrNothing: Set(all.map(\.externalIdentifier))
        case .required(let names): names
        case .bestEffort, .minimum: []
        }
    }

    private var leastAmount: Int64 {
        if case .minimum(let amount) = self, !PlantedBug.minimumIgnored.isPlanted { amount } else { 1 }
    }
}

/// Why a policy can never be satisfied by the contexts it comes with.
package enum PolicyRefusal: Error, Hashable, Sendable {
    /// A required name is no context of the order.
    case unknownName(String)
    /// No name is required: that is `best_effort`.
    case noNames
    /// The minimum is not above zero, or more than the contexts sum to.
    case minimumOutOfRange
}

extension Policy {
    /// Checks the policy against a split.
    ///
    /// - Throws: ``PolicyRefusal``.
    package func check(against split: Split) throws(PolicyRefusal) {
        switch self {
        case .allOrNothing, .bestEffort: return
        case .required(let names):
            guard !names.isEmpty else { throw .noNames }
            let known = Set(split.contexts.map(\.externalIdentifier))
            if let unknown = names.subtracting(known).min() { throw .unknownName(unknown) }
        case .minimum(let amount):
            guard amount > 0, amount <= split.payable.minorUnits else { throw .minimumOutOfRange }
        }
    }
}
