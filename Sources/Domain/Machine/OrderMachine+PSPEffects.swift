/// What a PSP does on its own, kept as operations of its own, each of which is posted once.
extension OrderMachine {
    /// Does what an effect that became known implies: captures that explain refunds, and what a void took back.
    mutating func followEffect(at place: Place) {
        allocateImplied(at: place)
        reverseWhatWasVoided(at: place)
    }

    /// Keeps a capture for what was given back and never known to be taken, until captures are told that explain it.
    ///
    /// It is posted as a capture of its own, before its refund. Once a capture has failed after all nothing is implied
    /// any more.
    ///
    /// - Parameters:
    ///   - kind: what is about to become known.
    ///   - amount: how much of it.
    ///   - place: the attempt.
    mutating func allocateImplied(besides kind: Operation.Kind? = nil, of amount: Int64 = 0, at place: Place) {
        let attempt = attempt(at: place)
        let authorization = attempt.authorization
        var (told, refunded, implied): (Int64, Int64, Int64) = (0, 0, 0)
        var hasFailed = false
        for operation in attempt.operations where operation.state.hasSucceeded {
            if operation.kind == .refund { refunded += operation.doneAmount }
            guard operation.kind == .capture else { continue }
            hasFailed = hasFailed || (operation.state != .succeeded && !operation.isWithdrawn)
            if operation.isImplied(after: authorization) {
                implied += operation.doneAmount
            } else {
                told += operation.doneAmount
            }
        }
        if kind == .capture { told += amount }
        if kind == .refund { refunded += amount }
        let wanted = hasFailed ? 0 : max(0, min(refunded, authorization.amount) - told)
        for index in attempt.operations.indices.reversed() where implied > wanted {
            let operation = attempt.operations[index]
            guard operation.isImplied(after: authorization), operation.doneAmount > 0 else { continue }
            implied -= operation.doneAmount
            withdraw(at: Place(payment: place.payment, attempt: place.attempt, operation: index))
        }
        guard implied < wanted else { return }
        addPSPOperation(
            .capture,
            amount: authorization.amount,
            done: wanted - implied,
            isFinal: false,
            isImplied: true,
            at: place
        )
    }

    /// What was kept as the PSP's own is explained by another operation: its entry is undone.
    private mutating func withdraw(at place: Place) {
        let (prior, operation) = (order.payments[place.payment], self[place])
        self[place].doneAmount = 0
        self[place].state = .reversed(.explained)
        recordReversal(.explained, of: operation.id, operation.reference, saidBy: .gateway)
        post(.reversal, operation.id, since: prior, at: place)
        emit(
            "payment.\(operation.kind.rawValue)_explained",
            of: prior.id,
            operation: operation.id,
            details: [.init("amount", .integer(operation.doneAmount))]
        )
    }

    /// Withdraws what the PSP, or an operator in its stead, had told of the object that an operation turns out to have
    /// made, and what we had concluded of an unnamed capture while it was under way.
    ///
    /// An unnamed capture of less than the operation took is not what it made.
    ///
    /// - Returns: the amount that was told under the object's name.
    mutating func adoptPSPOperation(_ reference: String?, taking amount: Int64, at place: Place) -> Int64 {
        let (operation, attempt) = (self[place], attempt(at: place))
        guard operation.origin != .psp, operation.kind == .capture || operation.kind == .refund else { return 0 }
        var told: Int64 = 0
        for (index, other) in attempt.operations.enumerated() {
            guard other.origin != .gateway, other.kind == operation.kind, other.state == .succeeded,
                other.doneAmount > 0,
                other.id != operation.id, !other.isImplied(after: attempt.authorization)
            else { continue }
            if let name = other.reference {
                guard name == reference else { continue }
                told += other.doneAmount
            } else {
                // What stands before it was known before it was begun.
                guard other.kind == .capture, index > place.operation, other.doneAmount >= amount else { continue }
            }
            withdraw(at: Place(payment: place.payment, attempt: place.attempt, operation: index))
        }
        return told
    }

