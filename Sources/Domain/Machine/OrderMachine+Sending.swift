extension OrderMachine {
    /// Writes down that an operation is about to be sent once more, and says whether it may be.
    ///
    /// To be committed before the wire is touched: what is sent without it is sent by nobody who has it in hand.
    ///
    /// - Parameters:
    ///   - id: the operation.
    ///   - lease: the number of the lease under which it is sent; under another one it is somebody else's.
    ///   - isAnew: whether it goes out under another key, because the PSP proved to have no trace of it and the present
    ///     key would only repeat an answer that told nothing.
    /// - Returns: whether it may be sent now; if not, it must not.
    package mutating func recordSending(of id: OperationID, underLease lease: Int64, isAnew: Bool) -> Bool {
        guard let place = find(id) else { return false }
        let operation = self[place]
        guard operation.isOpen, operation.leasedBy == instance, operation.leases == lease,
            let due = operation.dueAt, due > now
        else { return false }
        // An authorization that nobody waits for any more would only be held to be released. Whether anybody does is decided
        // first where nobody did in time: what is sent behind the end would be waited for like what restored books mark.
        if operation.kind == .authorize, order.decision.state == .pending, now >= timeUp { tick() }
        let isWanted = order.wantsAuthorization(of: order.payments[place.payment])
        guard operation.kind != .authorize || isWanted else { return false }
        if isAnew || PlantedBug.resentUnderNewKey.isPlanted { self[place].takeNewKey() }
        self[place].recordSending(at: now)
        self[place].dueAt = now.adding(milliseconds: rules.leaseMilliseconds)
        resent.append(id)
        return true
    }

    /// Ends one lease of an operation before its time; nothing if another one has begun since, or it is over.
    ///
    /// What was ever leased counts as perhaps sent, as if the lease had run out. So whoever holds it and is not dead after
    /// all does no harm: what it reports is heard like any late answer, and it records no further sending. One that has
    /// recorded a sending since it was judged goes on.
    ///
    /// An only sending whose holder says that it did not begin is forgotten with its lease, as what a step leases and gives
    /// back itself is: it is sent, not asked after.
    mutating func endLease(_ lease: Int64, of id: OperationID, _ end: LeaseEnd) {
        guard let place = find(id) else { return }
        let operation = self[place]
        guard operation.leases == lease, operation.leasedBy != nil, let due = operation.dueAt, due > now else { return }
        switch end {
        case .lost(let sentUnderLease):
            guard operation.sentUnderLease == sentUnderLease else { return }
            if PlantedBug.deadTakenForIdle.isPlanted { self[place].forgetSendings() }
        case .unbegun:
            guard operation.isFirstTry, operation.sentUnderLease == lease else { break }
            self[place].leases -= 1
            self[place].leasedBy = nil
            self[place].forgetSendings()
        }
        self[place].dueAt = now
    }

    /// Counts every operation of ours that may still come to something as sent until now: the books were restored to an
    /// earlier point, and do not know what was sent behind it.
    ///
    /// So none is sent as if it had never been, it is asked after first where that can be done, and "the PSP has no trace
    /// of it" is believed no earlier than of one that was sent now. Leases stay as they are, and run out.
    package mutating func distrustBooks() {
        if PlantedBug.restoredBooksTrusted.isPlanted { return }
        for operation in order.payments.flatMap(\.attempts).flatMap(\.operations)
        where operation.isOpen && operation.origin != .psp {
            change(operation.id) { [now] in
                // There may have been several, under several keys.
                $0.sendings = max(2, $0.sendings)
                $0.sentAt = now
                $0.firstSentAt = $0.firstSentAt ?? now
                $0.distrustedAt = now
                // Its present key may have been answered, and another have come after it.
                $0.isAnsweredInDoubt = true
                // Another route may have been tried since, so that none is now.
                $0.doubts = max(1, $0.doubts)
                // The next lease, whatever its number, is a later one.
                $0.sentUnderLease = min($0.sentUnderLease, $0.leases)
            }
        }
    }

    /// Begins an operation anew that the PSP refused: the same operation under another key.
    ///
    /// Only where the PSP made nothing that carries the operation's name (``Operation/leftNothing``): two things of one
    /// name could not be told apart.
    mutating func beginAnew(_ id: OperationID, delayMilliseconds: Int64) {
        guard let place = find(id) else { return }
        let refused = self[place]
        self[place].takeNewKey()
        self[place].forgetSendings()
        self[place].state = .open
        self[place].doubts = 0
        self[place].dueAt = now.adding(milliseconds: delayMilliseconds)
        if delayMilliseconds == 0 { lease(at: place) }
        emit(
            "payment.\(refused.kind.rawValue)_retried",
            of: order.payments[place.payment].id,
            operation: id,
            details: [
                .init("amount", .integer(refused.amount)), .init("try", .integer(self[place].retries + 1)),
                .init("next_try_at", .text(now.adding(milliseconds: delayMilliseconds).description)),
            ]
        )
    }

    /// Whether a report says nothing any more of what it is about.
    ///
    /// It answers a try that is over, since when the operation was begun anew; or it is a refusal from before the operation
    /// was sent once more, by whoever had it in hand next; or it says that there was no trace before somebody else took the
    /// operation in hand, who may have sent it since. A success counts whenever it comes.
    func isOvertaken(_ report: Report, of operation: Operation) -> Bool {
        let first: Int64
        switch report.outcome {
        case .succeeded: return false
        case .rejected(let rejection) where rejection.reason == .notFound: first = operation.leases
        case .declined, .rejected, .notSent: first = operation.sentUnderLease
        case .pending, .actionRequired, .unknown: first = 0
        }
        if let lease = report.lease, lease < first { return true }
        return report.retries.map { $0 < operation.retries } ?? false
    }
}

