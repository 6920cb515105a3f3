import Domain

/// Something that an order can be told, how long after what it was told before.
struct WalkInput {
    let name: String
    let input: OrderInput
    let afterMilliseconds: Int64

    init(_ name: String, _ input: OrderInput, afterMilliseconds: Int64 = 10) {
        self.name = name
        self.input = input
        self.afterMilliseconds = afterMilliseconds
    }

    /// Everything that an order can be told: what becomes of each of its operations, and all that can be asked and said
    /// of each of its payments.
    static func all(of order: Order, _ ids: inout IdentifierSource) -> [WalkInput] {
        var words: [WalkInput] = []
        for (index, payment) in order.payments.enumerated() {
            let name: WebhookID = ids.make(at: Checkout.placedAt)
            words += told(of: payment, index) + asked(of: payment, index, name.text)
            var seen: Set<String> = []
            // What a PSP did by itself is asked after by nobody; of several that are alike, one is as good as another.
            for operation in payment.attempts.flatMap(\.operations)
            where operation.origin == .gateway || operation.isOpen {
                let likeness = "\(operation.kind) \(operation.state.name) \(operation.origin)"
                guard seen.insert(likeness).inserted else { continue }
                // The books that tests expect know of no money that an attempt took which another has followed.
                let maySell = operation.id == payment.attempt.authorization.id
                words += heard(of: operation, maySell: maySell, "\(operation.kind) of \(index)")
            }
        }
        return words + asked(of: order) + passing(order, &ids)
    }

    private static let proof = OrderRequest.Evidence(evidence: "dashboard", reason: "asked", by: "ada")

    private static func request(_ name: String, _ request: OrderRequest) -> WalkInput {
        let ability = CaptureAbility(partial: true, multiple: true, releasesRest: true)
        let abilities = ["simulator": ability, "stripe": ability]
        return WalkInput(name, .request(request, by: Caller(actor: "key_1"), abilities: abilities))
    }

    /// What becomes of an operation, and of whoever has it in hand.
    private static func heard(of operation: Operation, maySell: Bool, _ name: String) -> [WalkInput] {
        let reference = "\(operation.kind)-\(operation.id.text.suffix(6))"
        let sale = Success(reference: reference, amount: operation.amount, capturedAmount: operation.amount)
        let outcomes: [Outcome] =
            [
                .approved(operation.amount, reference), .approved(max(1, operation.amount - 1), reference),
                .refusedByIssuer, .inProgress, .buyerHasToAct(), .notSent(reason: "no connection"), .timedOut,
            ] + Rejection.Reason.allCases.map(Outcome.refusedByPSP) + (maySell ? [.succeeded(sale)] : [])
        let reports = outcomes.map { outcome in
            WalkInput("\(name): \(outcome.name)", .outcome(Report(operation: operation.id, outcome: outcome)))
        }
        let mute = Report(operation: operation.id, outcome: .timedOut, canOnlyBeUndone: true)
        let words: [ManualOutcome] = [.succeeded(), .failed, .notSent]
        return reports + [
            WalkInput("\(name): can only be undone", .outcome(mute)),
            WalkInput("\(name): is claimed", .claim(operation.id), afterMilliseconds: 4_000_000),
            WalkInput("\(name): is sent", .sending(operation.id, lease: operation.leases, isAnew: false)),
            WalkInput(
                "\(name): its holder is gone",
                .endLease(operation.id, lease: operation.leases, .lost(sentUnderLease: operation.sentUnderLease))
            ),
            WalkInput("\(name): its holder began nothing", .endLease(operation.id, lease: operation.leases, .unbegun)),
            request("\(name): retried", .retry(operation.id, by: "ada")),
        ] + words.map { request("\(name): \($0) says ada", .resolve(operation.id, $0, proof)) }
    }

    /// What its PSP says of a payment by itself.
    private static func told(of payment: Payment, _ index: Int) -> [WalkInput] {
        var happenings: [(String, Notice.Happening)] = [("lapse", .lapsed)]
        for action in Notice.Action.allCases {
            for amount in [payment.amount, max(1, payment.amount / 2)] {
                happenings.append(("\(action)-\(amount)", .outcome(action, .approved(amount, "\(action)-\(amount)"))))
            }
            happenings.append(("\(action)-no", .outcome(action, .refusedByIssuer)))
            happenings.append(("\(action)-\(payment.amount)", .reversed(action, .later)))
        }
        // The books that tests expect know of one route only that anything was ever taken on.
        for state in DisputeNotice.State.allCases where payment.alternatives.isEmpty {
            happenings.append(("dispute", .dispute(DisputeNotice(state: state, amount: max(1, payment.amount / 4)))))
        }
        let attempt = payment.attempt.id
        return happenings.map { object, happening in
            let name = object.hasPrefix("authorize") || object == "lapse" ? nil : object
            let notice = Notice(about: .init(attempt: attempt.text, object: name), happening)
            return WalkInput(
                "told of \(index): \(object) \(happening.name)",
                .notices(NoticeBatch([.init(notice, about: attempt)]))
            )
        }
    }

