import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("What a settlement file posts", .timeLimit(.minutes(10)))
struct SettlementPostingTests {
    /// A merchant's commission rule with another bearer of the PSP's fees.
    private static func bear(_ bearer: CommissionRule.FeeBearer, _ name: String, in shop: Shop) async throws {
        var merchant = try Shop.merchant(name)
        merchant.commission.pspFeesBorneBy = bearer
        let (changed, now) = (merchant, shop.now)
        try await shop.database.write { try MerchantTable.save(changed, at: now, in: $0) }
    }

    @Test("leaves a batch that is paid out at zero, whoever bears the fees", arguments: DatabaseEngine.allCases)
    func clears(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            try await Self.bear(.marketplace, "agency", in: shop)
            let airline = try await shop.refund(try await shop.sell("airline", 10_000, as: "p1"), 1_000, as: "p1")
            let agency = try await shop.sell("agency", 5_000, as: "p2")
            let before = try await shop.balances()
            let file = shop.file("one")
            let lines = [
                try Shop.line(1, .payment, 10_000, fee: 300), try Shop.line(2, .refund, -1_000, fee: -5),
                try Shop.line(3, .payment, 5_000, fee: 150), try Shop.line(4, .fee, -77),
                try Shop.line(5, .reserve, -1_000), try Shop.line(6, .adjustment, 20),
                try Shop.line(7, .payout, -12_473, fee: 25),
            ]
            let expected = [
                try await shop.expectation(airline), try await shop.expectation(airline, .refund),
                try await shop.expectation(agency),
            ]
            let matches = expected.enumerated().map { number, expectation in
                LineMatch(line: ImportPlace(file: file.id, row: number + 1), rule: "operation", with: expectation)
            }
            let entries = try await shop.take(file, lines, matches)
            #expect(entries.count == 5)
            let after = try await shop.balances()
            let change = after.merging(before.mapValues { -$0 }, uniquingKeysWith: +).filter { $0.value != 0 }
            let payable = Account.payable(merchant: airline.payments[0].merchant).path
            #expect(
                change == [
                    "psp/sim-a/clearing": -14_000, payable: 295, "expense/psp_fee/sim-a": 252,
                    "marketplace/bank": 12_473, "psp/sim-a/reserve": 1_000, "suspense/sim-a": -20,
                ]
            )
            #expect(after["psp/sim-a/clearing"] == nil)
            #expect(try await shop.findings() == [])
        }
    }

    @Test("shows a merchant that bears the fees what they were", arguments: DatabaseEngine.allCases)
    func statement(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let order = try await shop.sell("airline", 10_000, as: "p1")
            let file = shop.file("one")
            let match = LineMatch(
                line: ImportPlace(file: file.id, row: 1),
                rule: "operation",
                with: try await shop.expectation(order)
            )
            try await shop.take(file, [try Shop.line(1, .payment, 10_000, fee: 300)], [match])
            let scope = StatementScope(
                marketplace: "travel",
                merchant: order.payments[0].merchant,
                currency: order.amount.currency,
                from: Timestamp(microseconds: 0),
                to: Timestamp(microseconds: .max)
            )
            let wanted = try #require(scope)
            let statement = try await database.read { try StatementTable.statement(wanted, in: $0) }
            #expect(statement.amounts.balance[.pspFees] == -300)
            #expect(statement.amounts.balance[.adjustments] == nil)
            #expect(statement.closing == 10_000 - 1_030 - 196 - 300)
            let lines = try await database.read { try StatementTable.lines(wanted, after: nil, limit: 9, in: $0) }
            #expect(lines.map(\.kind) == [.capture, .pspFees])
        }
    }

    @Test("puts a fee right that nobody was known to bear when its line came", arguments: DatabaseEngine.allCases)
    func late(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let airline = try await shop.sell("airline", 10_000, as: "p1")
            let orders = [airline, try await shop.sell("hotel", 10_000, as: "p2")]
            let files = [shop.file("one"), shop.file("two", of: "sim-b")]
            var matches: [LineMatch] = []
            for (order, file) in zip(orders, files) {
                try await shop.take(
                    file,
                    [try Shop.line(1, .payment, 10_000, fee: 300), try Shop.line(2, .payment, 7_000, fee: 20)]
                )
                let place = ImportPlace(file: file.id, row: 1)
                matches.append(LineMatch(line: place, rule: "operation", with: try await shop.expectation(order)))
            }
            let before = try await shop.balances()
            #expect(before["expense/psp_fee/sim-a"] == 320 && before["expense/psp_fee/sim-b"] == 320)
            for run in ["first", "second"] {
                let (now, found, ids) = (shop.now, matches, shop.ids)
                try await database.write { session in
                    var ids = ids
                    try MatchTable.add(found, of: "travel", in: session)
                    let posted = try ImportCompletion.finish(
                        [],
                        matching: found.map(\.line),
                        run: BreakRun(id: run, asOf: "2027-01-15"),
                        of: "travel",
                        at: now,
                        ids: &ids,
                        in: session
                    )
                    #expect(posted.count == (run == "first" ? 3 : 0))
                }
                let change = try await shop.balances().merging(before.mapValues { -$0 }, uniquingKeysWith: +)
                let payable = Account.payable(merchant: orders[0].payments[0].merchant).path
                #expect(
                    change.filter { $0.value != 0 } == [
                        "expense/psp_fee/sim-a": -300, payable: 300, "expense/psp_fee/sim-b": -300,
                        "psp/sim-b/clearing": 300,
                    ]
                )
                #expect(try await shop.findings() == [])
            }
        }
    }

    @Test("takes nothing of what the PSP settles with merchants", arguments: DatabaseEngine.allCases)
    func direct(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let order = try await shop.sell("hotel", 10_000, as: "p1")
            let file = shop.file("one", of: "sim-b")
            let expectation = try await shop.expectation(order)
            let matches = [
                LineMatch(line: ImportPlace(file: file.id, row: 1), rule: "operation", with: expectation),
                LineMatch(
                    line: ImportPlace(file: file.id, row: 2),
                    rule: "commission",
                    subject: nil,
                    order: order.id,
                    payment: order.payments[0].id,
                    attempt: expectation.attempt,
                    merchant: expectation.merchant
                ),
            ]
            let lines = [
                try Shop.line(1, .payment, 10_000, fee: 300), try Shop.line(2, .commission, 500),
                try Shop.line(3, .payout, -500),
            ]
            #expect(try await shop.take(file, lines, matches).count == 1)
            let balances = try await shop.balances()
            #expect(balances["psp/sim-b/clearing"] == nil)
            #expect(balances["marketplace/bank"] == 500)
            #expect(balances["expense/psp_fee/sim-b"] == nil)
            #expect(try await shop.findings() == [])
        }
    }

    @Test("rounds a batch's fees once, and converts what was sold otherwise", arguments: DatabaseEngine.allCases)
    func fine(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let orders = [
                try await shop.sell("airline", 10_000, as: "p1", in: "EUR"),
                try await shop.sell("airline", 1_000, as: "p2"),
            ]
            let file = shop.file("one")
            var converted = try Shop.line(1, .payment, 10_800)
            converted.presentment = try Shop.amount(10_000, "EUR")
            converted.fee = SettlementAmount(exactly: 300_125, decimals: 5, currency: try Shop.currency())
            converted.net = SettlementAmount(exactly: 10_499_875, decimals: 5, currency: try Shop.currency())
            var fine = try Shop.line(2, .payment, 1_000)
            fine.net = SettlementAmount(exactly: 969_875, decimals: 5, currency: try Shop.currency())
            var matches: [LineMatch] = []
            for (number, order) in orders.enumerated() {
                let expectation = try await shop.expectation(order)
                matches.append(
                    LineMatch(line: ImportPlace(file: file.id, row: number + 1), rule: "r", with: expectation)
                )
            }
            try await shop.take(file, [converted, fine, try Shop.line(3, .payout, -11_470)], matches)
            let balances = try await shop.balances()
            // 3.00125 and 0.30125 + 0.00000 are 3.30250: 330 units, whatever each would be rounded to.
            #expect(balances["psp/sim-a/clearing"] == nil)
            #expect(balances["psp/sim-a/clearing EUR"] == nil)
            #expect(balances["fx/sim-a"] == -10_800)
            #expect(balances["fx/sim-a EUR"] == 10_000)
            #expect(try await shop.findings() == [])
        }
    }

    @Test(
        "takes a line of an unknown type that confirms an effect for that effect",
        arguments: DatabaseEngine.allCases,
        [false, true]
    )
    func other(_ engine: DatabaseEngine, isLate: Bool) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            try await Self.bear(.marketplace, "airline", in: shop)
            let orders = [
                try await shop.sell("airline", 5_000, as: "p1"),
                try await shop.sell("airline", 10_000, as: "p2", in: "EUR"),
            ]
            let file = shop.file("one")
            var converted = try Shop.line(2, .other, 10_800)
            converted.presentment = try Shop.amount(10_000, "EUR")
            let lines = [try Shop.line(1, .other, 5_000, fee: 141), converted, try Shop.line(3, .payout, -15_659)]
            var matches: [LineMatch] = []
            for (number, order) in orders.enumerated() {
                let place = ImportPlace(file: file.id, row: number + 1)
                matches.append(LineMatch(line: place, rule: "r", with: try await shop.expectation(order)))
            }
            try await shop.take(file, lines, isLate ? [] : matches)
            if isLate {
                #expect(try await shop.balances()["suspense/sim-a"] == -15_800)
                let (now, found, ids) = (shop.now, matches, shop.ids)
                try await database.write { session in
                    var ids = ids
                    try MatchTable.add(found, of: "travel", in: session)
                    _ = try ImportCompletion.finish(
                        [],
                        matching: found.map(\.line),
                        run: BreakRun(id: "late", asOf: "2027-01-15"),
                        of: "travel",
                        at: now,
                        ids: &ids,
                        in: session
                    )
                }
            }
            let balances = try await shop.balances()
            #expect(balances["suspense/sim-a"] ?? 0 == 0)
            #expect(balances["psp/sim-a/clearing"] ?? 0 == 0)
            #expect(balances["psp/sim-a/clearing EUR"] ?? 0 == 0)
            #expect(balances["expense/psp_fee/sim-a"] == 141)
            #expect(balances["fx/sim-a"] == -10_800 && balances["fx/sim-a EUR"] == 10_000)
            #expect(try await shop.findings() == [])
        }
    }

    @Test("is said of each PSP account", arguments: DatabaseEngine.allCases)
    func balances(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            _ = try await shop.sell("airline", 10_000, as: "p1")
            _ = try await shop.sell("hotel", 10_000, as: "p2")
            let file = shop.file("one")
            try await shop.take(file, [try Shop.line(1, .reserve, -40), try Shop.line(2, .other, -3)])
            let balances = try await database.read { try PSPBalanceTable.balances(of: "travel", in: $0) }
            let words = balances.map { "\($0.pspAccount) \($0.currency) \($0.clearing) \($0.reserve) \($0.suspense)" }
            #expect(words == ["sim-a USD 9957 40 3", "sim-b USD 500 0 0"])
        }
    }
}