    /// Keeps what the PSP says that it did beyond what is known under the same name as an effect of its own.
    ///
    /// A copy that names less than is known says nothing new. No more is booked to an operation of ours than was
    /// authorized: a person is told of the rest.
    ///
    /// - Parameters:
    ///   - amount: what the PSP says it did in all.
    ///   - isNamed: whether it speaks of this operation, rather than of any of its kind.
    ///   - place: the operation.
    mutating func hearMore(_ amount: Int64, isNamed: Bool = true, at place: Place) {
        let (operation, attempt) = (self[place], attempt(at: place))
        guard operation.kind == .capture || operation.kind == .refund, operation.state == .succeeded,
            !operation.isWithdrawn
        else { return }
        let isAlone = isNamed && (operation.reference != nil || operation.origin != .psp)
        let known = attempt.operations.reduce(Int64(0)) { sum, other in
            let isSame = other.origin == .psp && other.reference != nil && other.reference == operation.reference
            let counts = other.id == operation.id || !isAlone || isSame
            return other.kind == operation.kind && other.state == .succeeded && counts ? sum + other.doneAmount : sum
        }
        let isOurs = operation.origin != .psp
        let most = isOurs ? max(attempt.authorization.amount, operation.amount) : .max
        let told = min(Self.bounded(amount), most)
        guard told > known else { return }
        addPSPOperation(
            operation.kind,
            amount: told - known,
            reference: operation.reference,
            commission: isOurs ? nil : operation.commission,
            isFinal: operation.isFinal,
            at: place
        )
        guard isOurs else { return }
        upsertAttention(.amountMismatch, self[place], at: place, amountAtRisk: abs(told - operation.amount))
    }

    /// Keeps an effect that the PSP made under the name of an operation of ours, which had made another one.
    mutating func addDuplicate(of operation: Operation, _ success: Success, isFinal: Bool, at place: Place) {
        let (reference, count) = (success.reference, attempt(at: place).operations.count)
        let known = attempt(at: place).operations.firstIndex {
            $0.kind == operation.kind && $0.reference == reference && !$0.isWithdrawn
        }
        if let known {
            return hearMore(
                success.amount,
                at: Place(payment: place.payment, attempt: place.attempt, operation: known)
            )
        }
        addPSPOperation(
            operation.kind,
            amount: Self.bounded(success.amount),
            stated: success.amount,
            reference: reference,
            refund: isClaimed(operation, success.amount) ? operation.refund : nil,
            commission: operation.commission,
            isFinal: isFinal,
            at: place
        )
        let added = attempt(at: place).operations[count...].first { $0.reference == reference }
        guard let added, added.doneAmount > 0 else { return }
        raise(.duplicateEffect, added, at: place, amountAtRisk: added.doneAmount)
    }

    /// Whether an amount is within what the refund of an operation asked for.
    ///
    /// Which of two refunds made for it is the one that was meant does not matter to it: it is done while one stands.
    private func isClaimed(_ operation: Operation, _ amount: Int64) -> Bool { amount <= operation.amount }

    /// Keeps what an approval, or a void, says is captured beyond what is known: a sale in one call, or a capture at the PSP.
    ///
    /// Where several captures are possible, less than was approved leaves the rest of the hold.
    mutating func hearCaptured(_ success: Success, severalCaptures: Bool, at place: Place) {
        let attempt = attempt(at: place)
        let beyond = attempt.beyondKnown(success.capturedAmount)
        guard beyond > 0, !attempt.mayBeTakingAll(of: beyond) else { return }
        let isFinal = !severalCaptures || attempt.captureKnown + beyond >= attempt.authorization.doneOrAsked
        let isInParts = attempt.captureKnown == 0 && success.captures.reduce(0, +) == beyond
        let parts = isInParts ? success.captures.filter { $0 > 0 } : [beyond]
        for (index, part) in parts.enumerated() {
            addPSPOperation(.capture, amount: part, isFinal: isFinal && index == parts.count - 1, at: place)
        }
    }

