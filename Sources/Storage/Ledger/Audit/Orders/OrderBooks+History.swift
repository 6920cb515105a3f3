import Domain

/// What was heard and told of an order against where it stands.
extension OrderBooks {
    var historyFindings: [LedgerFinding] { decisionFindings + eventFindings + callbackFindings + factFindings }

    private var decisionFindings: [LedgerFinding] {
        let state = order.decision.state
        let expected = state == .pending || state == .cleared ? "none" : "order.\(state.rawValue)"
        return compare(.decisionIsTold, expected: expected, found: toldDecision ?? "none")
    }

    private var eventFindings: [LedgerFinding] {
        func text(_ count: Int64, _ first: Int64, _ last: Int64) -> String {
            "\(count) events, numbered \(first) to \(last)"
        }
        let last = order.eventSequence
        return compare(
            .eventsHaveNoGaps,
            expected: text(last, min(1, last), last),
            found: text(eventCount, firstEvent, lastEvent)
        )
    }

    private var callbackFindings: [LedgerFinding] {
        told.flatMap { told -> [LedgerFinding] in
            let payment = order.payments.first { $0.id.text == told.payment }
            let announced = told.merchant == nil ? order.announced : payment?.announced ?? 0
            let isRight = told.distinct == told.count && told.first >= 1 && told.last <= announced
            let subject = "\(told.merchant == nil ? order.id.text : told.payment ?? order.id.text) \(told.endpoint)"
            return isRight
                ? []
                : compare(
                    .callbacksAgree,
                    subject,
                    expected: "each number from 1 to \(announced) at most once",
                    found: "\(told.count) callbacks of \(told.distinct) numbers, \(told.first) to \(told.last)"
                )
        }
    }

    private var factFindings: [LedgerFinding] {
        order.payments.flatMap(\.attempts).flatMap(\.operations).flatMap { operation -> [LedgerFinding] in
            let heard = facts[operation.id.text] ?? []
            let isFounded =
                switch operation.state {
                case .succeeded: !heard.isDisjoint(with: ["succeeded", "rejected"])
                case .declined: heard.contains("declined") || operation.kind == .authorize
                case .rejected: heard.contains("rejected")
                case .notSent: operation.leases == 0 || !heard.isDisjoint(with: ["not_sent", "rejected"])
                case .reversed: heard.contains("reversed")
                case .open, .unknown, .pending, .actionRequired: true
                }
            let isOutdone =
                heard.contains("succeeded") && !heard.contains("reversed") && operation.state != .succeeded
            guard !isFounded || isOutdone else { return [] }
            return [
                LedgerFinding(
                    .operationsFollowFacts,
                    operation.id.text,
                    expected: "a state of \(heard.isEmpty ? "nothing heard" : heard.sorted().joined(separator: ", "))",
                    found: operation.state.name
                )
            ]
        }
    }
}