    /// What can be asked of a payment.
    private static func asked(of payment: Payment, _ index: Int, _ name: String) -> [WalkInput] {
        let (id, half) = (payment.id, max(1, payment.amount / 2))
        let part = CaptureRequest.Item(payment: id, amount: half, isFinal: false)
        let dispute = DisputeNotice(state: .opened, amount: max(1, payment.amount / 4))
        let deeds: [OperatorRecord.Deed] = [
            .capture(amount: half, isFinal: false), .capture(amount: payment.amount, isFinal: true), .void,
            .refund(amount: half), .dispute(dispute),
        ]
        return [
            request("capture half of \(index)", .capture(.items([part]))),
            request("capture \(index)", .capture(.items([.init(payment: id)]))),
            request("release \(index)", .release(.payments([id]))),
            request("cancel \(index)", .cancelPayments([id])),
            request("refund half of \(index)", .refund(RefundRequest(.items([.init(payment: id, amount: half)])))),
            request("buyer is done with \(index)", .complete(id)),
        ]
            + deeds.map { deed in
                // Under a name of its own: what is known by its name is no news, and refused nowhere.
                let record = OperatorRecord(deed, of: id, reference: "\(deed.name)-\(name)")
                return request("ada saw a \(deed.name) of \(index)", .record(record, proof))
            }
    }

    /// What can be asked of the order as a whole.
    private static func asked(of order: Order) -> [WalkInput] {
        let halves = order.payments.map {
            CaptureRequest.Item(payment: $0.id, amount: max(1, $0.amount / 2), isFinal: false)
        }
        return [
            request("capture", .capture(.whole)), request("capture halves", .capture(.items(halves))),
            request("release", .release(.whole)), request("cancel", .cancel),
            request("cancel all one by one", .cancelPayments(order.payments.map(\.id))),
            request("refund", .refund(RefundRequest(.all))),
            request("refund in proportion", .refund(RefundRequest(.proportional(50)))),
            request("retry", .retry(nil, by: "ada")),
        ]
    }

    /// What comes with time, and with instances that come and go.
    private static func passing(_ order: Order, _ ids: inout IdentifierSource) -> [WalkInput] {
        let webhook: WebhookID = ids.make(at: Checkout.placedAt)
        // At once, behind the grace of an answer, behind the deadline, behind `decide_by`, behind the life of a hold.
        let pauses: [Int64] = [0, 2500, 25_000, 1_000_000, 700_000_000]
        return pauses.map { WalkInput("\($0) ms pass", .tick, afterMilliseconds: $0) } + [
            WalkInput("more is to be heard", .deferFollowUp), WalkInput("one ends", .releaseLeases(of: "one")),
            WalkInput("is restored", .restored),
            WalkInput(
                "a webhook is not applied",
                .webhookProblem(webhook, about: order.payments[0].attempt.id, amountAtRisk: 10)
            ), WalkInput("no webhook is left", .webhookProblem(nil, about: nil, amountAtRisk: 0)),
            WalkInput("a webhook is dismissed", .webhookDismissal(webhook, proof)),
        ]
    }
}

extension Outcome {
    /// How a walk calls it.
    fileprivate var name: String {
        switch self {
        case .succeeded(let success): "\(success.amount) done, \(success.capturedAmount ?? 0) captured"
        case .declined: "declined"
        case .rejected(let rejection): "rejected, \(rejection.reason.rawValue)"
        case .pending: "pending"
        case .actionRequired: "a step of the buyer's"
        case .notSent: "not sent"
        case .unknown: "unknown"
        }
    }
}

extension Notice.Happening {
    /// How a walk calls it.
    fileprivate var name: String {
        switch self {
        case .outcome(_, let outcome): outcome.name
        case .reversed: "failed after all"
        case .lapsed: ""
        case .dispute(let dispute): "\(dispute.state)"
        }
    }
}
