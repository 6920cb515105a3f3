import Domain
import SQL
import SeededRandom
import Storage
import Testing
import TributaryTestKit

@Suite("Statements of orders that live through anything", .timeLimit(.minutes(10)))
struct StatementPropertyTests {
    private static let orders = 10

    @Test("close at the payable account, chain, and say what the orders say", arguments: DatabaseEngine.allCases, 1...2)
    func statements(_ engine: DatabaseEngine, seed: Int) async throws {
        try await GatewayHarness.with(engine) { harness in
            var random = SeededRandom(seed: UInt64(seed))
            let begin = harness.clock.now()
            var marketplace = try await BusyMarketplace(harness, seed: UInt64(seed))
            try await marketplace.live(orders: Self.orders)
            #expect(try await harness.complaints() == [])
            let end = harness.clock.now().adding(milliseconds: 1)
            let orders = try await LedgerCheck.orders(in: harness.database)
            var lineCount = 0
            for merchant in marketplace.merchants {
                let whole = try await Self.statement(merchant, begin, end, in: harness.database)
                #expect(whole.opening == 0)
                let account = Account.payable(merchant: merchant.id)
                #expect(try await Self.balance(of: account, in: harness.database) == -whole.closing)
                try await chain(whole, merchant, &random, in: harness.database)
                lineCount += try await lines(whole, &random, in: harness.database)
                let payouts = try await harness.database.read { session in
                    var filter = PayoutTable.Filter(marketplace: "travel")
                    filter.merchant = merchant.id
                    return try PayoutTable.list(filter, limit: 1000, in: session)
                }
                expect(whole.amounts, of: merchant, orders, payouts)
            }
            #expect(lineCount > Self.orders)
            try await balances(marketplace.merchants, begin, end, in: harness.database)
        }
    }

    /// Times that touch have statements that touch, also where a posting falls on the edge.
    private func chain(
        _ whole: Statement,
        _ merchant: Merchant,
        _ random: inout SeededRandom,
        in database: any Database
    ) async throws {
        let lines = try await database.read { try StatementTable.lines(whole.scope, after: nil, limit: 10_000, in: $0) }
        let span = whole.scope.to.microseconds - whole.scope.from.microseconds - 1
        var edges = lines.map(\.at).filter { _ in random.chance(30) }
        for _ in 0..<5 {
            edges.append(Timestamp(microseconds: whole.scope.from.microseconds + random.number(in: 1...span)))
        }
        let times = Set(edges + [whole.scope.from, whole.scope.to]).sorted()
        var (balance, amounts) = (whole.opening, StatementAmounts())
        for (from, to) in zip(times, times.dropFirst()) {
            let part = try await Self.statement(merchant, from, to, in: database)
            #expect(part.opening == balance)
            balance = part.closing
            amounts += part.amounts
        }
        #expect(balance == whole.closing)
        #expect(amounts == whole.amounts)
    }

