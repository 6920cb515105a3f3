import Domain

/// Orders that hold everything an order can hold.
struct OrderSample {
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
        let payments = names.map { payment($0) }
        return Order(
            id: ids.make(at: now),
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
                returnURL: "https://shop.example/back?a=1&b=2"
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
        let route = FrozenRoute(
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
                AllocationLine(kind: .merchant, party: name, amount: 8_000),
                AllocationLine(kind: .commission, party: "travel", amount: 1_500),
                AllocationLine(kind: .commissionTax, party: "travel", amount: 400),
                AllocationLine(kind: .tax, party: "state", amount: 100),
            ],
            attempts: [Attempt(id: ids.make(at: now), route: route, operations: [operation])]
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
        for payment in order.payments.indices { change(&order.payments[payment], number: payment, round, moment) }
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
        attempt.operations[0].leases = round
        attempt.operations[0].doubts = round + 1
        attempt.operations[0].dueAt = round == 1 ? moment : nil
        attempt.operations[0].leasedBy = round == 1 ? "one" : nil
        let kinds: [Operation.Kind] = [.capture, .void, .refund, .reverse]
        attempt.operations.append(
            Operation(
                id: ids.make(at: moment),
                kind: kinds[(number + Int(round)) % kinds.count],
                amount: 10_000 + round,
                origin: round == 1 ? .psp : .operator,
                createdAt: moment
            )
        )
        payment.attempts[0] = attempt
    }

    static func dollars(_ cents: Int64) throws -> Money {
        guard let currency = Currency(code: "USD") else { throw MoneyError.currencyMismatch }
        return try Money(minorUnits: cents, currency: currency)
    }
}
