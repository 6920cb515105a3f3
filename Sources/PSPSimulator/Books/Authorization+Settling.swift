/// What time alone does to an authorization.
extension Authorization {
    /// Does everything that was due by `now`; asking earlier or more often makes no difference.
    mutating func settle(at now: Int64) {
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
    mutating func lapse(at now: Int64, _ announcement: Announcement = .prompt) {
        status = captured > 0 ? .captured : .expired
        voided = authorized - captured
        tell("expired", at: now, announcement)
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
            return tell(of: index, "failed", at: time)
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
        tell(of: index, "succeeded", at: time)
    }

    /// Takes back a capture or a refund that had succeeded, unless that would leave less captured than has gone back.
    mutating func failAfterAll(_ index: Int, _ announcement: Announcement = .prompt) {
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
        tell(of: index, "failed_later", at: time)
    }

    private mutating func decline(_ code: DeclineCode, operation index: Int, at now: Int64) {
        operations[index].status = .failed
        operations[index].decline = code
        guard index == 0 else { return tell(of: index, "failed", at: now) }
        operations[0].dueAt = nil
        status = .declined
        decline = code
        tell("declined", at: now)
    }
}

extension Operation {
    /// When something happens to it next by itself; nil if nothing does.
    fileprivate var nextAt: Int64? {
        switch status {
        case .pending: dueAt
        case .succeeded: failsAt
        case .failed, .reversed, .failedLater: nil
        }
    }
}
