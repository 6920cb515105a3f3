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
    /// The attempt that the first of its notices is about, if it was found.
    private(set) var attempt: AttemptID?
    /// Whether a person was told of a webhook about the order before.
    private(set) var hasProblem = false
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
        let attempts = zip(notices, found).map { notice, place in
            place.flatMap { before.attempt($0.attempt, orPayment: notice.subject.payment) }
        }
        attempt = found.lazy.compactMap { $0?.attempt }.first
        hasProblem = before.attention.contains { $0.reason == .webhookProblem }
        if let objection = Self.objection(to: entry.document, about: attempts, in: before) {
            verdict = .objection(objection.text)
            return
        }
        var machine = OrderMachine(before, at: now, by: writer.instance, rules: rules, ids: IdentifierSource())
        let isSale = capabilities.map(before.isSale(with:)) ?? false
        let settled = try notices.contains(where: \.tellsFee) ? DisputeFeeTable.settled(of: id, in: session) : []
        var isHeard = true
        for (notice, attempt) in zip(notices, attempts) {
            if let attempt, OrderMachine.isSecondAuthorization(notice, of: attempt) {
                machine.takeOverSecondAuthorization(
                    notice.saying(isSale: isSale),
                    of: attempt,
                    timings: capabilities?.timings ?? ReportTimings()
                )
                continue
            }
            let isMatched = attempt.map { attempt in
                machine.hear(
                    notice.naming(attempt).saying(isSale: isSale).leavingOutFee(of: settled),
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

    /// What there is to say against the first of an event's notices that must not be told.
    private static func objection(
        to document: WebhookDocument,
        about attempts: [Attempt?],
        in order: Order
    ) -> WebhookObjection? {
        for case (var notice, let attempt?) in zip(document.notices, attempts) {
            if OrderMachine.isSecondAuthorization(notice, of: attempt) { notice.subject.payment = nil }
            if let objection = WebhookObjection(to: notice, of: document, about: attempt, in: order) {
                return objection
            }
        }
        return nil
    }
}

extension Order {
    /// The attempt that a notice was found to be about; a second authorization made under its name has the PSP's payment
    /// to be known by.
    fileprivate func attempt(_ id: AttemptID, orPayment reference: String?) -> Attempt? {
        guard let payment = payments.first(where: { $0.attempts.contains { $0.id == id } }) else { return nil }
        let surplus = payment.attempts.first { $0.isSurplus && reference != nil && $0.pspReference == reference }
        return surplus ?? payment.attempts.first { $0.id == id }
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

extension Notice {
    /// Whether it says what the PSP takes for a dispute.
    fileprivate var tellsFee: Bool {
        if case .dispute(let dispute) = happening { dispute.fee != nil } else { false }
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

extension Capabilities {
    fileprivate var timings: ReportTimings {
        ReportTimings(
            pollMilliseconds: pendingPollMilliseconds,
            expectedWithinMilliseconds: expectedWithinMilliseconds,
            authorizationLifeMilliseconds: authorizationLifeMilliseconds
        )
    }
}
