import Domain
import Gateway
import SQL
import Storage
import Synchronization
import Testing
import TributaryTestKit

@Suite("Closing the books", .timeLimit(.minutes(10)))
struct PeriodCloserTests {
    /// All that accounts were debited and credited, posting by posting.
    private static func sums(in session: any Session) throws -> [String: [Int64]] {
        var sums: [String: [Int64]] = [:]
        for row in try session.rows("SELECT debit, credit, currency, amount FROM posting") {
            let (currency, amount) = (try row.text("currency"), try row.integer("amount"))
            sums["\(try row.text("debit")) \(currency)", default: [0, 0]][0] += amount
            sums["\(try row.text("credit")) \(currency)", default: [0, 0]][1] += amount
        }
        return sums
    }

    private static func balances(in session: any Session) throws -> [String: [Int64]] {
        let balances = try LedgerBalances.all(of: "travel", in: session)
        return Dictionary(
            uniqueKeysWithValues: balances.map { ("\($0.account) \($0.currency)", [$0.debits, $0.credits]) }
        )
    }

    private static func expectEqualSums(_ database: any Database) async throws {
        let balances = try await database.read { session in try Self.balances(in: session) }
        let sums = try await database.read { session in try Self.sums(in: session) }
        #expect(balances == sums)
        #expect(!sums.isEmpty)
    }

