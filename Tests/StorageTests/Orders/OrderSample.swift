import Domain

/// Orders that hold everything an order can hold.
struct OrderSample {
    private var orderIDs = IdentifierSource()
    private(set) var ids = IdentifierSource()
    let now: Timestamp

    init(at now: Timestamp = Timestamp(microseconds: 1_800_000_000_123_456)) { self.now = now }

    /// A new identifier of whatever kind is wanted.
    mutating func make<Tag>() -> Identifier<Tag> { ids.make(at: now) }

    /// An order with one payment for each name, of which nothing has been heard.
    mutating func order(
        _ names: [String] = ["airline"],
        reference: String? = nil,
        marketplace: String = "travel",
        policy: Policy = .allOrNothing
    ) throws -> Order {
        let id = OrderID.make(from: &orderIDs, at: now)
        ids = IdentifierSource(of: id, step: 1)
        let payments = names.map { payment($0) }
        return Order(
            id: id,
            marketplace: marketplace,
            reference: reference,
            amount: try Self.dollars(payments.reduce(0) { $0 + $1.amount } + 1),
            metadata: [MetadataItem(key: "trip", value: "Zürich ✈︎ \"SEA\""), MetadataItem(key: "empty", value: "")],
            createdAt: now,
            terms: OrderTerms(
                policy: policy,
                capture: .manual,
                onDeadline: .continue,
                onCaptureFailure: .compensate,
                deadlineAt: now.adding(milliseconds: 20_000),
                decideBy: now.adding(milliseconds: 900_000),
                returnURL: "https://shop.example/back?a=1&b=2",
                wallet: .applePay
            ),
            payments: payments
        )
    }

    mutating func payment(_ name: String) -> Payment {
        var operation = Operation(
            id: ids.make(at: now),
            kind: .authorize,
            amount: 10_000,
            origin: .gateway,
            createdAt: now
        )
        operation.dueAt = now
        let route = RouteSnapshot(
            psp: "simulator",
            pspAccount: "sim-a",
            merchantAccount: "acct_\(name)",
            settlesTo: .merchant,
            commissionBy: .invoice
        )
        return Payment(
            id: ids.make(at: now),
            merchant: ids.make(at: now),
            externalIdentifier: name,
            amount: 10_000,
            reference: "part \(name)",
            metadata: [MetadataItem(key: "seat", value: "12A")],
            allocation: [
                AllocationLine(kind: .merchant, party: name, amount: 7_000),
                AllocationLine(kind: .commission, party: "travel", amount: 1_500, returnedOnRefund: .none),
                AllocationLine(kind: .commissionTax, party: "travel", amount: 400),
                AllocationLine(kind: .tax, party: "state", amount: 100),
                AllocationLine(kind: .tip, party: name, amount: 400),
                AllocationLine(kind: .shipping, party: "travel", amount: 600, keptBy: .marketplace),
            ],
            attempts: [Attempt(id: ids.make(at: now), route: route, operations: [operation])],
            alternatives: [route, RouteSnapshot(psp: "stripe", pspAccount: "stripe-main")],
            reroute: .ifRefused
        )
    }

    /// Every state an operation can be in.
    static let states: [OperationState] = [
        .open, .unknown(reason: "timed out; \"quoted\""), .pending,
        .actionRequired(NextAction(kind: .client, data: "client-secret")),
        .actionRequired(
            NextAction(
                kind: .redirect,
                url: "https://psp.example/step",
                expiresAt: Timestamp(microseconds: 1_800_000_600_000_001)
            )
        ),
        .notSent(reason: "could not connect"),
        .declined(Decline(code: "51", category: .insufficientFunds, message: "Not enough.")),
        .rejected(Rejection(.configuration, code: "bad_key", message: "The key is wrong.")), .succeeded,
        .reversed(Rejection(.unsupported, code: "account_closed", message: "It came back.")),
    ]

