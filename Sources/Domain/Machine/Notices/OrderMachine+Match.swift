extension OrderMachine {
    /// What a notice is about.
    enum Match {
        /// An operation, which the notice's outcome settles.
        case operation(Place)
        /// What succeeded, or we concluded that it did, without a name.
        case conclusion(Place)
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
        severalCaptures: Bool,
        at place: Place
    ) -> Match {
        let candidates = places(of: action, at: place)
        if action == .authorize { return candidates.first.map(Match.operation) ?? .nothing }
        if let named = candidates.first(where: { isNamed($0, by: subject) }) { return .operation(named) }
        let ours = candidates.filter { place in
            let operation = self[place]
            guard operation.origin != .psp, operation.isOpen, operation.leases > 0 else { return false }
            return operation.reference == nil || subject.object == nil
        }
        if let guess = guess(among: ours, outcome) {
            let isOneOfMany = action == .refund || (action == .capture && severalCaptures)
            return isOneOfMany && subject.object != nil && ours.contains { self[$0].isInFlight }
                ? .later : .operation(guess)
        }
        if ours.contains(where: { self[$0].isInFlight }) { return .later }
        if case .succeeded(let success) = outcome,
            let unnamed = candidates.first(where: { self[$0].isUnnamed(asTo: success.amount) })
        {
            return .conclusion(unnamed)
        }
        guard subject.object == nil, let last = candidates.last else { return .nothing }
        return .operation(last)
    }

    /// What failed after all: the operation that is named, or, if none is, the last one that succeeded.
    func undone(_ action: Notice.Action, _ subject: Notice.Subject, at place: Place) -> Place? {
        let candidates = places(of: action, at: place)
        if let named = candidates.first(where: { isNamed($0, by: subject) }) { return named }
        guard subject.object == nil || action == .authorize else { return nil }
        return candidates.last { self[$0].state.hasSucceeded }
    }

    private func isNamed(_ place: Place, by subject: Notice.Subject) -> Bool {
        let operation = self[place]
        if operation.id.text == subject.operation { return true }
        return subject.object != nil && operation.reference == subject.object
    }

    /// Of several operations of ours that it may be, one with the same amount; an outcome without one fits any.
    private func guess(among ours: [Place], _ outcome: Outcome) -> Place? {
        guard case .succeeded(let success) = outcome else { return ours.first }
        return ours.first { self[$0].amount == success.amount || self[$0].kind == .void || self[$0].kind == .reverse }
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
            .filter { kinds.contains(self[$0].kind) }
    }
}