    @Test("leaves every balance as it was, whatever is rolled up of it", arguments: DatabaseEngine.allCases)
    func rolled(_ engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var marketplace = try await BusyMarketplace(harness, seed: 7)
            try await marketplace.live(orders: 5)
            try await Self.expectEqualSums(harness.database)
            let before = try await Self.statements(marketplace.merchants, harness)
            let closer = PeriodCloser(database: harness.database)
            let first = try await closer.close("travel", at: harness.clock.now())
            #expect(first.periods > 0 && !first.isHeldUp)
            try await Self.expectEqualSums(harness.database)
            #expect(try await Self.statements(marketplace.merchants, harness) == before)
            let again = try await closer.close("travel", at: harness.clock.now())
            #expect(again.periods == 0 && again.rolledUntil == first.rolledUntil)
            try await marketplace.live(orders: 3, from: 6)
            try await Self.expectEqualSums(harness.database)
            _ = try await closer.close("travel", at: harness.clock.now().adding(milliseconds: 7_200_000))
            try await Self.expectEqualSums(harness.database)
            #expect(try await harness.complaints() == [])
        }
    }

    /// Opening and closing balances of each merchant over several times.
    private static func statements(_ merchants: [Merchant], _ harness: GatewayHarness) async throws -> [Int64] {
        let now = harness.clock.now()
        let dollars = try TestCheckout.dollars(0).currency
        return try await harness.database.read { session in
            var balances: [Int64] = []
            for merchant in merchants {
                for day in 0..<Int64(60) {
                    let scope = StatementScope(
                        marketplace: "travel",
                        merchant: merchant.id,
                        currency: dollars,
                        from: now.adding(milliseconds: -day * 86_400_000 - 1),
                        to: now.adding(milliseconds: 1)
                    )
                    let statement = try StatementTable.statement(#require(scope), in: session)
                    balances += [statement.opening, statement.closing]
                }
            }
            return balances
        }
    }

    /// A payout of one dollar to the airline, told at a moment of its own.
    private static func payout(
        _ number: Int,
        at time: Timestamp,
        to merchant: MerchantID,
        in session: any Session
    ) throws {
        var ids = IdentifierSource()
        let draft = try PayoutDraft(
            marketplace: "travel",
            merchant: merchant,
            amount: TestCheckout.dollars(100),
            reference: "late-\(number)",
            paidAt: nil,
            origin: .operator
        )
        let payout = Payout(draft, id: ids.make(at: time), at: time)
        try PayoutTable.insert(payout, covers: "{}", entry: ids.make(at: time), in: session)
    }

    private static func airline(_ database: any Database) async throws -> MerchantID {
        let found = try await database.read { try MerchantTable.find(["airline"], of: "travel", in: $0).first }
        return try #require(found).id
    }

    @Test("posts behind the closed time what comes too late for it", arguments: DatabaseEngine.allCases)
    func late(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let airline = try await Self.airline(database)
            let now = Timestamp(microseconds: 1_800_000_000_000_000)
            let progress = try await PeriodCloser(database: database).close("travel", at: now)
            let early = now.adding(milliseconds: -86_400_000)
            try await database.write { try Self.payout(1, at: early, to: airline, in: $0) }
            let posted = try await database.read {
                try $0.rows("SELECT at FROM journal_entry").map { try $0.integer("at") }
            }
            #expect(posted == [progress.rolledUntil.microseconds])
            try await Self.expectEqualSums(database)
        }
    }

    /// Stops a transaction until it is let go.
    private final class Stop: Sendable {
        private let isOpen = Atomic(false)
        private let isReached = Atomic(false)

        func wait() {
            isReached.store(true, ordering: .releasing)
            while !isOpen.load(ordering: .acquiring) {}
        }

        func reached() async { while !isReached.load(ordering: .acquiring) { await Task.yield() } }

        func open() { isOpen.store(true, ordering: .releasing) }
    }

    @Test("waits for whoever has posted into the time and not committed yet")
    func uncommitted() async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            let airline = try await Self.airline(database)
            let now = Timestamp(microseconds: 1_800_000_000_000_000)
            let early = now.adding(milliseconds: -86_400_000)
            let stop = Stop()
            async let slow: Void = database.write { session in
                try Self.payout(1, at: early, to: airline, in: session)
                _ = try session.rows("SELECT 1")
                stop.wait()
            }
            await stop.reached()
            let closer = PeriodCloser(database: database)
            let heldUp = try await closer.close("travel", at: now, looks: 2)
            #expect(heldUp.isHeldUp && heldUp.periods == 0)
            stop.open()
            try await slow
            let done = try await closer.close("travel", at: now)
            #expect(!done.isHeldUp && done.rolledUntil > early)
            let rolled = try await database.read { try $0.rows("SELECT credits FROM ledger_balance").count }
            #expect(rolled == 2)
            try await Self.expectEqualSums(database)
            let tail = try await database.read {
                try $0.rows("SELECT id FROM journal_entry WHERE at >= \(done.rolledUntil)").count
            }
            #expect(tail == 0)
        }
    }

    @Test("misses nothing of what is posted meanwhile, whoever closes", arguments: DatabaseEngine.allCases)
    func concurrent(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel, connections: 8) { database in
            let airline = try await Self.airline(database)
            let start = Timestamp(microseconds: 1_800_000_000_000_000)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 0..<5 {
                    group.addTask {
                        for number in 0..<40 {
                            // Around the edge of what is being closed, before and behind it.
                            let time = start.adding(milliseconds: Int64(number * 120_000 - writer * 600_000))
                            try await database.write {
                                try Self.payout(writer * 1000 + number, at: time, to: airline, in: $0)
                            }
                        }
                    }
                }
                for _ in 0..<2 {
                    group.addTask {
                        for step in 0..<20 {
                            let now = start.adding(milliseconds: Int64(step * 300_000))
                            _ = try await PeriodCloser(database: database).close("travel", at: now)
                        }
                    }
                }
                try await group.waitForAll()
            }
            try await Self.expectEqualSums(database)
            _ = try await PeriodCloser(database: database).close("travel", at: start.adding(milliseconds: 86_400_000))
            try await Self.expectEqualSums(database)
            let tail = try await database.read { session in
                try session.rows(
                    "SELECT e.id FROM journal_entry AS e JOIN ledger_close AS c ON e.at >= c.rolled_until"
                ).count
            }
            #expect(tail == 0)
        }
    }
}
