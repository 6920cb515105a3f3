extension OrderMachine {
    /// Whether a notice tells of a second authorization that an attempt's request made at the PSP: sent more than once, it
    /// was approved under two names.
    ///
    /// Only what has our operation's or attempt's name, the PSP's name of another payment, and the whole amount is one.
    package static func isSecondAuthorization(_ notice: Notice, of attempt: Attempt) -> Bool {
        guard case .outcome(.authorize, .succeeded(let success)) = notice.happening,
            let said = notice.subject.payment, let known = attempt.pspReference, said != known, !attempt.isSurplus,
            notice.subject.attempt == attempt.id.text || notice.subject.operation == attempt.authorization.id.text
        else { return false }
        return attempt.authorization.sendings > 1 && success.amount == attempt.authorization.amount
    }

    /// Takes over a second authorization of an attempt as an attempt of its own, which nobody wants: it is released, or
    /// given back.
    ///
    /// - Parameters:
    ///   - notice: what tells of it; see ``isSecondAuthorization(_:of:)``.
    ///   - attempt: the attempt under whose name it was made.
    ///   - timings: how the adapter times what it works on.
    package mutating func takeOverSecondAuthorization(
        _ notice: Notice,
        of attempt: Attempt,
        timings: ReportTimings = ReportTimings()
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
        absorb(timings.report(of: authorization.id, outcome), saidBy: .psp, at: place)
        settle(from: before)
    }
}
