import Domain

/// A PSP that keeps the truth: what became of every operation it ever saw, whatever we heard of it.
///
/// A repeated operation is answered as the first time and has no second effect.
struct ModelPSP {
    /// What the PSP's own books say of one attempt.
    struct Truth {
        var authorized: Int64 = 0
        var captured: Int64 = 0
        var refunded: Int64 = 0
        var isReleased = false
        /// The hold lapsed, or somebody captured it in the PSP's dashboard, and nobody told us.
        var hasSecret = false
        /// From when on a capture can be refunded rather than reversed.
        var settlesAt = Timestamp(microseconds: 0)

        var held: Int64 { isReleased ? 0 : authorized - captured }
        var net: Int64 { captured - refunded }
    }

    /// Something that the PSP will do later by itself.
    struct Plan {
        let at: Timestamp
        let operation: OperationID
        let attempt: AttemptID
        let kind: Kind

        enum Kind {
            /// What was pending succeeds or is refused.
            case finish(succeeds: Bool, amount: Int64, of: Operation.Kind)
            /// What was refused turns out to have succeeded.
            case contradict(amount: Int64, of: Operation.Kind)
            case lapse
            case captureInDashboard
        }
    }

    private(set) var truths: [AttemptID: Truth] = [:]
    private(set) var results: [OperationID: Outcome] = [:]
    private(set) var plans: [Plan] = []
    /// What we asked for and never should have.
    private(set) var complaints: [String] = []
    private var authorizations: [AttemptID: OperationID] = [:]

    func truth(_ attempt: AttemptID) -> Truth { truths[attempt] ?? Truth() }

    /// What became of an operation, without any effect.
    func inquire(_ operation: OperationID) -> Outcome { results[operation] ?? .refusedByPSP(.notFound) }

    /// Does what is asked, once.
    mutating func perform(
        _ operation: Operation,
        of attempt: AttemptID,
        at now: Timestamp,
        _ random: inout SplitMix
    ) -> Outcome {
        if let known = results[operation.id] { return known }
        let outcome =
            switch operation.kind {
            case .authorize: authorize(operation, attempt, now, &random)
            case .capture: capture(operation, attempt, now, &random)
            case .void: void(operation, attempt, now, &random)
            case .refund: refund(operation, attempt, now, &random)
            case .reverse: reverse(operation, attempt, now)
            }
        results[operation.id] = outcome
        return outcome
    }

    /// Does what was planned up to `now`, and answers the operations of which there is news.
    ///
    /// News of what we take for refused must arrive, because nobody asks after that.
    mutating func advance(to now: Timestamp) -> [(operation: OperationID, mustArrive: Bool)] {
        let due = plans.filter { $0.at <= now }
        plans.removeAll { $0.at <= now }
        return due.filter { carryOut($0, now) }.map { plan in
            if case .contradict = plan.kind { (plan.operation, true) } else { (plan.operation, false) }
        }
    }

    private mutating func authorize(
        _ operation: Operation,
        _ attempt: AttemptID,
        _ now: Timestamp,
        _ random: inout SplitMix
    ) -> Outcome {
        authorizations[attempt] = operation.id
        func later(_ kind: Plan.Kind, within milliseconds: Int64) {
            let at = now.adding(milliseconds: random.number(in: 1...milliseconds))
            plans.append(Plan(at: at, operation: operation.id, attempt: attempt, kind: kind))
        }
        switch random.number(in: 0...99) {
        case 0..<58:
            if random.chance(4) { later(.lapse, within: 40_000) }
            if random.chance(4) { later(.captureInDashboard, within: 40_000) }
            return apply(.authorize, operation.amount, attempt, now)
        case 58..<64:
            _ = apply(.authorize, operation.amount, attempt, now)
            _ = apply(.capture, operation.amount, attempt, now)
            return .succeeded(
                Success(reference: attempt.text, amount: operation.amount, capturedAmount: operation.amount)
            )
        case 64..<69: return apply(.authorize, random.number(in: 0...(operation.amount - 1)), attempt, now)
        case 69..<77: return .refusedByIssuer
        case 77..<80: return .refusedByPSP(.configuration)
        case 80..<83:
            later(.contradict(amount: operation.amount, of: .authorize), within: 100_000)
            return .refusedByIssuer
        case 83..<92:
            later(.finish(succeeds: random.chance(60), amount: operation.amount, of: .authorize), within: 60_000)
            return .inProgress
        default:
            if random.chance(70) {
                later(.finish(succeeds: random.chance(70), amount: operation.amount, of: .authorize), within: 90_000)
            }
            return .buyerHasToAct(expiresAt: random.chance(50) ? now.adding(milliseconds: 45_000) : nil)
        }
    }

    private mutating func capture(
        _ operation: Operation,
        _ attempt: AttemptID,
        _ now: Timestamp,
        _ random: inout SplitMix
    ) -> Outcome {
        let truth = truth(attempt)
        if truth.captured > 0 { return .refusedByPSP(.alreadyCaptured) }
        if truth.isReleased { return .refusedByPSP(random.chance(50) ? .expired : .alreadyVoided) }
        if operation.amount > truth.held { complaints.append("asked to capture more than is held") }
        let at = now.adding(milliseconds: random.number(in: 1...30_000))
        switch random.number(in: 0...99) {
        case 0..<74: return apply(.capture, operation.amount, attempt, now)
        case 74..<76: return apply(.capture, operation.amount - (operation.amount > 1 ? 1 : 0), attempt, now)
        case 76..<80: return .refusedByIssuer
        case 80..<84: return .refusedByPSP(.configuration)
        case 84..<86:
            let kind = Plan.Kind.contradict(amount: operation.amount, of: .capture)
            plans.append(Plan(at: at, operation: operation.id, attempt: attempt, kind: kind))
            return .refusedByIssuer
        default:
            let kind = Plan.Kind.finish(succeeds: random.chance(75), amount: operation.amount, of: .capture)
            plans.append(Plan(at: at, operation: operation.id, attempt: attempt, kind: kind))
            return .inProgress
        }
    }

