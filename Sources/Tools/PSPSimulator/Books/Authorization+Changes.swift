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
        var operation = BookedOperation(
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
    mutating func change(_ change: ChangeCommand, key: String, at now: Int64) throws(Refusal) -> BookedOperation {
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
        _ announcement: WebhookAnnouncement
    ) throws(Refusal) -> BookedOperation {
        let (amount, refusal) = try consider(change, at: now)
        var operation = BookedOperation(
            id: nextIdentifier(of: change.kind),
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
        schedule(&operation, by: effect, change.latency)
        operation.failLater(refusal)
        let index = operations.count
        operations.append(operation)
        if operation.status == .failed { recordFailure(of: index, at: now) }
        if let due = operation.dueAt, due > now { record(of: index, "pending", at: now) }
        advance(to: now)
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
        record(capturesAtOnce ? "captured" : "authorized", at: now)
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
            record("requires_action", at: now)
        case .approvePartly where !command.takesPart:
            decline(.insufficientFunds, operation: 0, at: now)
        case .approvePartly:
            approve(max(1, command.amount / 2), at: now)
        case .decline(let code):
            status = .declined
            decline = code
            record("declined", at: now)
        default:
            if let due = operations[0].dueAt, due > now { record("pending", at: now) }
            advance(to: now)
        }
    }

    /// Says when an operation will be done: at once, later, or never because it is declined.
    ///
    /// What a latency does not leave to the same moment comes later by as much.
    private func schedule(_ operation: inout BookedOperation, by effect: Effect, _ latency: Latency? = nil) {
        let work = latency?.milliseconds ?? 0
        switch effect {
        case .decline(let code) where latency != nil:
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

    /// The name of the next operation: none is given twice, whatever became of what had it.
    func nextIdentifier(of kind: OperationKind) -> String {
        let prefix =
            switch kind {
            case .authorize, .inquire: "op"
            case .capture: "cap"
            case .void: "void"
            case .refund: "ref"
            }
        return "\(prefix)_\(id.dropFirst(Books.identifierPrefix.count))_\(operations.count + untraced)"
    }
}

extension BookedOperation {
    /// Lets it fail when its time has come, because it should have been refused.
    fileprivate mutating func failLater(_ refusal: Refusal?) {
        guard let refusal else { return }
        self.refusal = refusal
        status = .pending
        dueAt = dueAt ?? at
        failsAt = nil
    }
}

/// What time alone does to an authorization.
extension Authorization {
    /// Does everything that was due by `now`; asking earlier or more often makes no difference.
    mutating func advance(to now: Int64) {
        while let due = nextDue(by: now) {
            if operations[due].status == .pending { finish(due) } else { failAfterAll(due) }
        }
        if status == .requiresAction, let end = actionExpiresAt, end <= now {
            decline(.actionExpired, operation: 0, at: end)
        }
        if status == .authorized, let end = expiresAt, end <= now, !hasPendingOperation {
            lapse(at: end)
        }
    }

    /// When something happens next by itself, in milliseconds since 1970; nil if nothing does.
    var nextDueAt: Int64? {
        var moments = operations.compactMap(\.nextAt)
        if status == .requiresAction, let actionExpiresAt { moments.append(actionExpiresAt) }
        if status == .authorized, !hasPendingOperation, let expiresAt { moments.append(expiresAt) }
        return moments.min()
    }

    /// Releases what is held because its time has run out.
    mutating func lapse(at now: Int64, _ announcement: WebhookAnnouncement = .prompt) {
        status = captured > 0 ? .captured : .expired
        voided = authorized - captured
        record("expired", at: now, announcement)
    }

    /// Whether an operation is still worked on.
    var hasPendingOperation: Bool {
        operations.contains { $0.status == .pending && $0.dueAt != nil && $0.refusal == nil }
    }

    /// The buyer answers on the page; false if nobody asked.
    mutating func answerAction(approves: Bool, at now: Int64) -> Bool {
        guard status == .requiresAction else { return false }
        if approves {
            approve(command.amount, at: now)
        } else {
            decline(.authenticationFailed, operation: 0, at: now)
        }
        return true
    }

    private func nextDue(by now: Int64) -> Int? {
        let due = operations.indices.filter { (operations[$0].nextAt ?? .max) <= now }
        return due.min { (operations[$0].nextAt ?? .max) < (operations[$1].nextAt ?? .max) }
    }

    private mutating func finish(_ index: Int) {
        let operation = operations[index]
        let time = operation.dueAt ?? operation.at
        operations[index].dueAt = nil
        if operation.refusal != nil {
            operations[index].status = .failed
            return recordFailure(of: index, at: time)
        }
        if let failure = operation.failure { return decline(failure, operation: index, at: time) }
        operations[index].status = .succeeded
        switch operation.kind {
        case .authorize: return approve(command.amount, at: time)
        case .capture: take(operation.amount, isFinal: operation.isFinal, at: time)
        case .void: release()
        case .refund: refunded += operation.amount
        case .inquire: break
        }
        record(of: index, "succeeded", at: time)
    }

    /// Takes back a capture or a refund that had succeeded, unless that would leave less captured than has gone back.
    mutating func failAfterAll(_ index: Int, _ announcement: WebhookAnnouncement = .prompt) {
        let operation = operations[index]
        let time = operation.failsAt ?? operation.at
        operations[index].failsAt = nil
        switch operation.kind {
        case .capture:
            guard operation.amount <= refundable else { return }
            captured -= operation.amount
            voided += operation.amount
            if status == .captured, captured == 0 { status = .voided }
        case .refund: refunded -= operation.amount
        case .authorize, .void, .inquire: return
        }
        operations[index].status = .failedLater
        operations[index].announcement = announcement
        record(of: index, "failed_later", at: time)
    }

    /// Notes that a change has failed, which ends some authorizations where it is a capture.
    private mutating func recordFailure(of index: Int, at now: Int64) {
        if operations[index].kind == .capture, status == .authorized, command.endsWithFailedCapture { release() }
        record(of: index, "failed", at: now)
    }

    private mutating func decline(_ code: DeclineCode, operation index: Int, at now: Int64) {
        operations[index].status = .failed
        operations[index].decline = code
        guard index == 0 else { return recordFailure(of: index, at: now) }
        operations[0].dueAt = nil
        status = .declined
        decline = code
        record("declined", at: now)
    }
}

extension BookedOperation {
    /// When something happens to it next by itself; nil if nothing does.
    fileprivate var nextAt: Int64? {
        switch status {
        case .pending: dueAt
        case .succeeded: failsAt
        case .failed, .reversed, .failedLater: nil
        }
    }
}
