import Domain

/// What a PSP did to a payment, for us and for whoever uses its portal beside us.
struct PortalPSP {
    /// Something that it did, works on, or failed to do.
    struct Effect {
        /// Where it stands.
        enum State {
            case workedOn
            case done
            case refused
            case failedAfterAll
        }

        let action: Notice.Action
        let amount: Int64
        /// Its name for it.
        let name: String
        /// What of ours it is for; nil for the portal.
        let operation: OperationID?
        /// Under which of its keys that asked for it.
        let retries: Int64
        /// For a capture: whether it leaves nothing of the hold.
        let isFinal: Bool
        /// Where it stands.
        var state = State.workedOn
        /// For a capture: whether a void took it back.
        var isReversed = false
    }

    /// What the buyer's bank disputes.
    struct Dispute {
        /// The PSP's name for it.
        let name: String
        let amount: Int64
        var state = DisputeNotice.State.opened
    }

    /// Something that happened, as it stood then.
    enum News {
        case effect(Effect)
        /// A dispute, and the number of this change among all news.
        case dispute(Dispute, Int64)
    }

    /// Its name for the payment.
    static let payment = "pay_1"

    let manner: PortalManner
    private(set) var authorized: Int64 = 0
    private(set) var effects: [Effect] = []
    private(set) var disputes: [Dispute] = []
    /// What happened, of which it tells, in this order.
    private(set) var news: [News] = []
    private var isReleased = false
    /// What it answered first, where it answers a repetition alike.
    private var answers: [String: Outcome] = [:]

    init(_ manner: PortalManner) { self.manner = manner }

    /// What was captured and did not fail after all, taken back or not.
    var captured: Int64 { sum(.capture) }
    /// What was given back, with what voids took back.
    var refunded: Int64 { sum(.refund) + effects.reduce(0) { $0 + ($1.isReversed ? $1.amount : 0) } }
    /// What is held; what failed after it was captured is not held again.
    var held: Int64 { isReleased ? 0 : authorized - captured - failed }
    /// What failed after it was captured.
    var failed: Int64 { sum(.capture, .failedAfterAll) }
    /// What disputes take that are not won.
    var chargedBack: Int64 { disputes.reduce(0) { $0 + ($1.state == .won ? 0 : $1.amount) } }
    /// What can be given back, or disputed.
    var refundable: Int64 { captured - refunded - chargedBack }
    private var isVoided: Bool { effects.contains { $0.action == .void && $0.state == .done } }

    private func sum(_ action: Notice.Action, _ state: Effect.State = .done) -> Int64 {
        effects.reduce(0) { $0 + ($1.action == action && $1.state == state ? $1.amount : 0) }
    }

    /// What became of an operation, as far as anything was begun.
    func find(_ operation: Operation) -> Outcome? {
        if operation.kind == .authorize { return authorized > 0 ? approval(operation) : nil }
        let known = effects.first {
            $0.operation == operation.id && ($0.state != .refused || $0.retries == operation.retries)
        }
        return known.map(outcome)
    }

    /// Does what an operation asks, or begins to.
    mutating func perform(_ operation: Operation) -> Outcome {
        let key = "\(operation.id) \(operation.retries)"
        if let known = find(operation) ?? answers[key] { return known }
        let outcome =
            switch operation.kind {
            case .authorize: authorize(operation)
            case .capture: capture(operation)
            case .void: void(operation)
            case .refund: refund(operation)
            case .reverse: Outcome.refusedByPSP(.unsupported)
            }
        if manner.repeatsAnswers { answers[key] = outcome }
        return outcome
    }

    /// Does what somebody asks in the portal, if it can be done.
    mutating func act(_ action: Notice.Action, _ amount: Int64) {
        switch action {
        case .authorize: break
        case .capture where held > 0 && (1...held).contains(amount):
            add(.capture, amount, nil, isFinal: !manner.severalCaptures || amount == held)
        case .refund where amount > 0 && amount <= refundable: add(.refund, amount, nil)
        case .void where held > 0 || mayTakeBack: add(.void, authorized, nil)
        case .capture, .refund, .void: break
        }
    }

    /// The buyer's bank disputes an amount, or decides an earlier dispute; false if there is nothing to dispute.
    mutating func dispute(_ amount: Int64, decidesFor state: DisputeNotice.State) -> Bool {
        if let open = disputes.firstIndex(where: { $0.state == .opened }) {
            disputes[open].state = state
            news.append(.dispute(disputes[open], Int64(news.count)))
            return true
        }
        guard (1...max(1, refundable)).contains(amount), refundable > 0 else { return false }
        disputes.append(Dispute(name: "dispute_\(disputes.count + 1)", amount: amount))
        news.append(.dispute(disputes[disputes.count - 1], Int64(news.count)))
        return true
    }

    /// The places of the effects that it works on.
    var workedOn: [Int] { effects.indices.filter { effects[$0].state == .workedOn } }

    /// The places of the effects that may fail after all.
    var fallible: [Int] {
        guard manner.failsAfterAll else { return [] }
        return effects.indices.filter { index in
            let effect = effects[index]
            guard effect.state == .done, !effect.isReversed else { return false }
            return effect.action == .refund || (effect.action == .capture && effect.amount <= refundable)
        }
    }