extension Operation {
    /// Whether anything of it may have left under its present key.
    package var wasSent: Bool { sendings > 0 }

    mutating func recordSending(at time: Timestamp) {
        if sendings == 0 { firstSentAt = time }
        sendings += 1
        sentAt = PlantedBug.sendingUndated.isPlanted ? sentAt ?? time : time
        sentUnderLease = leases
    }

    /// Whether the PSP refused it, and it was not sent again since.
    var waitsToBeginAnew: Bool { retries > 0 && state == .open && !wasSent }

    /// Whether the PSP refused it without making anything that carries its name.
    var leftNothing: Bool { if case .rejected = state { reference == nil } else { false } }

    /// Nothing left, provably or because nothing was handed to the wire.
    mutating func forgetSendings() {
        sendings = 0
        sentAt = nil
        firstSentAt = nil
        sentUnderLease = 0
    }

    mutating func takeNewKey() {
        retries += 1
        isAnsweredInDoubt = false
    }
}

extension OrderMachine {
    /// Tries another route for an authorization that provably reached no issuer, while the order waits for it.
    ///
    /// Never after a doubt, however it ended: only what was sent once, and of which this is the first word.
    mutating func reroute(_ before: Operation, _ outcome: Outcome, at place: Place) {
        let payment = order.payments[place.payment]
        let isUntouched = before.isFirstTry && before.doubts == 0
        guard before.kind == .authorize, isUntouched, order.wantsAuthorization(of: payment), now < cutoff,
            payment.attempts[place.attempt].id == payment.attempt.id, self[place].state.isRefusal,
            let reason = Self.reason(outcome, for: payment.reroute), let route = payment.alternatives.first
        else { return }
        var authorization = Operation(
            id: ids.make(at: now),
            kind: .authorize,
            amount: payment.amount,
            origin: .gateway,
            createdAt: now
        )
        lease(&authorization)
        let from = payment.attempts[place.attempt]
        let attempt = Attempt(id: ids.make(at: now), route: route, operations: [authorization])
        order.payments[place.payment].alternatives.removeFirst()
        order.payments[place.payment].attempts.append(attempt)
        record.credentialMoves.append(CredentialMove(from: from.id, to: attempt.id))
        emit(
            "payment.rerouted",
            of: payment.id,
            operation: authorization.id,
            details: [
                .init("reason", .text(reason)), .init("from", .text(from.route.pspAccount)),
                .init("to", .text(route.pspAccount)), .init("psp", .text(route.psp)),
                .init("attempt", .text(attempt.id.text)),
            ]
        )
    }

    /// Why an outcome lets another route be tried; nil if it does not.
    private static func reason(_ outcome: Outcome, for reroute: FallbackRule) -> String? {
        switch (outcome, reroute) {
        case (.notSent(let reason), .ifNotSent), (.notSent(let reason), .ifRefused): "not sent: " + reason
        case (.rejected(let rejection), .ifRefused):
            rejection.reason == .configuration || rejection.reason == .unsupported
                ? "rejected: " + rejection.reason.rawValue : nil
        default: nil
        }
    }
}
