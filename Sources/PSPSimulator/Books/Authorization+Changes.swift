/// What requests do to an authorization.
///
/// Every amount rule is kept here, whatever the caller asks.
extension Authorization {
    /// Makes an authorization and does at once what its token says.
    init(id: String, account: String, command: AuthorizeCommand, script: TokenScript, key: String, at now: Int64) {
        self.id = id
        self.account = account
        self.command = command
        self.script = script
        createdAt = now
        requests = 1
        var operation = Operation(
            id: id,
            kind: .authorize,
            amount: command.amount,
            key: key,
            reference: command.reference,
            applicationFee: command.applicationFee,
            at: now,
            status: .pending
        )
        schedule(&operation, by: script.effect(of: .authorize))
        operations = [operation]
        begin(at: now)
    }

    /// Captures, voids or refunds.
    ///
    /// - Throws: ``Refusal`` if the state or the amount does not allow it; nothing has changed then.
    mutating func change(_ change: ChangeCommand, key: String, at now: Int64) throws(Refusal) -> Operation {
        let effect = script.effect(of: change.kind)
        if case .refuse(let refusal) = effect { throw refusal }
        let amount = try admit(change, at: now)
        var operation = Operation(
            id: Self.identifier(of: change.kind, number: operations.count, authorization: id),
            kind: change.kind,
            amount: amount,
            key: key,
            reference: change.reference,
            applicationFee: change.applicationFee,
            at: now,
            status: .pending
        )
        schedule(&operation, by: effect)
        operations.append(operation)
        settle(at: now)
        return operations[operations.count - 1]
    }

    /// Approves `amount` and captures it if that was asked or triggered.
    mutating func approve(_ amount: Int64, at now: Int64) {
        status = .authorized
        operations[0].status = .succeeded
        authorized = amount
        var life = Self.lifeMilliseconds
        if case .lapse(let milliseconds) = script.effect(of: .authorize) { life = milliseconds }
        expiresAt = now + life
        if capturesAtOnce { take(amount, at: now) }
    }

    /// Takes `amount` of what is held and releases the rest.
    mutating func take(_ amount: Int64, at now: Int64) {
        status = .captured
        captured = amount
        voided = authorized - amount
        capturedAt = now
    }

    /// Releases what is held, undoes a capture, or stops what has not been approved yet.
    mutating func release() {
        switch status {
        case .authorized, .captured:
            for index in operations.indices where operations[index].kind == .capture {
                guard operations[index].status == .succeeded else { continue }
                operations[index].status = .reversed
            }
            status = .voided
            captured = 0
            voided = authorized
        case .pending, .requiresAction:
            status = .canceled
            operations[0].status = .failed
            operations[0].dueAt = nil
        case .voided, .declined, .expired, .canceled:
            break
        }
    }

    /// The state of the authorization's first moment.
    private mutating func begin(at now: Int64) {
        switch script.effect(of: .authorize) {
        case .requireAction(let milliseconds):
            status = .requiresAction
            actionExpiresAt = now + milliseconds
        case .approvePartly:
            approve(max(1, command.amount / 2), at: now)
        case .decline(let code):
            status = .declined
            decline = code
        default:
            settle(at: now)
        }
    }

    /// Says when an operation will be done: at once, later, or never because it is declined.
    private func schedule(_ operation: inout Operation, by effect: Effect) {
        switch effect {
        case .decline(let code):
            operation.status = .failed
            operation.decline = code
        case .finish(let milliseconds):
            operation.dueAt = operation.at + milliseconds
        case .fail(let milliseconds):
            operation.dueAt = operation.at + milliseconds
            operation.willFail = true
        case .requireAction, .approvePartly:
            break
        case .approve, .refuse, .captureAtOnce, .lapse, .settle, .hide:
            operation.dueAt = operation.at
        }
    }

    private static func identifier(of kind: OperationKind, number: Int, authorization: String) -> String {
        let prefix =
            switch kind {
            case .authorize, .inquire: "op"
            case .capture: "cap"
            case .void: "void"
            case .refund: "ref"
            }
        return "\(prefix)_\(authorization.dropFirst(Books.identifierPrefix.count))_\(number)"
    }
}
