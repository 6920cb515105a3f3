import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("What a PSP takes for a dispute", .timeLimit(.minutes(10)))
struct DisputeFeeTests {
    /// Of a sale of 10,000 that is wholly disputed, and a fee of 1,000: what the merchant is owed in the end, what of
    /// the fee the marketplace bears, and what of the dispute.
    static let rows: [(liability: DisputeLiability, owed: Int64, fee: Int64, borne: Int64)] = [
        (.merchant, -2_226, 0, 0), (.marketplace, 8_774, 1_000, 10_000), (.proRata, -877, 123, 1_226),
    ]

    @Test(
        "is borne once, whether the dispute tells it, the file, or both",
        arguments: DatabaseEngine.allCases,
        0..<2 * rows.count
    )
    func once(_ engine: DatabaseEngine, _ number: Int) async throws {
        let row = Self.rows[number / 2]
        let told: Int64? = number % 2 == 0 ? nil : 1_000
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            shop.liability = row.liability
            let sold = try await shop.sell("airline", 10_000, as: "p1")
            let order = try await shop.dispute(sold, .lost, 10_000, fee: told)
            #expect(try await shop.findings() == [])
            let file = shop.file("one")
            let expectation = try await shop.expectation(order, .chargeback)
            #expect(expectation.amount == -10_000)
            let match = LineMatch(line: ImportPlace(file: file.id, row: 1), rule: "dispute", with: expectation)
            try await shop.take(file, [try Shop.line(1, .chargeback, -10_000, fee: 1_000)], [match])
            let balances = try await shop.balances()
            let payable = Account.payable(merchant: order.payments[0].merchant).path
            #expect(balances[payable] ?? 0 == -row.owed)
            #expect(balances["expense/psp_fee/sim-a"] ?? 0 == row.fee)
            #expect(balances["marketplace/disputes_borne"] ?? 0 == row.borne)
            #expect(balances["psp/sim-a/clearing"] == -1_000)
            #expect(try await shop.findings() == [])
            let settled = try await database.read { try DisputeFeeTable.settled(of: order.id, in: $0) }
            #expect(settled == ["dp_1"])
        }
    }

    @Test(
        "is given back to whoever bore it, whether the dispute had told it, the file, or both",
        arguments: DatabaseEngine.allCases,
        0..<2 * rows.count
    )
    func returned(_ engine: DatabaseEngine, _ number: Int) async throws {
        let told: Int64? = number % 2 == 0 ? nil : 1_000
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            shop.liability = Self.rows[number / 2].liability
            let sold = try await shop.sell("airline", 10_000, as: "p1")
            let opened = try await shop.dispute(sold, .opened, 10_000, fee: told)
            let order = try await shop.dispute(opened, .won, 10_000)
            let file = shop.file("one")
            var matches: [LineMatch] = []
            for (row, kind) in [(1, Domain.Expectation.Kind.chargeback), (2, .chargebackReversal)] {
                let expectation = try await shop.expectation(order, kind)
                let place = ImportPlace(file: file.id, row: row)
                matches.append(LineMatch(line: place, rule: "dispute", with: expectation))
            }
            let lines = [
                try Shop.line(1, .chargeback, -10_000, fee: 1_000),
                try Shop.line(2, .chargebackReversal, 10_000, fee: -1_000),
            ]
            try await shop.take(file, lines, matches)
            let balances = try await shop.balances()
            #expect(balances[Account.payable(merchant: order.payments[0].merchant).path] == -8_774)
            let others = ["expense/psp_fee/sim-a", "marketplace/disputes_borne"].map { balances[$0] ?? 0 }
            #expect(others == [0, 0])
            #expect(try await shop.findings() == [])
        }
    }

    @Test("is expected of the PSP's file with the whole amount, whoever is paid", arguments: DisputeLiability.allCases)
    func expected(_ liability: DisputeLiability) async throws {
        try await withDatabase(.sqlite, prepare: .travel) { database in
            var shop = Shop(database)
            shop.liability = liability
            for (merchant, account) in [("airline", "sim-a"), ("hotel", "sim-b")] {
                let sold = try await shop.sell(merchant, 10_000, as: merchant)
                let lost = try await shop.dispute(sold, .opened, 4_000, fee: 500)
                let order = try await shop.dispute(lost, .won, 4_000)
                let amounts = try await shop.expectations(of: account).filter { $0.order == order.id }
                    .reduce(into: [:]) { $0[$1.kind] = $1.amount }
                #expect(amounts == [.payment: 10_000, .chargeback: -4_000, .chargebackReversal: 4_000], "\(merchant)")
            }
            #expect(try await shop.findings() == [])
        }
    }
}