    /// Finishes what it works on: it is done, if it still can be and is to be.
    mutating func finish(_ index: Int, succeeds: Bool) {
        let effect = effects[index]
        let isPossible =
            switch effect.action {
            case .authorize: false
            case .capture: effect.amount <= held
            case .void: held > 0 || mayTakeBack
            case .refund: effect.amount <= refundable
            }
        guard isPossible, succeeds || effect.action == .void else { return end(index, .refused) }
        takeEffect(index)
    }

    /// Has something that was done fail after all.
    mutating func fail(_ index: Int) { end(index, .failedAfterAll) }

    private mutating func end(_ index: Int, _ state: Effect.State) {
        effects[index].state = state
        news.append(.effect(effects[index]))
    }

    private mutating func authorize(_ operation: Operation) -> Outcome {
        authorized = operation.amount
        return approval(operation)
    }

    private func approval(_ operation: Operation) -> Outcome {
        let told = manner.tellsCaptured ? captured : 0
        return .succeeded(Success(reference: Self.payment, amount: operation.amount, capturedAmount: told))
    }

    private mutating func capture(_ operation: Operation) -> Outcome {
        guard held > 0 else { return .rejected(refusal(captureObstacle)) }
        guard operation.amount <= held else { return .refusedByPSP(.amountTooLarge) }
        let isFinal = operation.isFinal || !manner.severalCaptures || operation.amount == held
        return add(.capture, operation.amount, operation, isFinal: isFinal)
    }

    private var captureObstacle: Rejection.Reason {
        captured > refunded || (!isVoided && failed == 0) ? .alreadyCaptured : .alreadyVoided
    }

    private mutating func void(_ operation: Operation) -> Outcome {
        guard held > 0 || mayTakeBack else {
            return .rejected(refusal(captured > 0 ? .alreadyCaptured : .alreadyVoided))
        }
        return add(.void, authorized, operation)
    }

    private mutating func refund(_ operation: Operation) -> Outcome {
        guard operation.amount <= refundable else { return .refusedByPSP(.amountTooLarge) }
        return add(.refund, operation.amount, operation)
    }

    private func refusal(_ reason: Rejection.Reason) -> Rejection {
        Rejection(
            reason,
            code: reason.rawValue,
            message: "The PSP said no.",
            captured: manner.tellsCaptured ? captured : nil
        )
    }

    private var mayTakeBack: Bool {
        manner.voidsCaptures && held == 0 && captured > 0 && refunded == 0 && disputes.isEmpty
    }

    /// Begins something: what is asked in the portal is done at once, what we ask where it works on nothing.
    @discardableResult
    private mutating func add(
        _ action: Notice.Action,
        _ amount: Int64,
        _ operation: Operation?,
        isFinal: Bool = false
    ) -> Outcome {
        let isPayments = manner.sharesName && action != .refund
        let name = isPayments ? Self.payment : "\(action.rawValue)_\(effects.count + 1)"
        let effect = Effect(
            action: action,
            amount: amount,
            name: name,
            operation: operation?.id,
            retries: operation?.retries ?? 0,
            isFinal: isFinal
        )
        effects.append(effect)
        if operation == nil || !manner.worksOnIt { takeEffect(effects.count - 1) }
        return outcome(effects[effects.count - 1])
    }

    private mutating func takeEffect(_ index: Int) {
        let effect = effects[index]
        if effect.action == .void, held == 0 {
            for index in effects.indices where effects[index].action == .capture && effects[index].state == .done {
                effects[index].isReversed = true
            }
        }
        isReleased = isReleased || effect.action == .void || effect.isFinal
        effects[index].state = .done
        news.append(.effect(effects[index]))
    }

    /// What it says of something when it is asked.
    private func outcome(_ effect: Effect) -> Outcome {
        switch effect.state {
        case .workedOn: return .pending(Progress(reference: effect.name))
        case .done, .failedAfterAll:
            var success = Success(reference: effect.name, amount: effect.amount)
            if effect.action == .capture, manner.tellsFinal { success.isFinal = effect.isFinal }
            if effect.action == .void, manner.tellsCaptured { success.capturedAmount = captured }
            return .succeeded(success)
        case .refused: return .refusedByPSP(.unsupported)
        }
    }

    /// What it says by itself of something that happened.
    func notice(of news: News, about attempt: AttemptID) -> Notice {
        switch news {
        case .effect(let effect): notice(of: effect, about: attempt)
        case .dispute(let dispute, let number):
            Notice(
                about: Notice.Subject(attempt: attempt.text, payment: Self.payment, object: dispute.name),
                .dispute(DisputeNotice(state: dispute.state, amount: dispute.amount)),
                at: Checkout.placedAt.adding(milliseconds: number)
            )
        }
    }

    private func notice(of effect: Effect, about attempt: AttemptID) -> Notice {
        let subject = Notice.Subject(
            attempt: attempt.text,
            operation: manner.namesOurs ? effect.operation?.text : nil,
            payment: Self.payment,
            object: effect.name,
            isOthers: manner.marksOthers && effect.operation == nil
        )
        let happening: Notice.Happening =
            switch effect.state {
            case .failedAfterAll:
                .reversed(effect.action, Rejection(.unsupported, code: "failed", message: "It failed after all."))
            case .done, .workedOn, .refused: .outcome(effect.action, outcome(effect))
            }
        return Notice(about: subject, happening)
    }
}
