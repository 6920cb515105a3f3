package import StrictJSON

/// What a device makes of two versions of an order: what it would tell its owner.
package enum OrderChange: Hashable, Sendable, CustomStringConvertible {
    /// The order stands elsewhere.
    case status(from: String, to: String)
    /// Its payment stands elsewhere.
    case payment(from: String, to: String)
    /// Something is shipped or can be picked up that was not there before.
    case fulfillmentAdded(identifier: String, status: String)
    /// Something shipped or picked up stands elsewhere, or says something else.
    case fulfillment(identifier: String, from: String, to: String)
    /// Something is no longer shipped or picked up.
    case fulfillmentRemoved(identifier: String)
    /// Money moved, `refund` or `purchase`.
    case transaction(type: String, status: String, amount: String)
    /// The buyer sends something back, or that stands elsewhere.
    case `return`(identifier: String, status: String)
    /// Another member of the order is different.
    case other(member: String)

    /// A sentence.
    package var description: String {
        switch self {
        case .status(let from, let to): "the order: \(from) → \(to)"
        case .payment(let from, let to): "its payment: \(from) → \(to)"
        case .fulfillmentAdded(let identifier, let status): "\(identifier): \(status)"
        case .fulfillment(let identifier, let from, let to): "\(identifier): \(from) → \(to)"
        case .fulfillmentRemoved(let identifier): "\(identifier) is gone"
        case .transaction(let type, let status, let amount): "\(type) of \(amount): \(status)"
        case .return(let identifier, let status): "return \(identifier): \(status)"
        case .other(let member): "\(member) is different"
        }
    }

    /// Everything that is different in a later version, its time left aside.
    package static func all(from old: JSON, to new: JSON) -> [OrderChange] {
        var changes: [OrderChange] = []
        if let change = pair(old["status"], new["status"]) { changes.append(.status(from: change.0, to: change.1)) }
        if let change = pair(old["payment"]?["status"], new["payment"]?["status"]) {
            changes.append(.payment(from: change.0, to: change.1))
        }
        changes += transactions(old, new) + fulfillments(old, new) + returns(old, new)
        let told: Set<String> = ["status", "payment", "fulfillments", "returns", "updatedAt"]
        let members = (old.objectValue ?? []).map(\.key) + (new.objectValue ?? []).map(\.key)
        var seen = told
        for member in members where seen.insert(member).inserted && old[member] != new[member] {
            changes.append(.other(member: member))
        }
        if changes.isEmpty, old["payment"] != new["payment"] { changes.append(.other(member: "payment")) }
        return changes
    }

    private static func pair(_ old: JSON?, _ new: JSON?) -> (String, String)? {
        let (from, to) = (old?.stringValue ?? "-", new?.stringValue ?? "-")
        return from == to ? nil : (from, to)
    }

    /// Transactions have no name: those are told that the old version does not have as often.
    private static func transactions(_ old: JSON, _ new: JSON) -> [OrderChange] {
        var known = old["payment"]?["transactions"]?.arrayValue ?? []
        return (new["payment"]?["transactions"]?.arrayValue ?? []).compactMap { transaction in
            if let index = known.firstIndex(of: transaction) {
                known.remove(at: index)
                return nil
            }
            let amount = transaction["amount"]
            return .transaction(
                type: transaction["transactionType"]?.stringValue ?? "-",
                status: transaction["status"]?.stringValue ?? "-",
                amount: [amount?["amount"], amount?["currency"]].compactMap { $0?.stringValue }
                    .joined(separator: " ")
            )
        }
    }

    private static func fulfillments(_ old: JSON, _ new: JSON) -> [OrderChange] {
        let before = named(old["fulfillments"], "fulfillmentIdentifier")
        let after = named(new["fulfillments"], "fulfillmentIdentifier")
        let changed = after.compactMap { name, fulfillment -> OrderChange? in
            let status = fulfillment["status"]?.stringValue ?? "-"
            guard let earlier = before.first(where: { $0.name == name })?.value else {
                return .fulfillmentAdded(identifier: name, status: status)
            }
            guard earlier != fulfillment else { return nil }
            return .fulfillment(identifier: name, from: earlier["status"]?.stringValue ?? "-", to: status)
        }
        let gone = before.filter { earlier in !after.contains { $0.name == earlier.name } }
        return changed + gone.map { .fulfillmentRemoved(identifier: $0.name) }
    }

    private static func returns(_ old: JSON, _ new: JSON) -> [OrderChange] {
        let before = named(old["returns"], "returnIdentifier")
        return named(new["returns"], "returnIdentifier").compactMap { name, later in
            guard before.first(where: { $0.name == name })?.value != later else { return nil }
            return .return(identifier: name, status: later["status"]?.stringValue ?? "-")
        }
    }

    private static func named(_ list: JSON?, _ key: String) -> [(name: String, value: JSON)] {
        (list?.arrayValue ?? []).map { ($0[key]?.stringValue ?? "-", $0) }
    }
}
