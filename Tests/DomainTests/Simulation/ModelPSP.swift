import Domain
import SeededRandom

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
        /// Somebody refunds in the PSP's dashboard beside us, so that we may ask for too much.
        var isMeddledWith = false
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
            case refundInDashboard
            /// A refund that had succeeded fails after all.
            case failRefund(amount: Int64)
        }
    }

    private(set) var truths: [AttemptID: Truth] = [:]
    private(set) var results: [OperationID: Outcome] = [:]
    private(set) var plans: [Plan] = []
    /// What we asked for and never should have.
    private(set) var complaints: [String] = []
    /// What the PSP says by itself, each at least once.
    private(set) var notices: [Notice] = []
    private var authorizations: [AttemptID: OperationID] = [:]
    private var asked: [OperationID: Operation] = [:]

    func truth(_ attempt: AttemptID) -> Truth { truths[attempt] ?? Truth() }

    /// What became of an operation, without any effect.
    func inquire(_ operation: OperationID) -> Outcome { results[operation] ?? .refusedByPSP(.notFound) }

    /// Does what is asked, once.
    mutating func perform(
        _ operation: Operation,
        of attempt: AttemptID,
        at now: Timestamp,
        _ random: inout SeededRandom
    ) -> Outcome {
        // Under another key it is another request.
        if let known = results[operation.id], asked[operation.id]?.retries == operation.retries { return known }
        asked[operation.id] = operation
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

    /// Takes what the PSP has to say by itself.
    mutating func takeNotices() -> [Notice] {
        defer { notices = [] }
        return notices
    }

    private mutating func authorize(
        _ operation: Operation,
        _ attempt: AttemptID,
        _ now: Timestamp,
        _ random: inout SeededRandom
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
            return apply(operation, operation.amount, attempt, now)
        case 58..<64:
            _ = apply(operation, operation.amount, attempt, now)
            truths[attempt]?.captured = operation.amount
            truths[attempt]?.isReleased = true
            return .succeeded(
                Success(reference: attempt.text, amount: operation.amount, capturedAmount: operation.amount)
            )
        case 64..<69: return apply(operation, random.number(in: 0...(operation.amount - 1)), attempt, now)
        case 69..<77: return .refusedByIssuer
        case 77..<80: return .refusedByPSP(.configuration)
        case 80..<83:
            later(.contradict(amount: operation.amount, of: .authorize), within: 100_000)
            return .refusedByIssuer
        case 83..<92:
            later(.finish(succeeds: random.chance(60), amount: operation.amount, of: .authorize), within: 60_000)
            return .inProgress
        default:
            // A step that nobody takes ends one day.
            if random.chance(70) {
                later(.finish(succeeds: random.chance(70), amount: operation.amount, of: .authorize), within: 90_000)
            } else {
                later(.finish(succeeds: false, amount: operation.amount, of: .authorize), within: 900_000)
            }
            return .buyerHasToAct(expiresAt: random.chance(50) ? now.adding(milliseconds: 45_000) : nil)
        }
    }

    private mutating func capture(
        _ operation: Operation,
        _ attempt: AttemptID,
        _ now: Timestamp,
        _ random: inout SeededRandom
    ) -> Outcome {
        let truth = truth(attempt)
        if truth.held == 0, truth.captured > 0 { return .refusedByPSP(.alreadyCaptured) }
        if truth.isReleased { return .refusedByPSP(random.chance(50) ? .expired : .alreadyVoided) }
        if operation.amount > truth.held { complaints.append("asked to capture more than is held") }
        if random.chance(8) {
            let later = now.adding(milliseconds: random.number(in: 1...60_000))
            plans.append(Plan(at: later, operation: operation.id, attempt: attempt, kind: .refundInDashboard))
        }
        let at = now.adding(milliseconds: random.number(in: 1...30_000))
        switch random.number(in: 0...99) {
        case 0..<74: return apply(operation, operation.amount, attempt, now)
        case 74..<76: return apply(operation, operation.amount - (operation.amount > 1 ? 1 : 0), attempt, now)
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
        _ random: inout SeededRandom
    ) -> Outcome {
        let truth = truth(attempt)
        if truth.held == 0, truth.captured > 0 { return .refusedByPSP(.alreadyCaptured) }
        if truth.isReleased { return .refusedByPSP(random.chance(50) ? .expired : .alreadyVoided) }
        switch random.number(in: 0...99) {
        case 0..<78: return apply(operation, 0, attempt, now)
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
        _ random: inout SeededRandom
    ) -> Outcome {
        let truth = truth(attempt)
        if operation.amount > truth.net {
            if !truth.isMeddledWith { complaints.append("asked to refund more than is captured") }
            return .refusedByPSP(.unsupported)
        }
        if now < truth.settlesAt { return .refusedByPSP(.notSettledYet) }
        switch random.number(in: 0...99) {
        case 0..<74:
            if random.chance(12) {
                let later = now.adding(milliseconds: random.number(in: 1...60_000))
                let kind = Plan.Kind.failRefund(amount: operation.amount)
                plans.append(Plan(at: later, operation: operation.id, attempt: attempt, kind: kind))
            }
            return apply(operation, operation.amount, attempt, now)
        case 74..<78: return apply(operation, operation.amount / 2, attempt, now)
        case 78..<88: return random.chance(50) ? .refusedByPSP(.configuration) : .refusedByIssuer
        default:
            let kind = Plan.Kind.finish(succeeds: random.chance(75), amount: operation.amount, of: .refund)
            let at = now.adding(milliseconds: random.number(in: 1...30_000))
            plans.append(Plan(at: at, operation: operation.id, attempt: attempt, kind: kind))
            return .inProgress
        }
    }

    private mutating func reverse(_ operation: Operation, _ attempt: AttemptID, _ now: Timestamp) -> Outcome {
        now < truth(attempt).settlesAt && truth(attempt).refunded == 0
            ? apply(operation, truth(attempt).net, attempt, now) : .refusedByPSP(.unsupported)
    }
}

extension ModelPSP {
    /// Changes the truth, and answers the success to report.
    private mutating func apply(
        _ operation: Operation,
        _ amount: Int64,
        _ attempt: AttemptID,
        _ now: Timestamp
    ) -> Outcome {
        var truth = truth(attempt)
        switch operation.kind {
        case .authorize: truth.authorized = amount
        case .capture:
            truth.captured += amount
            truth.isReleased = truth.isReleased || operation.isFinal
            truth.settlesAt = now.adding(milliseconds: amount % 3 == 0 ? 50_000 : 0)
        case .void:
            truth.isReleased = true
            callOff(attempt)
        case .refund: truth.refunded += amount
        case .reverse: truth.refunded = truth.captured
        }
        truths[attempt] = truth
        return .approved(amount, operation.kind == .authorize ? attempt.text : operation.id.text)
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
                case .capture: amount <= truth.held
                case .void: truth.held >= 0 && (truth.captured == 0 || truth.held > 0)
                case .refund, .reverse: amount <= truth.net
                }
            results[plan.operation] = finish(plan, amount, succeeds: succeeds, isPossible: isPossible, kind, now)
            return true
        case .contradict(let amount, let kind):
            guard kind == .authorize || amount <= truth.held, let operation = asked[plan.operation] else {
                return false
            }
            results[plan.operation] = apply(operation, amount, plan.attempt, now)
            return true
        case .lapse, .captureInDashboard:
            guard truth.held > 0 else { return false }
            truths[plan.attempt]?.hasSecret = true
            truths[plan.attempt]?.isReleased = true
            if case .captureInDashboard = plan.kind { truths[plan.attempt]?.captured = truth.held }
            return false
        case .refundInDashboard:
            let amount = (truth.net + 1) / 2
            guard amount > 0 else { return false }
            truths[plan.attempt]?.refunded += amount
            truths[plan.attempt]?.isMeddledWith = true
            let object = "dashboard-" + plan.operation.text
            say(.outcome(.refund, .approved(amount, object)), of: plan.attempt, object)
            return false
        case .failRefund(let amount):
            truths[plan.attempt]?.refunded -= amount
            say(.reversed(.refund, .later), of: plan.attempt, plan.operation.text)
            return false
        }
    }

    private mutating func finish(
        _ plan: Plan,
        _ amount: Int64,
        succeeds: Bool,
        isPossible: Bool,
        _ kind: Operation.Kind,
        _ now: Timestamp
    ) -> Outcome {
        guard isPossible else { return impossible(kind, truth(plan.attempt)) }
        guard succeeds, let operation = asked[plan.operation] else { return .refusedByIssuer }
        return apply(operation, amount, plan.attempt, now)
    }

    private mutating func say(_ happening: Notice.Happening, of attempt: AttemptID, _ object: String) {
        notices.append(Notice(about: .init(attempt: attempt.text, object: object), happening))
    }

    private func impossible(_ kind: Operation.Kind, _ truth: Truth) -> Outcome {
        switch kind {
        case .capture: .refusedByPSP(truth.captured > 0 ? .alreadyCaptured : .expired)
        case .void: .refusedByPSP(.alreadyCaptured)
        case .authorize, .refund, .reverse: .refusedByIssuer
        }
    }
}
