import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

/// A travel agency that sells, and the PSP's and bank's files about it.
struct Shop {
    static let day: Int64 = 86_400_000
    /// What identifiers are made from, one step after the other.
    var ids = IdentifierSource()
    /// The moment of what happens next.
    var now = Timestamp(microseconds: 1_800_000_000_000_000)
    let database: any Database
    /// Who bears disputes of what is sold next.
    var liability = DisputeLiability.merchant

    init(_ database: any Database) { self.database = database }

    static func merchant(_ name: String) throws -> Merchant {
        try #require(TestMarketplace.travel.merchants.first { $0.externalIdentifier == name })
    }

    static func currency(_ code: String = "USD") throws -> Currency { try #require(Currency(code: code)) }

    /// An amount in whole minor units.
    static func amount(_ minorUnits: Int64, _ code: String = "USD") throws -> SettlementAmount {
        let currency = try currency(code)
        return try #require(SettlementAmount(exactly: minorUnits, decimals: currency.exponent, currency: currency))
    }

    mutating func make<Tag>() -> Identifier<Tag> { ids.make(at: now) }

    /// An order of one merchant, placed, approved and captured; the PSP calls the payment by `name`.
    mutating func sell(
        _ merchant: String,
        _ amount: Int64,
        as name: String,
        in code: String = "USD"
    ) async throws
        -> Order
    {
        let order = try place(merchant, amount, code)
        var sold = try await step(order, isNew: true) { $0.place() }
        sold = try await answer(sold, name)
        return try await answer(sold, name)
    }

    /// An order of one merchant, placed and approved; its capture is on its way.
    mutating func hold(_ merchant: String, _ amount: Int64, as name: String) async throws -> Order {
        let order = try place(merchant, amount, "USD")
        return try await answer(try await step(order, isNew: true) { $0.place() }, name)
    }

    /// Lets the PSP succeed with everything that is open.
    mutating func answer(_ order: Order, _ name: String) async throws -> Order {
        let open = order.payments[0].attempt.operations.filter(\.isOpen)
        return try await step(order) { machine in
            for operation in open {
                let reference = operation.kind == .authorize ? name : "\(name)-\(operation.kind)-\(operation.amount)"
                let done = Success(reference: reference, amount: operation.amount)
                machine.hear(Report(operation: operation.id, outcome: .succeeded(done)))
            }
        }
    }

    mutating func refund(_ order: Order, _ amount: Int64, as name: String) async throws -> Order {
        let asked = try await step(order) { _ = try $0.refund(RefundRequest(.amount(amount))) }
        return try await answer(asked, name)
    }

    mutating func dispute(
        _ order: Order,
        _ state: DisputeNotice.State,
        _ amount: Int64,
        fee: Int64? = nil
    ) async throws -> Order {
        let subject = Notice.Subject(attempt: order.payments[0].attempt.id.text, object: "dp_1")
        let notice = Notice(about: subject, .dispute(DisputeNotice(state: state, amount: amount, fee: fee)))
        return try await step(order) { machine in
            let isHeard = machine.hear(notice)
            #expect(isHeard)
        }
    }

    /// A step of the order's machine, stored; a second later than the one before.
    mutating func step(
        _ order: Order,
        isNew: Bool = false,
        _ body: (inout OrderMachine) throws -> Void
    ) async throws -> Order {
        now = now.adding(milliseconds: 1000)
        let source = IdentifierSource(of: order.id, step: order.version + 2)
        var machine = OrderMachine(order, at: now, by: "one", rules: OrderTimings(), ids: source)
        try body(&machine)
        let record = machine.record
        var after = machine.order
        after.version = order.version + 1
        try await database.write { [after] session in
            if isNew {
                try OrderWriter.insert(after, record, wakeAt: nil, in: session)
            } else {
                try OrderWriter.update(after, from: order, record, answer: nil, wakeAt: nil, in: session)
            }
        }
        return after
    }

    private mutating func place(_ name: String, _ amount: Int64, _ code: String) throws -> Order {
        let merchant = try Self.merchant(name)
        let id = OrderID.make(from: &ids, at: now)
        var parts = IdentifierSource(of: id, step: 1)
        let money = try Money(minorUnits: amount, currency: Self.currency(code))
        let charge = merchant.commission.charge(on: money)
        let route = merchant.routes[0]
        let frozen = RouteSnapshot(
            psp: "simulator",
            pspAccount: route.pspAccount,
            merchantAccount: route.merchantAccount,
            settlesTo: route.settlesTo,
            commissionBy: route.commissionBy
        )
        let operation = Operation(
            id: parts.make(at: now),
            kind: .authorize,
            amount: amount,
            origin: .gateway,
            createdAt: now
        )
        let lines = try #require(charge.lines(of: amount, merchant: name, marketplace: "travel"))
        var payment = Payment(
            id: parts.make(at: now),
            merchant: merchant.id,
            externalIdentifier: name,
            amount: amount,
            reference: "part \(name)",
            metadata: [],
            allocation: lines,
            attempts: [Attempt(id: parts.make(at: now), route: frozen, operations: [operation])]
        )
        payment.disputeLiability = liability
        return Order(
            id: id,
            marketplace: "travel",
            reference: nil,
            amount: money,
            metadata: [],
            createdAt: now,
            terms: OrderTerms(
                policy: .allOrNothing,
                capture: .automatic,
                onDeadline: .continue,
                onCaptureFailure: .attention,
                deadlineAt: now.adding(milliseconds: 20_000),
                decideBy: now.adding(milliseconds: 900_000)
            ),
            payments: [payment]
        )
    }
}

/// What differs.
extension Shop {
    /// Records breaks as found by the run of a file.
    mutating func record(_ found: [Break], in file: ImportedFile) async throws -> BreakTable.Recorded {
        now = now.adding(milliseconds: 1000)
        let (now, ids, run) = (now, ids, BreakRun(id: file.id.text, asOf: "2027-01-15"))
        return try await database.write { session in
            var ids = ids
            return try BreakTable.record(found, run, of: "travel", at: now, ids: &ids, in: session)
        }
    }

    /// The break with a key.
    func stored(_ key: String) async throws -> StoredBreak {
        try #require(try await database.read { try BreakTable.find(keys: [key], of: "travel", in: $0).first })
    }

    func actions(of id: BreakID) async throws -> [BreakAction] {
        try #require(try await database.read { try BreakTable.show(id, of: "travel", in: $0)?.actions })
    }

    /// Lets Ann decide about a break, as she sees it.
    mutating func act(_ state: BreakState, on found: StoredBreak) async throws -> StoredBreak {
        now = now.adding(milliseconds: 1000)
        let (now, ids) = (now, ids)
        let decision = try BreakDecision(state, by: "ann", because: "as the PSP wrote")
        return try await database.write { session in
            var ids = ids
            return try BreakTable.act(
                decision,
                on: found.id,
                seenAs: found.state,
                of: "travel",
                at: now,
                ids: &ids,
                in: session
            )
        }
    }

    /// Lets Ann decide about a break, for a test in which she may not.
    func tryAct(_ state: BreakState, on found: StoredBreak) async throws {
        var shop = self
        _ = try await shop.act(state, on: found)
    }
}
