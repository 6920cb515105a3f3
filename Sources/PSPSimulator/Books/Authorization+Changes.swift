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
        operation.announcement = script.announcement(of: .authorize)
        schedule(&operation, by: script.effect(of: .authorize))
        operations = [operation]
        begin(at: now)
    }

    /// Captures, voids or refunds.
    ///
    /// - Throws: ``Refusal`` if the state or the amount does not allow it; nothing has changed then.
    mutating func change(_ change: ChangeCommand, key: String, at now: Int64) throws(Refusal) -> Operation {
        let change = resolved(change, at: now)
        let effect = script.effect(of: change.kind)
        if case .refuse(let refusal) = effect { throw refusal }
        return try self.change(change, key: key, at: now, effect, script.announcement(of: change.kind))
    }

    /// Captures, voids or refunds with an effect that the token need not have asked for.
    ///
    /// - Throws: ``Refusal`` if the state or the amount does not allow it; nothing has changed then.
    mutating func change(
        _ change: ChangeCommand,
        key: String,
        at now: Int64,
        _ effect: Effect,
        _ announcement: Announcement
    ) throws(Refusal) -> Operation {
        let (amount, refusal) = try consider(change, at: now)
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
        operation.isFinal = change.isFinal
        operation.metadata = change.metadata
        operation.details = change.details
        operation.isReversal = change.isReversal
        operation.announcement = announcement
        schedule(&operation, by: effect, change.pace)
        operation.doom(refusal)
        let index = operations.count
        operations.append(operation)
        if operation.status == .failed { tell(of: index, "failed", at: now) }
        if let due = operation.dueAt, due > now { tell(of: index, "pending", at: now) }
        settle(at: now)
        return operations[index]
    }

    /// Approves `amount` and captures it if that was asked or triggered.
    mutating func approve(_ amount: Int64, at now: Int64) {
        status = .authorized
        operations[0].status = .succeeded
        authorized = amount
        var life = Self.lifeMilliseconds
        if case .lapse(let milliseconds) = script.effect(of: .authorize) { life = milliseconds }
        expiresAt = now + life
        if capturesAtOnce { take(amount, isFinal: true, at: now) }
        tell(capturesAtOnce ? "captured" : "authorized", at: now)
    }

    /// Takes `amount` of what is held; if that was final, or all there was, nothing is held any more.
    mutating func take(_ amount: Int64, isFinal: Bool, at now: Int64) {
        captured += amount
        capturedAt = now
        guard isFinal || captured + voided == authorized else { return }
        status = .captured
        voided = authorized - captured
    }

    /// Releases what is held, undoes a capture, or stops what has not been approved yet.
    mutating func release() {
        switch status {
        case .authorized:
            status = captured > 0 ? .captured : .voided
            voided = authorized - captured
        case .captured:
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
            tell("requires_action", at: now)
        case .approvePartly:
            approve(max(1, command.amount / 2), at: now)
        case .decline(let code):
            status = .declined
            decline = code
            tell("declined", at: now)
        default:
            if let due = operations[0].dueAt, due > now { tell("pending", at: now) }
            settle(at: now)
        }
    }

    /// Says when an operation will be done: at once, later, or never because it is declined.
    ///
    /// What a pace does not leave to the same moment comes later by as much.
    private func schedule(_ operation: inout Operation, by effect: Effect, _ pace: Pace? = nil) {
        let work = pace?.milliseconds ?? 0
        switch effect {
        case .decline(let code) where pace != nil:
            operation.dueAt = operation.at + work
            operation.failure = code
        case .decline(let code):
            operation.status = .failed
            operation.decline = code
        case .finish(let milliseconds):
            operation.dueAt = operation.at + milliseconds
        case .fail(let milliseconds):
            operation.dueAt = operation.at + milliseconds
            operation.failure = .generic
        case .failLater(let milliseconds):
            operation.dueAt = operation.at + work
            operation.failsAt = operation.at + work + milliseconds
        case .requireAction, .approvePartly:
            break
        case .approve, .refuse, .captureAtOnce, .lapse, .settle, .hide:
            operation.dueAt = operation.at + work
        }
    }

    static func identifier(of kind: OperationKind, number: Int, authorization: String) -> String {
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

extension Operation {
    /// Lets it fail when its time has come, because it should have been refused.
    fileprivate mutating func doom(_ refusal: Refusal?) {
        guard let refusal else { return }
        self.refusal = refusal
        status = .pending
        dueAt = dueAt ?? at
        failsAt = nil
    }
}
