import Domain
import SQL
import SeededRandom
import Storage
import Testing
import TributaryTestKit

/// Writes orders as a gateway would, step by step, with identifiers and times that are the same each time.
struct BookWriter {
    private let database: any Database
    private var ids = IdentifierSource(random: SeededRandom(seed: 0x2025_1001))
    private var orderIDs = IdentifierSource(random: SeededRandom(seed: 0x2025_1002))
    private var numbers = SeededRandom(seed: 7)
    private var now: Timestamp
    private var merchants: [Merchant] = []

    init(_ database: any Database, at start: Timestamp) {
        self.database = database
        now = start
    }

    /// Declares the marketplace `travel` with an account and a merchant at each PSP.
    mutating func declare() async throws {
        let moment = now
        merchants = SettledPSP.allCases.map { psp in
            Merchant(
                id: ids.make(at: moment),
                marketplace: "travel",
                externalIdentifier: psp.merchant,
                name: "Merchant at \(psp)",
                kind: .merchant,
                commission: CommissionRule(basisPoints: 1000),
                routes: [
                    Merchant.Route(
                        pspAccount: psp.account,
                        merchantAccount: psp.merchantAccount,
                        settlesTo: psp.settlesTo
                    )
                ]
            )
        }
        let merchants = merchants
        try await database.write { session in
            try MarketplaceTable.save(.init(id: "travel", name: "Travel Now"), at: moment, in: session)
            for psp in SettledPSP.allCases {
                let account = PSPAccount(
                    marketplace: "travel",
                    id: psp.account,
                    psp: psp.rawValue,
                    baseURL: "http://127.0.0.1:1",
                    credentials: [:],
                    updatedAt: moment
                )
                try PSPAccountTable.save(account, in: session)
            }
            for merchant in merchants { try MerchantTable.save(merchant, at: moment, in: session) }
        }
    }

    /// An order of a part for each merchant, placed and approved, and captured if that is how it is sold.
    mutating func place(
        _ name: String,
        at moment: Timestamp,
        capture: OrderTerms.Capture = .automatic
    ) async throws -> Order {
        now = moment
        let id = OrderID.make(from: &orderIDs, at: now)
        ids = IdentifierSource(of: id, step: 1, random: SeededRandom(seed: 1))
        let payments = try merchants.enumerated().map { try payment($0.element, 4_000 + 713 * Int64($0.offset)) }
        let total = payments.reduce(0) { $0 + $1.amount }
        let order = Order(
            id: id,
            marketplace: "travel",
            reference: name,
            amount: try Self.dollars(total),
            metadata: [],
            createdAt: now,
            terms: OrderTerms(
                policy: .allOrNothing,
                capture: capture,
                onDeadline: .continue,
                onCaptureFailure: .attention,
                deadlineAt: now.adding(milliseconds: 20_000),
                decideBy: now.adding(milliseconds: 900_000)
            ),
            payments: payments
        )
        let placed = try await step(order, isNew: true) { $0.place() }
        let approved = try await answer(placed)
        return capture == .automatic ? try await answer(approved) : approved
    }

    private mutating func payment(_ merchant: Merchant, _ base: Int64) throws -> Payment {
        let amount = base + Int64.random(in: 0..<500, using: &numbers)
        let charge = merchant.commission.charge(on: try Self.dollars(amount))
        let route = merchant.routes[0]
        let psp = try #require(SettledPSP.allCases.first { $0.account == route.pspAccount })
        let frozen = RouteSnapshot(
            psp: psp.rawValue,
            pspAccount: route.pspAccount,
            merchantAccount: route.merchantAccount,
            settlesTo: route.settlesTo,
            commissionBy: route.commissionBy
        )
        let operation = Operation(
            id: ids.make(at: now),
            kind: .authorize,
            amount: amount,
            origin: .gateway,
            createdAt: now
        )
        let name = merchant.externalIdentifier
        return Payment(
            id: ids.make(at: now),
            merchant: merchant.id,
            externalIdentifier: name,
            amount: amount,
            reference: "part of \(name)",
            metadata: [],
            allocation: try #require(charge.lines(of: amount, merchant: name, marketplace: "travel")),
            attempts: [Attempt(id: ids.make(at: now), route: frozen, operations: [operation])]
        )
    }

    /// Lets the PSPs succeed with everything that is open.
    private mutating func answer(_ order: Order) async throws -> Order {
        let open = order.payments.flatMap { payment in
            payment.attempt.operations.filter(\.isOpen).map { (payment, $0) }
        }
        return try await step(order) { machine in
            for (payment, operation) in open {
                let payment = "\(payment.attempt.route.psp)_\(order.reference ?? "")"
                let name = operation.kind == .authorize ? payment : "\(payment)_\(operation.kind.rawValue)"
                let done = Success(reference: name, amount: operation.amount)
                machine.hear(Report(operation: operation.id, outcome: .succeeded(done)))
            }
        }
    }

    /// Gives a part of the payments at some PSPs back, a day later.
    mutating func refund(_ order: Order, at psps: [SettledPSP], percent: Int64) async throws {
        now = now.adding(milliseconds: 86_400_000)
        let items = order.payments.filter { payment in psps.contains { $0.merchant == payment.externalIdentifier } }
            .map { Refund.Item(payment: $0.id, amount: $0.captured * percent / 100) }
        let asked = try await step(order) { _ = try $0.refund(RefundRequest(.items(items))) }
        _ = try await answer(asked)
    }

    /// Lets buyers dispute the payments at some PSPs, a day later, and loses or wins.
    mutating func dispute(_ order: Order, at psps: [SettledPSP], isWon: Bool) async throws {
        now = now.adding(milliseconds: 86_400_000)
        var order = order
        for psp in psps {
            for state in isWon ? [DisputeNotice.State.opened, .won] : [.opened] {
                let payment = try #require(order.payments.first { $0.externalIdentifier == psp.merchant })
                let notice = Notice(
                    about: .init(attempt: payment.attempt.id.text, object: "dp_\(psp)_\(order.reference ?? "")"),
                    .dispute(DisputeNotice(state: state, amount: payment.captured))
                )
                order = try await step(order) { machine in
                    let isHeard = machine.hear(notice)
                    #expect(isHeard)
                }
            }
        }
    }

    /// Lets go of everything that is held.
    mutating func cancel(_ order: Order) async throws {
        let asked = try await step(order) { try $0.cancel() }
        _ = try await answer(asked)
    }

    /// A step of the order's machine, stored; a second later than the one before.
    private mutating func step(
        _ order: Order,
        isNew: Bool = false,
        _ body: (inout OrderMachine) throws -> Void
    ) async throws -> Order {
        now = now.adding(milliseconds: 1000)
        let source = IdentifierSource(of: order.id, step: order.version + 2, random: SeededRandom(seed: 1))
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

    private static func dollars(_ cents: Int64) throws -> Money {
        try Money(minorUnits: cents, currency: #require(Currency(code: "USD")))
    }
}
