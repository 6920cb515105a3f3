import Domain
import Testing

/// What a PSP did to a payment, for us and for whoever uses its portal beside us.
struct PortalPSP {
    /// Something that it did.
    struct Effect {
        let action: Notice.Action
        let amount: Int64
        /// Its name for it.
        let name: String
        /// What of ours it did it for; nil for the portal.
        let operation: OperationID?
        /// For a capture: whether it left nothing of the hold.
        let isFinal: Bool
        /// For a capture: whether a void took it back.
        var isReversed = false
    }

    /// Its name for the payment.
    static let payment = "pay_1"

    let manner: PortalManner
    private(set) var authorized: Int64 = 0
    private(set) var effects: [Effect] = []
    private var isReleased = false
    /// What it answered first, where it answers a repetition alike.
    private var answers: [String: Outcome] = [:]

    init(_ manner: PortalManner) { self.manner = manner }

    /// What was ever captured, taken back or not.
    var captured: Int64 { sum(.capture) }
    /// What was given back, with what voids took back.
    var refunded: Int64 { sum(.refund) + effects.reduce(0) { $0 + ($1.isReversed ? $1.amount : 0) } }
    var held: Int64 { isReleased ? 0 : authorized - captured }
    private var isVoided: Bool { effects.contains { $0.action == .void } }

    private func sum(_ action: Notice.Action) -> Int64 {
        effects.reduce(0) { $0 + ($1.action == action ? $1.amount : 0) }
    }

    /// What became of an operation, as far as it was done.
    func find(_ operation: Operation) -> Outcome? {
        if operation.kind == .authorize { return authorized > 0 ? approval(operation) : nil }
        return effects.first { $0.operation == operation.id }.map(Self.success)
    }

    /// Does what an operation asks.
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
        case .capture where (1...max(1, held)).contains(amount) && held > 0:
            take(amount, for: nil, isFinal: !manner.severalCaptures || amount == held)
        case .refund where amount > 0 && amount <= captured - refunded: add(.refund, amount, nil)
        case .void where held > 0 || mayTakeBack: release(nil)
        case .capture, .refund, .void: break
        }
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
        guard held > 0 else {
            return .rejected(refusal(captured > refunded || !isVoided ? .alreadyCaptured : .alreadyVoided))
        }
        guard operation.amount <= held else { return .rejected(refusal(.unsupported)) }
        let isFinal = operation.isFinal || !manner.severalCaptures || operation.amount == held
        return Self.success(take(operation.amount, for: operation.id, isFinal: isFinal))
    }

    private mutating func void(_ operation: Operation) -> Outcome {
        guard held > 0 || mayTakeBack else {
            return .rejected(refusal(captured > 0 ? .alreadyCaptured : .alreadyVoided))
        }
        return Self.success(release(operation.id))
    }

    private mutating func refund(_ operation: Operation) -> Outcome {
        guard operation.amount <= captured - refunded else { return .rejected(refusal(.unsupported)) }
        return Self.success(add(.refund, operation.amount, operation.id))
    }

    private func refusal(_ reason: Rejection.Reason) -> Rejection {
        Rejection(
            reason,
            code: reason.rawValue,
            message: "The PSP said no.",
            captured: manner.tellsCaptured ? captured : nil
        )
    }

    private var mayTakeBack: Bool { manner.voidsCaptures && held == 0 && captured > 0 && refunded == 0 }

    @discardableResult
    private mutating func take(_ amount: Int64, for operation: OperationID?, isFinal: Bool) -> Effect {
        isReleased = isReleased || isFinal
        return add(.capture, amount, operation, isFinal: isFinal)
    }

    @discardableResult
    private mutating func release(_ operation: OperationID?) -> Effect {
        if held == 0 {
            for index in effects.indices where effects[index].action == .capture { effects[index].isReversed = true }
        }
        isReleased = true
        return add(.void, authorized, operation)
    }

    @discardableResult
    private mutating func add(
        _ action: Notice.Action,
        _ amount: Int64,
        _ operation: OperationID?,
        isFinal: Bool = false
    ) -> Effect {
        let isPayments = manner.sharesName && action != .refund
        let name = isPayments ? Self.payment : "\(action.rawValue)_\(effects.count + 1)"
        let effect = Effect(action: action, amount: amount, name: name, operation: operation, isFinal: isFinal)
        effects.append(effect)
        return effect
    }

    private static func success(_ effect: Effect) -> Outcome { .approved(effect.amount, effect.name) }

    /// What it says by itself of something that it did.
    func notice(of effect: Effect, about attempt: AttemptID) -> Notice {
        var success = Success(reference: effect.name, amount: effect.amount)
        if effect.action == .capture, manner.tellsFinal { success.isFinal = effect.isFinal }
        let subject = Notice.Subject(
            attempt: attempt.text,
            operation: manner.namesOurs ? effect.operation?.text : nil,
            payment: Self.payment,
            object: effect.name,
            isOthers: manner.marksOthers && effect.operation == nil
        )
        return Notice(about: subject, .outcome(effect.action, .succeeded(success)))
    }
}

/// How a PSP goes about captures, voids and refunds, and what it tells of them.
struct PortalManner: Sendable, CustomTestStringConvertible {
    let name: String
    /// Whether a capture may leave the rest of the hold to further ones.
    var severalCaptures = false
    /// Whether a void of what was captured takes it back.
    var voidsCaptures = false
    /// Whether refusals and approvals say how much was captured in all.
    var tellsCaptured = false
    /// Whether it says of a capture whether it left the rest.
    var tellsFinal = false
    /// Whether a webhook says which of our operations it is about.
    var namesOurs = false
    /// Whether a webhook says that it is about none of ours.
    var marksOthers = false
    /// Whether what it captures and voids is called as the payment.
    var sharesName = false
    /// Whether it answers a repetition as it answered first, a refusal included.
    var repeatsAnswers = false

    var testDescription: String { name }

    static let all = [
        PortalManner(
            name: "a PSP that tells everything but amounts in refusals",
            severalCaptures: true,
            tellsFinal: true,
            namesOurs: true,
            repeatsAnswers: true
        ),
        PortalManner(
            name: "a PSP that keeps successes alone, and says in refusals what is captured",
            severalCaptures: true,
            tellsCaptured: true,
            namesOurs: true
        ),
        PortalManner(
            name: "a PSP that captures once, and takes captures back by voids",
            voidsCaptures: true,
            namesOurs: true,
            marksOthers: true
        ),
        PortalManner(
            name: "a PSP that captures once, takes captures back by voids, and calls both as the payment",
            voidsCaptures: true,
            sharesName: true
        ),
        PortalManner(name: "a PSP that captures once and knows none of our names", repeatsAnswers: true),
        PortalManner(
            name: "a PSP that captures several times and knows none of our names",
            severalCaptures: true,
            repeatsAnswers: true
        ),
    ]
}