    /// The PSP names one of several captures whose sum it had told: the others stay what they are, until they are named.
    mutating func divide(_ success: Success, isFinal: Bool, at place: Place) {
        let rest = self[place].doneAmount - Self.bounded(success.amount)
        withdraw(at: place)
        addPSPOperation(.capture, amount: rest, isFinal: false, at: place)
        addPSPOperation(.capture, amount: success.amount, reference: success.reference, isFinal: isFinal, at: place)
        correctReversal(at: place)
    }

    /// Keeps a void that the PSP tells of and that is not ours: it takes captures back if they left nothing to release.
    mutating func addVoid(
        _ success: Success,
        _ subject: Notice.Subject,
        severalCaptures: Bool,
        at place: Place
    ) {
        hearCaptured(success, severalCaptures: severalCaptures, at: place)
        let attempt = attempt(at: place)
        // A void that was told has a name, by which it is told apart from a hold that lapses.
        let name = success.reference ?? subject.payment ?? attempt.pspReference ?? attempt.id.text
        let net = attempt.voidable(as: name)
        guard net == 0 || PlantedBug.voidTakenForRelease.isPlanted else {
            return addReversal(of: net, stated: success.amount, name, at: place)
        }
        addPSPOperation(
            .void,
            amount: attempt.authorization.amount,
            stated: success.amount,
            reference: name,
            at: place
        )
    }

    /// Takes captures back that a void had been told of before they became known, and those that left nothing for one of ours
    /// to release.
    private mutating func reverseWhatWasVoided(at place: Place) {
        let attempt = attempt(at: place)
        guard !PlantedBug.voidTakenForRelease.isPlanted else { return }
        if let void = attempt.operations.first(where: \.isToldVoid) {
            let net = attempt.voidable(as: void.reference)
            if net > 0 { addReversal(of: net, void.reference, at: place) }
        } else if let void = attempt.voidOfCaptures {
            addPSPOperation(.reverse, amount: attempt.net, reference: void.reference, at: place)
        }
    }

    /// Has what a void was thought to have given back follow what was captured, once that is told: if that is a part that left
    /// something for it, the void was a release, and nothing was given back.
    mutating func correctReversal(at place: Place) {
        let attempt = attempt(at: place)
        let index = attempt.operations.firstIndex { $0.kind == .reverse && $0.origin == .psp && $0.state == .succeeded }
        guard let index else { return }
        let (reversal, voids) = (attempt.operations[index], attempt.all(.void).filter { $0.state == .succeeded })
        // Of ours it is known that it was one.
        guard !voids.contains(where: { $0.origin != .psp && $0.reference == reversal.reference }) else { return }
        let isReversal = attempt.isTakenBack(byVoid: reversal.reference)
        let refunds = attempt.all(.refund).reduce(Int64(0)) { $0 + ($1.state == .succeeded ? $1.doneAmount : 0) }
        guard !isReversal || reversal.doneAmount != attempt.captured - refunds else { return }
        withdraw(at: Place(payment: place.payment, attempt: place.attempt, operation: index))
        order.attention.removeAll { $0.operation == reversal.id && $0.reason == .captureVoided }
        if isReversal {
            addReversal(of: self.attempt(at: place).net, reversal.reference, at: place)
        } else if !voids.contains(where: { $0.reference == reversal.reference }) {
            addPSPOperation(.void, amount: attempt.authorization.amount, reference: reversal.reference, at: place)
        }
    }

    private mutating func addReversal(of net: Int64, stated: Int64? = nil, _ reference: String?, at place: Place) {
        addPSPOperation(.reverse, amount: net, stated: stated, reference: reference, at: place)
        guard let reversal = attempt(at: place).all(.reverse).last else { return }
        raise(.captureVoided, reversal, at: place, amountAtRisk: net)
    }
}

