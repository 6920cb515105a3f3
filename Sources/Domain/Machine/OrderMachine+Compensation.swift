extension OrderMachine {
    /// Starts what gives back or releases, or, after a refusal, begins the refused operation anew.
    ///
    /// One operation is tried again under another key, a step of the schedule later each time; one of which the PSP made
    /// something that then came to nothing is replaced, so that no two things carry one name. At most
    /// ``MachineRules/compensationTries`` times; where the PSP waits for settlement, ``MachineRules/settlementTries``
    /// times. Then it rests with one attention item, and a person moves it (``retry(_:by:)``, ``resolve(_:_:evidence:reason:by:)``).
    mutating func pursue(_ wish: Wish, in attempt: Attempt, of payment: Payment) {
        let failures = attempt.failures(of: wish)
        guard failures > 0, wish.kind != .capture else { return start(wish, in: attempt, of: payment) }
        let last = attempt.operations.last { $0.isTry(of: wish) && $0.state.isRefusal }
        guard failures < limit(of: wish, after: last) else {
            return tellOfRest(wish, after: last ?? attempt.operations.last { $0.isTry(of: wish) })
        }
        let wait = max(wish.delayMilliseconds, rules.pause(afterDoubts: failures))
        // What has become too much, or too little, is replaced too: the amount of an operation never changes.
        if let last, last.amount == wish.amount, last.leftNothing {
            beginAnew(last.id, delayMilliseconds: wait)
        } else {
            var wish = wish
            wish.delayMilliseconds = last?.isRefusedAsTooLarge == true ? 0 : wait
            start(wish, in: attempt, of: payment)
        }
    }

    /// Tells a person once that nothing more is tried by itself.
    private mutating func tellOfRest(_ wish: Wish, after last: Operation?) {
        guard let last, let place = find(last.id) else { return }
        let tries = Set(attempt(at: place).operations.filter { $0.isTry(of: wish) }.map(\.id))
        let isTold = order.attention.contains { $0.reason == .refundFailed && tries.contains($0.operation) }
        if !isTold { raise(.compensationRefused, last, at: place, amountAtRisk: wish.amount) }
    }

    private func limit(of wish: Wish, after last: Operation?) -> Int64 {
        wish.kind == .refund && last?.isRefusedAsUnsettled == true ? rules.settlementTries : rules.compensationTries
    }
}

extension Attempt {
    /// How many tries of ours came to nothing, or to less than was asked.
    func failures(of wish: Wish) -> Int64 {
        operations.reduce(Int64(0)) { sum, operation in
            guard operation.isTry(of: wish) else { return sum }
            let isFailed =
                operation.state.isDefinite
                && (operation.state != .succeeded || (wish.refund == nil && operation.doneAmount < operation.amount))
            return sum + operation.retries + (isFailed ? 1 : 0)
        }
    }
}

extension Operation {
    /// Whether it is an earlier try of the same undoing.
    fileprivate func isTry(of wish: Wish) -> Bool { kind == wish.kind && refund == wish.refund && origin == .gateway }

    /// Whether the PSP refused it because the capture has not settled.
    var isRefusedAsUnsettled: Bool {
        if case .rejected(let rejection) = state { rejection.reason == .notSettledYet } else { false }
    }

    /// Whether the PSP refused it because so much is not left.
    var isRefusedAsTooLarge: Bool {
        if case .rejected(let rejection) = state { rejection.reason == .amountTooLarge } else { false }
    }
}
