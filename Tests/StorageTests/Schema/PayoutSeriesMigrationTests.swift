import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Payouts from before they were told", .timeLimit(.minutes(1)))
struct PayoutSeriesMigrationTests {
    @Test("are counted, and the next one pays for what came since", arguments: DatabaseEngine.allCases)
    func counted(_ engine: DatabaseEngine) async throws {
        let before = Schema.migrations.filter { $0.name < "0013" }
        try await withDatabase(engine) { database in
            _ = try await Migrator(before).migrate(database)
            let merchants = TestMarketplace.travel.merchants
            try await database.write { session in
                try session.run("INSERT INTO marketplace (id, name, created_at) VALUES ('travel', 'travel', 1)")
                for merchant in merchants {
                    try session.run(
                        """
                        INSERT INTO merchant (id, marketplace, external_identifier, name, kind, commission, status,
                            updated_at)
                        VALUES (\(merchant.id.text), 'travel', \(merchant.externalIdentifier), \(merchant.name),
                            'merchant', '{}', 'active', 1)
                        """
                    )
                }
                for (id, merchant, currency, time, failedAt): (String, Int, String, Int64, Int64?) in [
                    ("po_1", 0, "USD", 1_000_001, nil), ("po_2", 0, "USD", 7_000_999, 8_000_000),
                    ("po_3", 0, "EUR", 3_000_000, nil), ("po_4", 1, "USD", 4_000_000, nil),
                ] {
                    try session.run(
                        """
                        INSERT INTO payout (id, marketplace, merchant, currency, amount, paid_at, reference, origin,
                            state, recorded_at, failed_at, failure)
                        VALUES (\(id), 'travel', \(merchants[merchant].id.text), \(currency), 5, 1, \(id), 'operator',
                            \(failedAt == nil ? "paid" : "failed"), \(time), \(failedAt),
                            \(failedAt.map { _ in "came back" }))
                        """
                    )
                }
            }
            _ = try await Migrator().migrate(database)
            let series = try await database.write { session in
                try merchants.prefix(2).flatMap { merchant in
                    try ["EUR", "USD"].compactMap { code in
                        try Currency(code: code).map {
                            try PayoutSeriesTable.next(of: merchant.id, in: $0, marketplace: "travel", session)
                        }
                    }
                }
            }
            #expect(series.map(\.number) == [2, 4, 1, 2])
            #expect(series.map(\.coveredTo.microseconds) == [3_000_000, 7_000_000, 0, 4_000_000])
            #expect(series.map(\.closing) == [nil, nil, 0, nil])
            let covers = try await database.read { try $0.rows("SELECT covers FROM payout WHERE covers IS NOT NULL") }
            #expect(covers.isEmpty)
        }
    }
}