    /// The lines, page by page, come to the statement; each is there once.
    private func lines(_ whole: Statement, _ random: inout SeededRandom, in database: any Database) async throws -> Int
    {
        var found: [StatementLine] = []
        while true {
            let (limit, place) = (Int(random.number(in: 1...7)), found.last?.place)
            let page = try await database.read {
                try StatementTable.lines(whole.scope, after: place, limit: limit, in: $0)
            }
            found += page
            if page.count < limit { break }
        }
        #expect(found.reduce(into: StatementAmounts()) { $0 += $1.amounts } == whole.amounts)
        #expect(Set(found.map(\.entry)).count == found.count)
        #expect(found.map(\.at) == found.map(\.at).sorted())
        for line in found {
            #expect((line.payout == nil) == (line.payment != nil), "\(line)")
            #expect((line.order == nil) == (line.payout != nil), "\(line)")
            if line.payout != nil { #expect(line.reference?.hasPrefix("SEPA-") == true) }
            if [.chargeback, .chargebackReversal].contains(line.kind) { #expect(line.dispute != nil) }
            if line.kind == .refund { #expect(line.pspReference != nil) }
        }
        return found.count
    }

    /// What the orders and the payouts themselves say a statement should come to.
    private func expect(
        _ amounts: StatementAmounts,
        of merchant: Merchant,
        _ orders: [Order],
        _ payouts: [Payout]
    ) {
        let payments = orders.flatMap(\.payments).filter { $0.merchant == merchant.id }
        let captured = payments.reduce(0) { $0 + $1.captured }
        let refunded = payments.reduce(0) { $0 + $1.refunded }
        let chargedBack = payments.reduce(0) { $0 + $1.chargedBack }
        func kept(_ kind: AllocationLine.Kind) -> Int64 {
            payments.flatMap(\.allocation).filter { $0.kind == kind }.reduce(0) { $0 + $1.captured - $1.refunded }
        }
        func sum(_ items: StatementItem...) -> Int64 { items.reduce(0) { $0 + amounts.balance[$1, default: 0] } }
        func direct(_ items: DirectItem...) -> Int64 { items.reduce(0) { $0 + amounts.direct[$1, default: 0] } }
        let route = merchant.routes[0]
        let isOurs = route.settlesTo == .marketplace
        #expect(sum(.gross) == (isOurs ? captured : 0))
        #expect(sum(.refunds) == (isOurs ? -refunded : 0))
        #expect(sum(.chargebacks, .chargebackReversals) == (isOurs ? -chargedBack : 0))
        #expect(sum(.commission, .commissionReturned) == (isOurs ? -kept(.commission) : 0))
        #expect(sum(.commissionTax, .commissionTaxReturned) == (isOurs ? -kept(.commissionTax) : 0))
        #expect(direct(.gross) == (isOurs ? 0 : captured))
        #expect(direct(.refunds) == (isOurs ? 0 : -refunded))
        #expect(direct(.chargebacks, .chargebackReversals) == (isOurs ? 0 : -chargedBack))
        let isInvoiced = !isOurs && route.commissionBy == .invoice
        #expect(direct(.commissionByPSP) == (isOurs || isInvoiced ? 0 : -kept(.commission)))
        #expect(direct(.commissionInvoiced) == (isInvoiced ? -kept(.commission) : 0))
        #expect(sum(.payouts) == -payouts.reduce(0) { $0 + $1.amount.minorUnits })
        let failed = payouts.filter { $0.state != .paid }
        #expect(sum(.payoutReversals) == failed.reduce(0) { $0 + $1.amount.minorUnits })
        #expect(sum(.pspFees, .adjustments) == 0)
    }

    /// The list of balances says what the statements close at, and what is invoiced.
    private func balances(
        _ merchants: [Merchant],
        _ begin: Timestamp,
        _ end: Timestamp,
        in database: any Database
    ) async throws {
        let listed = try await database.read { try StatementTable.balances(of: "travel", in: $0) }
        #expect(listed.map(\.externalIdentifier) == listed.map(\.externalIdentifier).sorted())
        for merchant in merchants {
            let statement = try await Self.statement(merchant, begin, end, in: database)
            let balance = listed.first { $0.merchant == merchant.id }
            #expect(balance?.payable ?? 0 == statement.closing)
            let receivable = try await Self.balance(of: .receivable(merchant: merchant.id), in: database)
            #expect(balance?.receivable ?? 0 == receivable)
        }
    }

    private static func statement(
        _ merchant: Merchant,
        _ from: Timestamp,
        _ to: Timestamp,
        in database: any Database
    ) async throws -> Statement {
        let scope = StatementScope(
            marketplace: "travel",
            merchant: merchant.id,
            currency: try TestCheckout.dollars(0).currency,
            from: from,
            to: to
        )
        let wanted = try #require(scope)
        return try await database.read { try StatementTable.statement(wanted, in: $0) }
    }

    /// Debits less credits of an account, posting by posting.
    private static func balance(of account: Account, in database: any Database) async throws -> Int64 {
        try await database.read { session in
            try session.rows("SELECT debit, credit, amount FROM posting").reduce(0) { sum, row in
                if try row.text("debit") == account.path { return sum + (try row.integer("amount")) }
                return try row.text("credit") == account.path ? sum - (try row.integer("amount")) : sum
            }
        }
    }
}
