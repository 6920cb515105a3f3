extension OrderMachine {
    /// Whether a notice tells of a second authorization that an attempt's request made at the PSP: sent more than once, it
    /// was approved under two names.
    ///
    /// Only what has our operation's or attempt's name, the PSP's name of another payment, and the whole amount is one.
    package static func isSecondAuthorization(_ notice: Notice, of attempt: Attempt) -> Bool {
        guard case .outcome(.authorize, .succeeded(let success)) = notice.happening,
            isOfSecondPayment(notice, of: attempt)
        else { return false }
        return success.amount == attempt.authorization.amount
    }

    /// Whether a notice says that a second payment, which an attempt's request made at the PSP, came to nothing: of the one that
    /// is known that says nothing.
    package static func isSecondRefusal(_ notice: Notice, of attempt: Attempt) -> Bool {
        guard case .outcome(.authorize, let outcome) = notice.happening, outcome.failure != nil else { return false }
        return isOfSecondPayment(notice, of: attempt)
    }

    /// Whether a notice has our operation's or attempt's name and the PSP's name of another payment than the one that is known,
    /// of a request that was sent more than once.
    private static func isOfSecondPayment(_ notice: Notice, of attempt: Attempt) -> Bool {
        guard let said = notice.subject.payment, let known = attempt.pspReference, said != known, !attempt.isSurplus,
            notice.subject.attempt == attempt.id.text || notice.subject.operation == attempt.authorization.id.text
        else { return false }
        return attempt.authorization.mayHaveSurplus
    }

    /// Has the PSP asked what else an authorization made that a message ended, unless its key, or its only sending, lets it make
    /// one thing.
    ///
    /// It is asked once nothing that was sent can still arrive, or stay unlisted. What a repetition made that nobody heard the
    /// answer of is named by nobody else where webhooks are lost.
    mutating func searchOnceOver(_ before: Operation, _ timings: ReportTimings) {
        guard before.isOpen, let place = find(before.id), !self[place].isOpen, self[place].mayHaveSurplus,
            let delay = timings.repetitionDelayMilliseconds, let sentAt = self[place].sentAt,
            !PlantedBug.repetitionUnsearched.isPlanted
        else { return }
        self[place].dueAt = max(now, sentAt.adding(milliseconds: rules.leaseMilliseconds + delay))
    }

    /// The report of an authorization, as a doubt if it names another payment than the attempt's: one that is undone as a second
    /// one, or is to be once a webhook or a search names it.
    func withoutSurplus(_ report: Report, at place: Place) -> Report {
        guard self[place].kind == .authorize, let name = report.outcome.payment, isSurplus(name, at: place) else {
            return report
        }
        var doubt = report
        doubt.outcome = .unknown(reason: "the PSP names another payment that the same request made")
        return doubt
    }

    /// Whether a payment of the PSP's, which an authorization is said to have made, is known as a second one, or must be one: the
    /// attempt has another payment by then, to which something was done, whether or not its approval was heard.
    private func isSurplus(_ name: String, at place: Place) -> Bool {
        let attempts = order.payments[place.payment].attempts
        if attempts.contains(where: { $0.isSurplus && $0.pspReference == name }) { return true }
        guard let known = attempt(at: place).pspReference, known != name else { return false }
        return self[place].mayHaveSurplus && isActedOn(at: place)
    }

    /// See ``Payment/isActedOn(_:)``.
    func isActedOn(at place: Place) -> Bool { order.payments[place.payment].isActedOn(attempt(at: place)) }

    /// Hears what a search found beside an authorization, or that it tells nothing yet: then the PSP is asked again, until what
    /// was sent last can be held no more.
    ///
    /// What it says of the one that is known is no news that somebody waits for: webhooks and what is asked of that one tell it.
    mutating func hearSearch(_ report: Report, at place: Place) {
        adoptSurplus(report, of: self[place])
        guard self[place].awaitsSearch, report.lease == self[place].leases else { return }
        self[place].leasedBy = nil
        let end = self[place].sentAt?.adding(milliseconds: report.timings.authorizationLifeMilliseconds) ?? now
        if Self.isSearched(report.outcome) || end <= now {
            self[place].dueAt = nil
        } else {
            self[place].doubts += 1
            self[place].dueAt = now.adding(milliseconds: rules.pause(afterDoubts: self[place].doubts))
        }
    }

    /// Whether an outcome of a search says what there is: one that lists nothing does not list yet what is known to be there.
    private static func isSearched(_ outcome: Outcome) -> Bool {
        switch outcome {
        case .succeeded, .declined: true
        case .rejected(let rejection): rejection.reason != .notFound
        case .pending, .actionRequired, .notSent, .unknown: false
        }
    }

    /// Takes over the further authorizations that an inquiry names beside an operation's, also where it is known under another
    /// name by then than the inquiry's.
    ///
    /// A search may name one alone, which is not the one that is known.
    mutating func adoptSurplus(_ report: Report, of operation: Operation) {
        guard operation.kind == .authorize, case .succeeded(let success) = report.outcome else { return }
        let isOne = !success.surplus.isEmpty || report.isOfSearch
        var found = success.surplus.map { one in
            Success(
                reference: one.reference,
                amount: one.approvedAmount ?? operation.amount,
                capturedAmount: one.capturedAmount
            )
        }
        if isOne {
            let amount = report.isOfSearch ? success.amount : operation.amount
            let captured = success.capturedAmount
            found.insert(Success(reference: success.reference, amount: amount, capturedAmount: captured), at: 0)
        }
        for second in found {
            // Without a name of its own it may be the one that is known.
            guard let name = second.reference, let place = find(operation.id),
                attempt(at: place).pspReference != nil || self[place].state.isRefusal,
                !order.payments[place.payment].attempts.contains(where: { $0.pspReference == name })
            else { continue }
            let notice = Notice(about: .init(payment: name), .outcome(.authorize, .succeeded(second)))
            adopt(notice, of: attempt(at: place), report.timings, severalCaptures: report.severalCaptures)
        }
    }

    /// Takes over a second authorization of an attempt as an attempt of its own, which nobody wants: it is released, or
    /// given back.
    ///
    /// - Parameters:
    ///   - notice: what tells of it; see ``isSecondAuthorization(_:of:)``.
    ///   - attempt: the attempt under whose name it was made.
    ///   - timings: how the adapter times what it works on.
    ///   - receivedAt: when it came, by the marketplace's clock; nil for now.
    package mutating func adoptSecondAuthorization(
        _ notice: Notice,
        of attempt: Attempt,
        timings: ReportTimings = ReportTimings(),
        receivedAt: Timestamp? = nil
    ) {
        let before = order.status
        adopt(notice, of: attempt, timings, severalCaptures: false, receivedAt: receivedAt)
        decideAndFollowUp(from: before)
    }

    private mutating func adopt(
        _ notice: Notice,
        of attempt: Attempt,
        _ timings: ReportTimings,
        severalCaptures: Bool,
        receivedAt: Timestamp? = nil
    ) {
        guard case .outcome(.authorize, let outcome) = notice.happening, let origin = find(attempt.authorization.id)
        else { return }
        var authorization = Operation(
            id: ids.make(at: now),
            kind: .authorize,
            amount: attempt.authorization.amount,
            origin: .psp,
            createdAt: now
        )
        authorization.dueAt = now
        var surplus = Attempt(id: ids.make(at: now), route: attempt.route, operations: [authorization])
        surplus.pspReference = notice.subject.payment
        order.payments[origin.payment].attempts.append(surplus)
        emit(
            "payment.authorized_twice",
            of: order.payments[origin.payment].id,
            operation: authorization.id,
            details: [
                .init("attempt", .text(attempt.id.text)), .init("psp_reference", .text(notice.subject.payment ?? "")),
                .init("amount", .integer(authorization.amount)),
            ]
        )
        guard let place = find(authorization.id) else { return }
        var report = Report(operation: authorization.id, outcome: outcome, timings: timings)
        report.severalCaptures = severalCaptures
        report.happenedBy = [receivedAt, notice.at.map(order.clock.time)].compactMap(\.self).min()
        apply(report, saidBy: .psp, at: place)
    }
}

extension Outcome {
    /// The PSP's name of what an authorization made, or is making.
    fileprivate var payment: String? {
        switch self {
        case .succeeded(let success): success.reference
        case .pending(let progress), .actionRequired(_, let progress): progress.reference
        case .declined, .rejected, .notSent, .unknown: nil
        }
    }
}
