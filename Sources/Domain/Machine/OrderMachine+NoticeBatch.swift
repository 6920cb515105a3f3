extension OrderMachine {
    /// Hears what a PSP told in one message.
    ///
    /// What is about nothing that the order knows can be told again later; it does no harm.
    mutating func hear(_ batch: NoticeBatch) {
        let attempts = batch.items.map { item in order.attempt(item.attempt) }
        for (item, attempt) in zip(batch.items, attempts) {
            guard let attempt else {
                isMatched = false
                continue
            }
            let notice = item.notice.saying(isSale: batch.isSale)
            if Self.isSecondRefusal(notice, of: attempt) { continue }
            if Self.isSecondAuthorization(notice, of: attempt) {
                adoptSecondAuthorization(
                    notice,
                    of: attempt,
                    timings: batch.timings,
                    receivedAt: batch.receivedAt.map(order.clock.time)
                )
                continue
            }
            let isKnown = hear(
                notice.naming(attempt).leavingOutFee(of: batch.settledFees),
                timings: batch.timings,
                severalCaptures: batch.severalCaptures,
                tellsOutcomes: batch.tellsOutcomes,
                keepsCommission: batch.keepsCommission && !item.notice.hasOurName,
                receivedAt: batch.receivedAt.map(order.clock.time)
            )
            isMatched = isMatched && isKnown
        }
    }
}

extension Order {
    fileprivate func attempt(_ id: AttemptID?) -> Attempt? { payments.lazy.flatMap(\.attempts).first { $0.id == id } }
}

extension Notice {
    /// Whether it says what the PSP takes for a dispute.
    package var tellsFee: Bool {
        if case .dispute(let dispute) = happening { dispute.fee != nil } else { false }
    }

    /// Whether what it is about was asked for under a name of ours, even one that restored books do not know.
    fileprivate var hasOurName: Bool { subject.operation.flatMap { OperationID($0) } != nil }

    /// The notice with no other names of ours than the attempt's that it was found to be about, so that nothing it
    /// says leads to another attempt of the order.
    fileprivate func naming(_ attempt: Attempt) -> Notice {
        var notice = self
        notice.subject.attempt = attempt.id.text
        notice.subject.operation = attempt.operations.first { $0.id.text == subject.operation }?.id.text
        return notice
    }

    /// The notice of an authorization with what was captured with it, where the PSP leaves that to what was asked.
    fileprivate func saying(isSale: Bool) -> Notice {
        guard case .outcome(.authorize, .succeeded(var success)) = happening, success.capturedAmount == nil else {
            return self
        }
        success.capturedAmount = isSale ? success.amount : 0
        var notice = self
        notice.happening = .outcome(.authorize, .succeeded(success))
        return notice
    }

    /// The notice without the fee of a dispute that was posted with a settlement file.
    fileprivate func leavingOutFee(of settled: Set<String>) -> Notice {
        guard case .dispute(var dispute) = happening, settled.contains(subject.object ?? "") else { return self }
        dispute.fee = nil
        var notice = self
        notice.happening = .dispute(dispute)
        return notice
    }
}

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
        return attempt.authorization.sendings > 1
    }

    /// Takes over the further authorizations that an inquiry found beside an operation's, also where it is known under another
    /// name by then than the inquiry's.
    mutating func adoptSurplus(_ report: Report, of operation: Operation) {
        guard operation.kind == .authorize, case .succeeded(let success) = report.outcome, !success.surplus.isEmpty
        else { return }
        for name in [success.reference].compactMap(\.self) + success.surplus {
            guard let place = find(operation.id),
                !order.payments[place.payment].attempts.contains(where: { $0.pspReference == name })
            else { continue }
            let second = Success(reference: name, amount: operation.amount)
            adoptSecondAuthorization(
                Notice(about: .init(payment: name), .outcome(.authorize, .succeeded(second))),
                of: attempt(at: place),
                timings: ReportTimings(
                    pollMilliseconds: report.pollMilliseconds,
                    expectedWithinMilliseconds: report.expectedWithinMilliseconds,
                    authorizationLifeMilliseconds: report.authorizationLifeMilliseconds
                )
            )
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
        guard case .outcome(.authorize, let outcome) = notice.happening, let origin = find(attempt.authorization.id)
        else {
            return
        }
        let before = order.status
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
        var report = timings.report(of: authorization.id, outcome)
        report.happenedBy = [receivedAt, notice.at.map(order.clock.time)].compactMap(\.self).min()
        apply(report, saidBy: .psp, at: place)
        decideAndFollowUp(from: before)
    }
}
