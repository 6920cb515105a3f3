extension OrderMachine {
    /// What a notice is about.
    enum Match {
        /// An operation, which the notice's outcome settles.
        case operation(Place)
        /// What succeeded, or we concluded that it did, without a name.
        case conclusion(Place)
        /// Another effect than the one that the operation of that name made.
        case another(Place)
        /// Another authorization at the PSP than the attempt's, though it has our name on it.
        case anotherPayment
        /// Perhaps an operation that is on its way right now: its answer will tell.
        case later
        /// Nothing that we know.
        case nothing
    }

    /// The attempt a notice is about.
    ///
    /// The operation it names may be another one of the attempt: PSPs copy names from the payment to what is made of
    /// it.
    func attempt(of subject: Notice.Subject) -> Place? {
        if let operation = subject.operation.flatMap(OperationID.init), let place = find(operation) { return place }
        let attempts = order.payments.flatMap(\.attempts)
        let found =
            attempts.first { $0.id.text == subject.attempt }
            ?? attempts.first { $0.pspReference != nil && $0.pspReference == subject.payment }
            ?? attempts.first { attempt in
                subject.object != nil && attempt.operations.contains { $0.reference == subject.object }
            }
            ?? attempts.first { attempt in
                let disputes = order.payments.flatMap(\.disputes)
                return disputes.contains { $0.attempt == attempt.id && $0.reference == subject.object }
            }
        return found.flatMap { find($0.authorization.id) }
    }

    /// The operation that an outcome is about: by its identifier, by the PSP's name for the object, or as the only one
    /// that it can be.
    func match(
        _ action: Notice.Action,
        _ subject: Notice.Subject,
        _ outcome: Outcome,
        _ context: NoticeContext,
        at place: Place
    ) -> Match {
        let authorization = attempt(at: place).authorization
        let candidates = places(of: action, at: place).filter { !self[$0].isImplied(after: authorization) }
        if action == .authorize {
            guard !isAnotherPayment(subject, at: place) else { return .anotherPayment }
            return candidates.first.map(Match.operation) ?? .nothing
        }
        let ours = candidates.first { self[$0].id.text == subject.operation }
        if let known = candidates.first(where: { isObject($0, of: subject) }),
            !PlantedBug.noticeMergedTwice.isPlanted || self[known].origin != .psp,
            !isExplained(known, by: ours, outcome)
        {
            return .operation(known)
        }
        if let ours { return match(ours, subject, outcome) }
        let open = candidates.filter { place in
            let operation = self[place]
            guard !subject.isOthers, operation.origin != .psp, operation.isOpen, operation.wasSent,
                outcome.failure == nil || context.mayRefuse(operation)
            else { return false }
            return operation.reference == nil || subject.object == nil
        }
        if let guess = guess(among: open, action, outcome) {
            // Whose refusal it is, an answer tells better: what is taken for refused is done again.
            let isInDoubt = !self[guess].state.isWorkedOn && context.tellsOutcomes
            if outcome.failure != nil, subject.object != nil, isInDoubt { return .later }
            let isOneOfMany = action == .refund || (action == .capture && context.severalCaptures)
            return isOneOfMany && subject.object != nil && open.contains { self[$0].isInFlight }
                ? .later : .operation(guess)
        }
        if open.contains(where: { self[$0].isInFlight }) { return .later }
        guard case .succeeded(let success) = outcome else {
            let known = outcome.failure == nil ? candidates : candidates.filter { context.mayRefuse(self[$0]) }
            return Self.last(of: known, subject)
        }
        if action == .void, attempt(at: place).voidable(as: subject.object ?? success.reference) > 0 { return .nothing }
        // Of several captures that an operator told of, as of refunds, the amount has to tell.
        let mayBeMore = action == .capture && context.severalCaptures && attempt(at: place).held > 0
        let unnamed = candidates.filter {
            let isStated = mayBeMore && self[$0].origin == .operator
            return self[$0].isUnnamed(asTo: success.amount) && !isNamedAlways($0, action, subject)
                && !(isStated && self[$0].doneAmount != success.amount)
        }
        if let found = unnamed.first(where: { self[$0].doneAmount == success.amount }) ?? unnamed.first {
            return .conclusion(found)
        }
        // What somebody else captured, and failed before its event came, is not captured again by that.
        let failed = candidates.last { place in
            self[place].origin == .psp && self[place].reference == nil && self[place].state.isReversed
                && self[place].amount == success.amount
        }
        if action == .capture, subject.isOthers, let failed { return .operation(failed) }
        let known = candidates.last { self[$0].state == .succeeded && self[$0].doneAmount == success.amount }
        if subject.object == nil, action != .void, let known { return .operation(known) }
        return Self.last(of: candidates, subject)
    }

    /// Whether what was kept as the PSP's own, and stands, is what an operation of ours made of which that was not heard.
    private func isExplained(_ kept: Place, by ours: Place?, _ outcome: Outcome) -> Bool {
        guard let ours, outcome.hasSucceeded, self[ours].isOpen, self[ours].wasSent else { return false }
        return self[kept].origin == .psp && self[kept].state.isDone
    }

    private static func last(of candidates: [Place], _ subject: Notice.Subject) -> Match {
        guard subject.object == nil, let last = candidates.last else { return .nothing }
        return .operation(last)
    }

    /// What is said under the name of an operation: of what it made, or is making, or of something else.
    ///
    /// A PSP that acts twice on one operation makes two objects.
    private func match(_ named: Place, _ subject: Notice.Subject, _ outcome: Outcome) -> Match {
        let operation = self[named]
        let object = subject.object ?? (operation.state.hasSucceeded ? outcome.reference : nil)
        if let object, let reference = operation.reference, object != reference {
            return operation.state.isRefusal ? .operation(named) : .another(named)
        }
        let movesMoney = operation.kind == .capture || operation.kind == .refund
        if movesMoney, operation.isInFlight, case .succeeded(let success) = outcome,
            success.amount != operation.amount
        {
            return .later
        }
        return .operation(named)
    }

    /// Whether a notice is about another authorization than the one that is known.
    private func isAnotherPayment(_ subject: Notice.Subject, at place: Place) -> Bool {
        let attempt = attempt(at: place)
        guard attempt.authorization.state.hasSucceeded, let said = subject.payment else { return false }
        return attempt.pspReference != nil && attempt.pspReference != said
    }

    /// What failed after all: the operation that is named; else one that succeeded without a name, or, if the notice
    /// names none, the last one that succeeded, over the amount that is told.
    ///
    /// What stands comes before what failed already, unless that failed with the same rejection: then it is told again. Where
    /// nothing came to the amount, what did is told of later; but the amount of the whole payment may stand for any. Of two
    /// over the same amount, the one that the PSP still works on failed: the other had left nothing for it.
    func undone(
        _ action: Notice.Action,
        _ subject: Notice.Subject,
        by rejection: Rejection,
        _ context: NoticeContext,
        at place: Place
    ) -> Place? {
        var candidates = places(of: action, at: place)
        if let named = candidates.first(where: { isObject($0, of: subject) }) { return named }
        if let named = candidates.first(where: { self[$0].id.text == subject.operation }) {
            let isAnother = subject.object != nil && self[named].reference != nil
            return isAnother ? nil : named
        }
        // What has a name of ours with all that is said of it is none of it.
        if subject.isOthers { candidates.removeAll { self[$0].origin == .gateway } }
        let succeeded = candidates.filter { self[$0].state.hasSucceeded }
        guard subject.object == nil || action == .authorize else {
            let fitting = succeeded.filter { self[$0].reference == nil && !isNamedAlways($0, action, subject) }
            return action == .capture || fitting.count == 1 ? lastStanding(of: fitting) : nil
        }
        if let told = succeeded.first(where: { self[$0].state == .reversed(rejection.kept) }) { return told }
        guard let amount = subject.amount else { return lastStanding(of: succeeded) }
        // What is on its way may be what failed; its answer says whether the PSP took it on.
        let mayBe = candidates.filter { self[$0].amount == amount && context.mayRefuse(self[$0]) }
        guard !mayBe.contains(where: { self[$0].isInFlight }) else { return nil }
        let isWhole = amount >= attempt(at: place).authorization.amount
        let fitting = isWhole ? succeeded : succeeded.filter { self[$0].doneAmount == amount }
        if let accepted = mayBe.last(where: { self[$0].state == .pending }) {
            return fitting.contains { self[$0].state == .succeeded } ? accepted : nil
        }
        return lastStanding(of: fitting)
    }

    private func lastStanding(of places: [Place]) -> Place? {
        places.last { self[$0].state == .succeeded } ?? places.last
    }

    /// Whether it is a refund of ours, which the PSP names with all it says of it, and the notice is about somebody else's.
    private func isNamedAlways(_ place: Place, _ action: Notice.Action, _ subject: Notice.Subject) -> Bool {
        subject.isOthers && action == .refund && self[place].origin == .gateway
    }

    private func isObject(_ place: Place, of subject: Notice.Subject) -> Bool {
        subject.object != nil && self[place].reference == subject.object
    }

    /// Of several operations of ours that it may be, one with the same amount; an outcome without one, and a void, whose
    /// amount says nothing, fit any.
    private func guess(among ours: [Place], _ action: Notice.Action, _ outcome: Outcome) -> Place? {
        guard action != .void, case .succeeded(let success) = outcome else { return ours.first }
        return ours.first { self[$0].amount == success.amount }
    }

    private func places(of action: Notice.Action, at place: Place) -> [Place] {
        let kinds: Set<Operation.Kind> =
            switch action {
            case .authorize: [.authorize]
            case .capture: [.capture]
            case .void: [.void, .reverse]
            case .refund: [.refund, .reverse]
            }
        return attempt(at: place).operations.indices
            .map { Place(payment: place.payment, attempt: place.attempt, operation: $0) }
            .filter { kinds.contains(self[$0].kind) && !self[$0].isWithdrawn }
    }
}

extension Outcome {
    fileprivate var hasSucceeded: Bool { if case .succeeded = self { true } else { false } }

    /// The PSP's name for what was made.
    fileprivate var reference: String? {
        if case .succeeded(let success) = self { success.reference } else { nil }
    }
}
