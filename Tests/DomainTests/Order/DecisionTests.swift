import Domain
import SeededRandom
import Testing

@Suite("Decision")
struct DecisionTests {
    /// Equal amounts, so that only how many are authorized matters to a minimum.
    static let amounts: [Int64] = [100, 100, 100, 100]

    private struct Case {
        let replies: [Reply]
        let policy: Policy
        let capture: OrderTerms.Capture
        let onDeadline: OrderTerms.OnDeadline
        let moment: Moment
    }

    private static func policies(for count: Int) -> [Policy] {
        let names = (0..<count).map(Checkout.name)
        let subsets = (1..<(1 << count)).map { bits in
            Policy.required(Set(names.enumerated().filter { bits & (1 << $0.offset) != 0 }.map(\.element)))
        }
        let minima = [1] + (1..<Int64(count)).map { $0 * 100 + 1 } + [Int64(count) * 100]
        return [.allOrNothing, .bestEffort] + subsets + minima.map(Policy.minimum)
    }

    /// The rule of the design, in plain words: nothing of the machine is used.
    private static func expected(_ what: Case) -> (state: Decision.State, reason: Decision.Reason?, on: Set<Int>) {
        let indices = Array(what.replies.indices)
        let authorized = Set(indices.filter { what.replies[$0] == .authorized })
        let open = Set(indices.filter { what.replies[$0].isOpen })
        func suffices(_ set: Set<Int>) -> Bool {
            let sum = set.map { amounts[$0] }.reduce(0, +)
            switch what.policy {
            case .allOrNothing: return set.count == indices.count
            case .bestEffort: return !set.isEmpty
            case .required(let names): return names.isSubset(of: set.map(Checkout.name))
            case .minimum(let least): return sum >= least
            }
        }
        let accepting: Decision.State = what.capture == .manual ? .accepted : .cleared
        if !suffices(authorized.union(open)) { return (.refused, .policyUnsatisfiable, []) }
        if open.isEmpty { return (accepting, .policySatisfied, authorized) }
        let runs = what.onDeadline == .abandon && !what.replies.contains(.actionRequired)
        let isOver = what.moment == .afterDecideBy || (what.moment == .afterTheDeadline && runs)
        guard isOver else { return (.pending, nil, []) }
        if suffices(authorized) { return (accepting, .policySatisfiedInTime, authorized) }
        return (.refused, what.moment == .afterDecideBy ? .decideBy : .deadline, [])
    }

    /// The operations that have to be on their way after the decision, by payment.
    private static func wanted(_ what: Case, _ state: Decision.State, _ on: Set<Int>) -> [Operation.Kind?] {
        what.replies.indices.map { index in
            switch (what.replies[index], state) {
            case (.partly, _): .void
            case (.authorized, .pending): nil
            case (.authorized, _): on.contains(index) ? (what.capture == .automatic ? .capture : nil) : .void
            case (.actionRequired, .pending): nil
            case (.actionRequired, _): .void
            default: nil
            }
        }
    }

    private static func order(_ checkout: Checkout, _ replies: [Reply]) throws -> Order {
        var ids = IdentifierSource(random: SeededRandom(seed: 3))
        var order = try checkout.order(&ids)
        for (index, reply) in replies.enumerated() {
            var operation = order.payments[index].attempt.authorization
            operation.leases = 1
            operation.repliedAt = Checkout.placedAt
            switch reply {
            case .authorized, .partly:
                operation.state = .succeeded
                operation.doneAmount = operation.amount - (reply == .partly ? 1 : 0)
            case .declined: operation.state = .declined(Decline(code: "05", category: .generic, message: ""))
            case .rejected: operation.state = .rejected(Rejection(.configuration, code: "", message: ""))
            case .notSent: operation.state = .notSent(reason: "no connection")
            case .unknown: operation.state = .unknown(reason: "timed out")
            case .pending: operation.state = .pending
            case .actionRequired:
                let expiry = checkout.terms.decideBy.adding(milliseconds: 60_000)
                operation.state = .actionRequired(NextAction(kind: .redirect, expiresAt: expiry))
            }
            operation.dueAt = operation.isOpen ? checkout.terms.decideBy : nil
            order.payments[index].attempts[0].operations = [operation]
        }
        return order
    }

    private static func moment(_ moment: Moment, of checkout: Checkout) -> Timestamp {
        switch moment {
        case .beforeTheDeadline: checkout.terms.deadlineAt.adding(milliseconds: -1)
        case .afterTheDeadline: checkout.terms.deadlineAt
        case .afterDecideBy: checkout.terms.decideBy
        }
    }

    /// What the machine makes of a case that differs from the rule; nil if nothing does.
    private static func mistake(_ what: Case, _ base: Order, _ checkout: Checkout) -> String? {
        var order = base
        order.terms.policy = what.policy
        order.terms.capture = what.capture
        order.terms.onDeadline = what.onDeadline
        if what.replies.contains(.actionRequired) { order.actionSince = Checkout.placedAt }
        var machine = OrderMachine(
            order,
            at: moment(what.moment, of: checkout),
            by: "one",
            rules: OrderTimings(),
            ids: IdentifierSource(random: SeededRandom(seed: 4))
        )
        machine.tick()
        let (decision, rule) = (machine.order.decision, expected(what))
        let countsOn = Set(
            machine.order.payments.indices.filter {
                decision.countsOn.contains(machine.order.payments[$0].id)
            }
        )
        guard decision.state == rule.state, decision.reason == rule.reason, countsOn == rule.on else {
            return "\(what): \(decision.state) for \(String(describing: decision.reason)), expected \(rule)"
        }
        let started = machine.order.payments.map { $0.attempt.openOperations.first?.kind }
        let wanted = wanted(what, rule.state, rule.on)
        return started == wanted ? nil : "\(what): started \(started), expected \(wanted)"
    }

    /// The vectors of replies that are not the same but for the order of the payments, two and fewer in any order.
    ///
    /// Every policy is tried with each: all subsets of names, and minima over equal amounts. Reordering the payments of
    /// any other vector gives one of these with another subset.
    private static func vectors(of count: Int) -> [[Reply]] {
        let kinds = Reply.allCases
        return (0..<count).reduce([[Int]()]) { vectors, _ in
            vectors.flatMap { vector in
                kinds.indices.filter { count <= 2 || $0 >= vector.last ?? 0 }.map { vector + [$0] }
            }
        }.map { $0.map { kinds[$0] } }
    }

    @Test(
        "follows the rule for every vector of replies, policy, capture mode, deadline and moment",
        arguments: [1, 2, 3, 4]
    )
    func followsTheRule(_ count: Int) throws {
        let checkout = Checkout(amounts: Array(Self.amounts.prefix(count)))
        var (cases, mistakes) = (0, 0)
        for replies in Self.vectors(of: count) {
            let base = try Self.order(checkout, replies)
            for policy in Self.policies(for: count) {
                for capture in OrderTerms.Capture.allCases {
                    for onDeadline in [OrderTerms.OnDeadline.abandon, .continue] {
                        for moment in Moment.allCases {
                            cases += 1
                            let what = Case(
                                replies: replies,
                                policy: policy,
                                capture: capture,
                                onDeadline: onDeadline,
                                moment: moment
                            )
                            guard let mistake = Self.mistake(what, base, checkout) else { continue }
                            mistakes += 1
                            if mistakes <= 3 { Issue.record("\(mistake)") }
                        }
                    }
                }
            }
        }
        #expect(mistakes == 0, "of \(cases)")
    }
}
