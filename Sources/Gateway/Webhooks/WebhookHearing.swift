import AdapterKit
import Domain
import SQL
import Storage

/// What an order makes of an event, within the caller's transaction.
struct WebhookHearing {
    /// What became of it.
    enum Verdict: Hashable {
        /// The order has heard all of it.
        case applied
        /// It says nothing of payments.
        case nothingSaid
        /// Some of it is about nothing we know yet.
        case unmatched
        /// It must not be told to the order it names.
        case objection(String)
    }

    /// What became of it.
    let verdict: Verdict
    /// The order it is about, if it was found.
    private(set) var order: OrderID?
    /// The order's step, if there was one; stored already.
    private(set) var step: StepWriter.Step?

    /// Finds an event's order, locks it, and tells it what the event says.
    ///
    /// - Throws: ``OrderDeskError/ruleBroken(_:_:)`` or `SQLError`; then nothing may be stored.
    init(
        of entry: WebhookEntry,
        at now: Timestamp,
        rules: MachineRules,
        writer: StepWriter,
        capabilities: Capabilities?,
        in session: any Session
    ) throws {
        if let problem = entry.document.problem {
            verdict = .objection(problem)
            return
        }
        let notices = entry.document.notices
        guard !notices.isEmpty else {
            verdict = .nothingSaid
            return
        }
        let found = try notices.map { notice in
            try SubjectSearch.find(notice.subject, at: entry.account, of: entry.marketplace, in: session)
        }
        let orders = Set(found.compactMap { $0?.order })
        guard orders.count <= 1 else {
            verdict = .objection("It speaks of several orders at once.")
            return
        }
        guard let id = orders.first, try OrderReader.lock(id, in: session) != nil,
            let before = try OrderReader.load(id, in: session)
        else {
            verdict = .unmatched
            return
        }
        order = id
        let attempts = found.map { place in place.flatMap { before.attempt($0.attempt) } }
        for case (let notice, let attempt?) in zip(notices, attempts) {
            if let objection = WebhookObjection(to: notice, of: entry.document, about: attempt, in: before) {
                verdict = .objection(objection.text)
                return
            }
        }
        var machine = OrderMachine(before, at: now, by: writer.instance, rules: rules, ids: IdentifierSource())
        let isSale = capabilities.map(before.isSale(with:)) ?? false
        var isHeard = true
        for (notice, attempt) in zip(notices, attempts) {
            let isMatched = attempt.map { attempt in
                machine.hear(
                    notice.naming(attempt).saying(isSale: isSale),
                    timings: capabilities?.timings ?? ReportTimings(),
                    severalCaptures: capabilities?.multipleCapture ?? false
                )
            }
            isHeard = isHeard && isMatched == true
        }
        verdict = isHeard ? .applied : .unmatched
        if machine.order != before || machine.record != OrderMachine.Record() {
            step = try writer.write(&machine, from: before, in: session)
        }
    }
}

extension Order {
    fileprivate func attempt(_ id: AttemptID) -> Attempt? {
        payments.lazy.flatMap(\.attempts).first { $0.id == id }
    }
}

extension Notice {
    /// The notice with no other names of ours than the attempt's that it was found to be about, so that nothing it
    /// says leads to another attempt of the order.
    fileprivate func naming(_ attempt: Attempt) -> Notice {
        var notice = self
        notice.subject.attempt = attempt.id.text
        notice.subject.operation = attempt.operations.first { $0.id.text == subject.operation }?.id.text
        return notice
    }
}

extension Notice {
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
}

extension Capabilities {
    fileprivate var timings: ReportTimings {
        ReportTimings(
            pollMilliseconds: pendingPollMilliseconds,
            expectedWithinMilliseconds: expectedWithinMilliseconds,
            authorizationLifeMilliseconds: authorizationLifeMilliseconds
        )
    }
}