    private mutating func void(
        _ operation: Operation,
        _ attempt: AttemptID,
        _ now: Timestamp,
        _ random: inout SplitMix
    ) -> Outcome {
        let truth = truth(attempt)
        if truth.captured > 0 { return .refusedByPSP(.alreadyCaptured) }
        if truth.isReleased { return .refusedByPSP(random.chance(50) ? .expired : .alreadyVoided) }
        switch random.number(in: 0...99) {
        case 0..<78: return apply(.void, 0, attempt, now)
        case 78..<86: return .refusedByPSP(.configuration)
        case 86..<90: return .refusedByIssuer
        default:
            let kind = Plan.Kind.finish(succeeds: random.chance(75), amount: 0, of: .void)
            let at = now.adding(milliseconds: random.number(in: 1...30_000))
            plans.append(Plan(at: at, operation: operation.id, attempt: attempt, kind: kind))
            return .inProgress
        }
    }

    private mutating func refund(
        _ operation: Operation,
        _ attempt: AttemptID,
        _ now: Timestamp,
        _ random: inout SplitMix
    ) -> Outcome {
        let truth = truth(attempt)
        if operation.amount > truth.net { complaints.append("asked to refund more than is captured") }
        if now < truth.settlesAt { return .refusedByPSP(.notSettledYet) }
        switch random.number(in: 0...99) {
        case 0..<74: return apply(.refund, operation.amount, attempt, now)
        case 74..<78: return apply(.refund, operation.amount / 2, attempt, now)
        case 78..<88: return random.chance(50) ? .refusedByPSP(.configuration) : .refusedByIssuer
        default:
            let kind = Plan.Kind.finish(succeeds: random.chance(75), amount: operation.amount, of: .refund)
            let at = now.adding(milliseconds: random.number(in: 1...30_000))
            plans.append(Plan(at: at, operation: operation.id, attempt: attempt, kind: kind))
            return .inProgress
        }
    }

    private mutating func reverse(_ operation: Operation, _ attempt: AttemptID, _ now: Timestamp) -> Outcome {
        now < truth(attempt).settlesAt
            ? apply(.reverse, truth(attempt).net, attempt, now) : .refusedByPSP(.unsupported)
    }
}

extension ModelPSP {
    /// Changes the truth, and answers the success to report.
    private mutating func apply(
        _ kind: Operation.Kind,
        _ amount: Int64,
        _ attempt: AttemptID,
        _ now: Timestamp
    ) -> Outcome {
        var truth = truth(attempt)
        switch kind {
        case .authorize: truth.authorized = amount
        case .capture:
            truth.captured = amount
            truth.isReleased = true
            truth.settlesAt = now.adding(milliseconds: amount % 3 == 0 ? 50_000 : 0)
        case .void:
            truth.isReleased = true
            callOff(attempt)
        case .refund: truth.refunded += amount
        case .reverse: truth.refunded = truth.captured
        }
        truths[attempt] = truth
        return .approved(amount, attempt.text)
    }

    /// A void of what was never finished ends it.
    private mutating func callOff(_ attempt: AttemptID) {
        guard let authorization = authorizations[attempt], truth(attempt).authorized == 0 else { return }
        results[authorization] = .refusedByIssuer
        plans.removeAll { $0.operation == authorization }
    }

    /// Whether there is news of the plan's operation.
    private mutating func carryOut(_ plan: Plan, _ now: Timestamp) -> Bool {
        let truth = truth(plan.attempt)
        switch plan.kind {
        case .finish(let succeeds, let amount, let kind):
            let isPossible =
                switch kind {
                case .authorize: !truth.isReleased
                case .capture: truth.captured == 0 && !truth.isReleased
                case .void: truth.held >= 0 && truth.captured == 0
                case .refund, .reverse: amount <= truth.net
                }
            results[plan.operation] =
                succeeds && isPossible
                ? apply(kind, amount, plan.attempt, now) : isPossible ? .refusedByIssuer : impossible(kind, truth)
            return true
        case .contradict(let amount, let kind):
            guard kind == .authorize || (truth.captured == 0 && !truth.isReleased) else { return false }
            results[plan.operation] = apply(kind, amount, plan.attempt, now)
            return true
        case .lapse, .captureInDashboard:
            guard truth.held > 0 else { return false }
            truths[plan.attempt]?.hasSecret = true
            truths[plan.attempt]?.isReleased = true
            if case .captureInDashboard = plan.kind { truths[plan.attempt]?.captured = truth.held }
            return false
        }
    }

    private func impossible(_ kind: Operation.Kind, _ truth: Truth) -> Outcome {
        switch kind {
        case .capture: .refusedByPSP(truth.captured > 0 ? .alreadyCaptured : .expired)
        case .void: .refusedByPSP(.alreadyCaptured)
        case .authorize, .refund, .reverse: .refusedByIssuer
        }
    }
}
