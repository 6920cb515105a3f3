import Domain

/// What must hold of every step of the machine, whatever the step was.
enum StepRules {
    /// What is wrong with a step from `before` to `after` that left `record`.
    static func complaints(
        from before: Order,
        to after: Order,
        leaving record: OrderMachine.Record,
        isPlacing: Bool = false
    ) -> [String] {
        OrderRules.violations(of: after).map { "breaks \($0.rawValue)" }
            + decision(before, after) + status(before, after, record, isPlacing: isPlacing)
            + events(before, after, record) + operations(before, after, record)
            + erasures(before, after, record)
    }

    /// An instance performs what it took in hand in this step and has still, and nothing else.
    static func complaints(
        performing performed: [OperationID],
        by instance: String,
        from before: Order,
        to after: Order
    ) -> [String] {
        let leases = Dictionary(uniqueKeysWithValues: all(before).map { ($0.id, $0.leases) })
        let expected = all(after).filter { $0.leasedBy == instance && $0.leases > leases[$0.id, default: 0] }.map(\.id)
        return performed == expected ? [] : ["performs \(performed), not \(expected)"]
    }

    /// A credential is erased in the step in which its authorization needs it no more, and in no other.
    private static func erasures(_ before: Order, _ after: Order, _ record: OrderMachine.Record) -> [String] {
        let known = Dictionary(
            uniqueKeysWithValues: before.payments.flatMap(\.attempts).map { ($0.id, $0.authorization.state) }
        )
        let expected = after.payments.flatMap(\.attempts).filter { attempt in
            !attempt.authorization.state.keepsCredential && known[attempt.id]?.keepsCredential != false
        }
        let isExact = Set(record.erasures) == Set(expected.map(\.id)) && record.erasures.count == expected.count
        return isExact ? [] : ["erases the credentials of \(record.erasures), not of \(expected.map(\.id))"]
    }

    private static func decision(_ before: Order, _ after: Order) -> [String] {
        let (old, new) = (before.decision, after.decision)
        let isLegal =
            switch (old.state, new.state) {
            case (.pending, .cleared), (.pending, .accepted), (.pending, .refused), (.cleared, .accepted): true
            case (.cleared, .refused): new.reason == .captureFailed
            case (.accepted, .canceled):
                after.payments.allSatisfy { payment in
                    payment.captured == 0 || payment.canceledAt != nil || !old.countsOn.contains(payment.id)
                }
                    && [.expired, .requested, .released, .captureFailed].contains(new.reason)
            case (.cleared, .cleared):
                old.reason == new.reason && old.at == new.at && new.countsOn.isSubset(of: old.countsOn)
            default: old == new
            }
        return isLegal ? [] : ["the decision went from \(old) to \(new)"]
    }

    private static func status(
        _ before: Order,
        _ after: Order,
        _ record: OrderMachine.Record,
        isPlacing: Bool
    ) -> [String] {
        var complaints: [String] = []
        let table = StatusTable.status(of: after)
        if after.status != table {
            complaints.append("status \(after.status), the table says \(String(describing: table))")
        }
        let changes = record.events.filter { $0.type == "order.status_changed" }
        let told = changes.map { [$0.details.first?.value, $0.details.last?.value] }
        let change: [OrderEvent.Value?] = [.text(before.status.rawValue), .text(after.status.rawValue)]
        let expected = before.status == after.status || isPlacing ? [] : [change]
        if told != expected { complaints.append("status changes told: \(told), expected \(expected)") }
        return complaints
    }

    private static func events(_ before: Order, _ after: Order, _ record: OrderMachine.Record) -> [String] {
        let numbers = record.events.map(\.sequence)
        let expected = (0..<record.events.count).map { before.eventSequence + 1 + Int64($0) }
        guard numbers == expected, after.eventSequence == before.eventSequence + Int64(numbers.count) else {
            return ["events are numbered \(numbers) after \(before.eventSequence)"]
        }
        if before.decision.state != after.decision.state,
            !record.events.contains(where: { $0.type == "order." + after.decision.state.rawValue })
        {
            return ["nobody is told of the decision \(after.decision.state)"]
        }
        return []
    }

    private static func operations(_ before: Order, _ after: Order, _ record: OrderMachine.Record) -> [String] {
        var complaints: [String] = []
        let known = Dictionary(uniqueKeysWithValues: all(before).map { ($0.id, $0) })
        let now = all(after)
        if !Set(known.keys).isSubset(of: now.map(\.id)) { complaints.append("an operation has vanished") }
        for operation in now {
            let old = known[operation.id]
            let isAmended = operation.state == .succeeded || operation.state.name == "reversed"
            // What was refused without leaving anything is begun anew under another key.
            let isAnew = operation.state == .open && operation.retries > (old?.retries ?? 0)
            if let old, old.state.isDefinite, old.state != operation.state, !isAmended, !isAnew {
                complaints.append("\(operation.kind) went from \(old.state.name) to \(operation.state.name)")
            }
            if old?.state.name != operation.state.name, let missing = missingFact(of: operation, in: record) {
                complaints.append("\(operation.kind) is \(operation.state.name), and no fact says \(missing)")
            }
            if old?.state.name != operation.state.name, old != nil || operation.kind != .authorize,
                !record.events.contains(where: { $0.operation == operation.id })
            {
                complaints.append("nobody is told that \(operation.kind) is \(operation.state.name)")
            }
        }
        return complaints
    }

    /// The kind of fact that has to be written down with an operation's new end, and was not; see the rule
    /// `operations_follow_facts` of the ledger's audit.
    private static func missingFact(of operation: Operation, in record: OrderMachine.Record) -> String? {
        let founding: Set<String> =
            switch operation.state {
            case .succeeded: ["succeeded", "rejected"]
            case .declined: ["declined"]
            case .rejected: ["rejected"]
            case .reversed: ["reversed"]
            case .notSent: operation.leases == 0 ? [] : ["not_sent", "rejected"]
            case .open, .unknown, .pending, .actionRequired: []
            }
        guard !founding.isEmpty else { return nil }
        let isFounded = record.facts.contains { $0.operation == operation.id && founding.contains($0.kind) }
        return isFounded ? nil : founding.sorted().joined(separator: " or ")
    }

    private static func all(_ order: Order) -> [Operation] { order.payments.flatMap(\.attempts).flatMap(\.operations) }
}