extension Attempt {
    /// What is known to have been captured at any time, whether it failed after all or not; of what has no name, the most
    /// that it may have taken.
    var captureKnown: Int64 {
        operations.reduce(0) { sum, operation in
            guard operation.kind == .capture, operation.state.hasSucceeded, !operation.isWithdrawn,
                !operation.hasFailedUnheard, !operation.isImplied(after: authorization)
            else { return sum }
            let isTold = operation.state == .succeeded && (operation.origin != .psp || operation.reference != nil)
            return sum + (isTold ? operation.doneAmount : operation.amount)
        }
    }

    /// What a PSP that says how much was captured ever tells beyond what is known; 0 if it says nothing more, or nothing.
    ///
    /// Captures that failed, and of which nobody had said that they were done, are part of what is told if all of them, or as
    /// many as can be, fit in.
    func beyondKnown(_ captured: Int64?) -> Int64 {
        let beyond = max(0, OrderMachine.bounded(captured ?? 0) - captureKnown)
        let failed = operations.filter { $0.kind == .capture && $0.hasFailedUnheard }.prefix(Self.doubtfulLimit)
        let sums = failed.reduce(into: [0] as Set<Int64>) { sums, capture in
            sums.formUnion(sums.map { $0 + capture.amount }.filter { $0 <= beyond })
        }
        return beyond - (sums.max() ?? 0)
    }

    /// How many captures are tried to be fitted in, in every way.
    private static var doubtfulLimit: Int { 8 }

    /// Whether what is told to be captured beyond what is known may be what captures under way took: there is one that asks
    /// for no more.
    func mayBeTakingAll(of beyond: Int64) -> Bool {
        openOperations.contains { $0.kind == .capture && $0.amount <= beyond }
    }

    /// Whether a capture is one that a void told of, which was done: it became known with it or later.
    func isToldByVoid(_ capture: Operation) -> Bool {
        operations.contains { void in
            void.kind == .void && void.state == .succeeded
                && void.succeededAt.map { $0 <= capture.createdAt } ?? false
        }
    }

    /// The first capture that a refund implies.
    var impliedCapture: Operation? {
        operations.first { $0.isImplied(after: authorization) && $0.state == .succeeded && $0.doneAmount > 0 }
    }

    /// The void of ours that a PSP did where captures of somebody else's had left nothing of the hold, all of which it gave
    /// back; nil if there is none.
    var voidOfCaptures: Operation? {
        let captures = operations.filter { $0.kind == .capture && $0.state == .succeeded && $0.doneAmount > 0 }
        let areOthers = captures.allSatisfy { $0.origin == .psp && $0.reference != nil }
        guard !isReversed, net > 0, isFinallyCaptured, areOthers else { return nil }
        return operations.first {
            $0.kind == .void && $0.origin != .psp && $0.state == .succeeded && $0.reference != nil
        }
    }

    /// What a void of the PSP's gives back under its name for it; 0 if it is a release, may be one of ours, or is known already.
    func voidable(as name: String?) -> Int64 { isReversed || !isTakenBack(byVoid: name) ? 0 : net }

    /// Whether captures are known to be taken back before they settled.
    private var isReversed: Bool { operations.contains { $0.kind == .reverse && $0.state == .succeeded } }

    /// Whether a void of the PSP's under its name for it gives captures back, because they had left nothing for it to release.
    func isTakenBack(byVoid name: String?) -> Bool {
        let ours = operations.filter { $0.kind == .void && $0.origin != .psp && $0.state == .succeeded }
        let areOthers = name != nil && ours.allSatisfy { $0.reference != nil && $0.reference != name }
        guard ours.isEmpty || areOthers else { return false }
        let isRestReleased = isFinallyCaptured || !ours.isEmpty
        // What was approved may be told of later, and more than was captured by then.
        let approved = authorization.state == .succeeded ? authorized : max(authorized, authorization.amount)
        return captured > 0 && (isRestReleased || approved == captured)
    }
}
