import Domain
import Gateway
import Logging
import SQL
import Storage
import Synchronization
import Testing
import TributaryTestKit

@Suite("The watch over the books", .timeLimit(.minutes(10)))
struct LedgerMonitorTests {
    /// What was logged as an error: rule and subject.
    private final class Errors: Sendable {
        let lines = Mutex<[String]>([])

        var logger: Logger { Logger(label: "watch") { _ in Handler(errors: self) } }
    }

    private struct Handler: LogHandler {
        let errors: Errors
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .error

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let words = ["rule", "subject"].map { "\(event.metadata?[$0] ?? "")" }
            errors.lines.withLock { $0.append(words.joined(separator: " ")) }
        }
    }

    private static func watch(_ harness: GatewayHarness, _ name: String, _ errors: Errors) -> LedgerMonitor {
        LedgerMonitor(
            database: harness.database,
            clock: harness.clock,
            instance: name,
            verifyEveryMilliseconds: 3_600_000,
            logger: errors.logger
        )
    }

    private static func health(_ harness: GatewayHarness) async throws -> LedgerHealth {
        try await harness.database.read { session in try LedgerWatchTable.health(in: session) }
    }

    @Test(
        "verifies once in its interval, whoever looks, logs what it finds, and rolls up what is over",
        arguments: DatabaseEngine.allCases
    )
    func watching(_ engine: DatabaseEngine) async throws {
        let clock = ManualClock()
        try await GatewayHarness.with(engine, clock: clock) { harness in
            let airline = try #require(
                try await harness.database.read { try MerchantTable.find(["airline"], of: "travel", in: $0).first }
            )
            let draft = try PayoutDraft(
                marketplace: "travel",
                merchant: airline.id,
                amount: TestCheckout.dollars(1_000),
                reference: "SEPA-1",
                paidAt: nil,
                origin: .operator
            )
            let desk = Gateway.Payouts(
                database: harness.database,
                clock: clock,
                presentation: .plain,
                by: .instance("test")
            )
            let payout = try await desk.record(draft).payout
            #expect(try await Self.health(harness) == LedgerHealth(findings: [:], verifiedAt: .init(microseconds: 0)))
            let (errors, silent) = (Errors(), Errors())
            try await harness.database.write { try $0.run("UPDATE payout SET amount = amount + 1") }
            clock.advance(milliseconds: 7_200_000)
            await Self.watch(harness, "one", errors).look()
            let first = LedgerHealth(findings: [.payoutIsPosted: 1], verifiedAt: clock.now())
            #expect(try await Self.health(harness) == first)
            #expect(errors.lines.withLock { $0 } == ["payout_is_posted \(payout.id)"])
            let rolled = try await harness.database.read { try LedgerRollup.rolledUntil("travel", in: $0) }
            #expect(rolled == LedgerRollup.lastEnd(before: clock.now().adding(milliseconds: -15 * 60_000)))

            try await harness.database.write { try $0.run("UPDATE payout SET amount = amount - 1") }
            clock.advance(milliseconds: 3_599_999)
            await Self.watch(harness, "two", silent).look()
            #expect(try await Self.health(harness) == first)
            clock.advance(milliseconds: 1)
            await Self.watch(harness, "two", silent).look()
            #expect(try await Self.health(harness) == LedgerHealth(findings: [:], verifiedAt: clock.now()))
            #expect(silent.lines.withLock { $0 } == [])
        }
    }

    @Test(
        "looks at what is new since the run before the last, and at everything while anything is found",
        arguments: DatabaseEngine.allCases
    )
    func newSinceLast(_ engine: DatabaseEngine) async throws {
        let clock = ManualClock()
        try await GatewayHarness.with(engine, clock: clock) { harness in
            let desk = Gateway.Payouts(
                database: harness.database,
                clock: clock,
                presentation: .plain,
                by: .instance("test")
            )
            func record(_ reference: String) async throws {
                let airline = try #require(
                    try await harness.database.read { try MerchantTable.find(["airline"], of: "travel", in: $0).first }
                )
                let draft = try PayoutDraft(
                    marketplace: "travel",
                    merchant: airline.id,
                    amount: TestCheckout.dollars(1_000),
                    reference: reference,
                    paidAt: nil,
                    origin: .operator
                )
                _ = try await desk.record(draft)
            }
            func change(_ reference: String, by amount: Int64) async throws {
                try await harness.database.write { session in
                    try session.run("UPDATE payout SET amount = amount + \(amount) WHERE reference = \(reference)")
                }
            }
            func findings() async throws -> Int64 {
                clock.advance(milliseconds: 3_600_000)
                await Self.watch(harness, "one", Errors()).look()
                return try await Self.health(harness).findings[.payoutIsPosted] ?? 0
            }
            try await record("SEPA-old")
            for _ in 0..<3 { #expect(try await findings() == 0) }
            try await change("SEPA-old", by: 1)
            #expect(try await findings() == 0)
            try await record("SEPA-new")
            try await change("SEPA-new", by: 1)
            #expect(try await findings() == 1)
            #expect(try await findings() == 2)
            try await change("SEPA-old", by: -1)
            try await change("SEPA-new", by: -1)
            #expect(try await findings() == 0)
        }
    }

    @Test("leaves alone what another instance has in hand, until its claim lapses", arguments: DatabaseEngine.allCases)
    func claims(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            func claim(_ name: String, _ now: Int64) async throws -> Bool {
                try await database.write { session in
                    try LedgerWatchTable.claim(
                        "travel",
                        by: name,
                        at: Timestamp(microseconds: now),
                        until: Timestamp(microseconds: now + 10),
                        dueBefore: Timestamp(microseconds: now - 100),
                        in: session
                    )
                }
            }
            #expect(try await claim("one", 1_000))
            #expect(try await !claim("two", 1_009))
            #expect(try await claim("two", 1_010))
            let isLost = try await database.write { session in
                try !LedgerWatchTable.renew("travel", by: "one", until: Timestamp(microseconds: 2_000), in: session)
            }
            #expect(isLost)
            try await database.write { session in
                let now = Timestamp(microseconds: 1_012)
                try LedgerWatchTable.complete(
                    "travel",
                    by: "one",
                    begunAt: now,
                    at: now,
                    finding: [.entryBalances: 1],
                    in: session
                )
                try LedgerWatchTable.complete(
                    "travel",
                    by: "two",
                    begunAt: now,
                    at: now,
                    finding: [.orderIsReadable: 2],
                    in: session
                )
            }
            let health = try await database.read { session in try LedgerWatchTable.health(in: session) }
            #expect(health == LedgerHealth(findings: [.orderIsReadable: 2], verifiedAt: .init(microseconds: 1_012)))
            #expect(try await !claim("one", 1_111))
            #expect(try await claim("one", 1_112))
        }
    }
}
