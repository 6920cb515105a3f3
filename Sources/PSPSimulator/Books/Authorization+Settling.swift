/// What time alone does to an authorization.
extension Authorization {
    /// Does everything that was due by `now`; asking earlier or more often makes no difference.
    mutating func settle(at now: Int64) {
        while let index = nextDue(by: now) { finish(index) }
        if status == .requiresAction, let end = actionExpiresAt, end <= now {
            decline(.actionExpired, operation: 0)
        }
        if status == .authorized, let end = expiresAt, end <= now, !hasPendingOperation {
            status = .expired
            voided = authorized
        }
    }

    /// Whether an operation is still worked on.
    var hasPendingOperation: Bool { operations.contains { $0.status == .pending && $0.dueAt != nil } }

    /// The buyer answers on the page; false if nobody asked.
    mutating func answerAction(approves: Bool, at now: Int64) -> Bool {
        guard status == .requiresAction else { return false }
        if approves {
            approve(command.amount, at: now)
        } else {
            decline(.authenticationFailed, operation: 0)
        }
        return true
    }

    private func nextDue(by now: Int64) -> Int? {
        let due = operations.indices.filter {
            operations[$0].status == .pending && (operations[$0].dueAt ?? .max) <= now
        }
        return due.min { (operations[$0].dueAt ?? .max) < (operations[$1].dueAt ?? .max) }
    }

    private mutating func finish(_ index: Int) {
        let operation = operations[index]
        let time = operation.dueAt ?? operation.at
        operations[index].dueAt = nil
        guard !operation.willFail else { return decline(.generic, operation: index) }
        operations[index].status = .succeeded
        switch operation.kind {
        case .authorize: approve(command.amount, at: time)
        case .capture: take(operation.amount, at: time)
        case .void: release()
        case .refund: refunded += operation.amount
        case .inquire: break
        }
    }

    private mutating func decline(_ code: DeclineCode, operation index: Int) {
        operations[index].status = .failed
        operations[index].decline = code
        guard index == 0 else { return }
        status = .declined
        decline = code
    }
}