    /// Changes whatever a step may change: once with small values, once with others.
    mutating func change(_ order: inout Order, round: Int64) {
        let moment = now.adding(milliseconds: round * 1000)
        order.terms.deadlineAt = moment
        order.actionSince = round.isMultiple(of: 2) ? nil : moment
        order.decision = Decision(
            state: .accepted,
            reason: .policySatisfiedInTime,
            at: moment,
            countsOn: Set(order.payments.prefix(Int(round)).map(\.id))
        )
        order.eventSequence += round
        order.version += 1
        order.updatedAt = moment
        ids = IdentifierSource(of: order.id, step: order.version + 1)
        for payment in order.payments.indices { change(&order.payments[payment], number: payment, round, moment) }
        order.isExpiryTold = round > 1
        order.refunds.append(
            Refund(
                id: ids.make(at: moment),
                items: order.payments.prefix(Int(round)).map { Refund.Item(payment: $0.id, amount: 7 * round) },
                borneBy: round.isMultiple(of: 2) ? .marketplace : .merchant,
                reason: round == 1 ? "" : "a \"wet\" hotel",
                createdAt: moment
            )
        )
        order.attention = order.payments.prefix(Int(3 - round)).map { payment in
            Attention(
                payment: payment.id,
                operation: payment.attempt.authorization.id,
                reason: round == 1 ? .unknownOutcome : .overdue,
                amountAtRisk: round * 100,
                since: moment
            )
        }
    }

    private mutating func change(_ payment: inout Payment, number: Int, _ round: Int64, _ moment: Timestamp) {
        var attempt = payment.attempts[0]
        attempt.pspReference = "auth_\(number)"
        attempt.pspState = "state \(round)"
        attempt.network = "visa"
        attempt.last4 = "4242"
        attempt.expiresAt = moment
        attempt.operations[0].state = Self.states[(number + Int(round)) % Self.states.count]
        attempt.operations[0].doneAmount = attempt.operations[0].state == .succeeded ? 10_000 : 0
        attempt.operations[0].reference = "auth_\(number)"
        attempt.operations[0].repliedAt = moment
        attempt.operations[0].succeededLaterAt = round > 1 ? moment.adding(milliseconds: 7) : nil
        attempt.operations[0].leases = round
        attempt.operations[0].doubts = round + 1
        attempt.operations[0].dueAt = round == 1 ? moment : nil
        attempt.operations[0].leasedBy = round == 1 ? "one" : nil
        let kinds: [Operation.Kind] = [.capture, .void, .refund, .reverse]
        var operation = Operation(
            id: ids.make(at: moment),
            kind: kinds[(number + Int(round)) % kinds.count],
            amount: 10_000 + round,
            origin: round == 1 ? .psp : .operator,
            createdAt: moment,
            refund: round == 2 ? ids.make(at: moment) : nil,
            isFinal: round != 3
        )
        operation.commission = round == 2 ? 17 : nil
        operation.cancelsStep = operation.kind == .void
        operation.isReplaced = operation.kind == .capture
        attempt.operations.append(operation)
        payment.attempts[0] = attempt
        if round > 1 { reroute(&payment, moment) }
        dispute(&payment, round, moment)
    }

    /// Tries the next route, as long as there is one.
    private mutating func reroute(_ payment: inout Payment, _ moment: Timestamp) {
        guard let route = payment.alternatives.first else { return }
        payment.alternatives.removeFirst()
        let operation = Operation(
            id: ids.make(at: moment),
            kind: .authorize,
            amount: payment.amount,
            origin: .gateway,
            createdAt: moment
        )
        payment.attempts.append(Attempt(id: ids.make(at: moment), route: route, operations: [operation]))
    }

    /// Opens a dispute each round, and changes those that are known.
    private mutating func dispute(_ payment: inout Payment, _ round: Int64, _ moment: Timestamp) {
        for index in payment.disputes.indices {
            payment.disputes[index].state = round == 2 ? .won : .lost
            payment.disputes[index].amount += round
            payment.disputes[index].stateAt = moment
            payment.disputes[index].respondBy = nil
        }
        payment.disputes.append(
            Dispute(
                id: ids.make(at: moment),
                attempt: payment.attempts[0].id,
                reference: round == 1 ? "" : "dp_\(round)",
                heardAt: moment,
                state: .opened,
                amount: 100,
                reason: round == 1 ? nil : "fraudulent",
                respondBy: moment.adding(milliseconds: 1000),
                stateAt: nil
            )
        )
    }

    static func dollars(_ cents: Int64) throws -> Money {
        guard let currency = Currency(code: "USD") else { throw MoneyError.currencyMismatch }
        return try Money(minorUnits: cents, currency: currency)
    }
}
