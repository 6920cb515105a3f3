import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("GET /metrics", .timeLimit(.minutes(1)))
struct MetricsTests {
    /// The samples, by name and labels.
    private static func samples(_ text: String) -> [String: Int64] {
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return Dictionary(
            lines.map { line in
                let parts = line.split(separator: " ")
                return (String(parts[0]), Int64(parts[1]) ?? -1)
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    @Test(
        "says what waits and what fails, without a key, each figure with its help and type",
        arguments: DatabaseEngine.allCases
    )
    func callbacks(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let none = try await api.anonymous.get("/metrics")
            #expect(none.status == 200)
            #expect(none.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
            let empty = Self.samples(String(decoding: none.bytes, as: UTF8.self))
            #expect(empty.values.allSatisfy { $0 == 0 } && empty.count == 11 + LedgerRule.allCases.count)

            let verifiedAt = api.clock.now()
            try await api.database.write { session in
                let later = verifiedAt.adding(milliseconds: 1000)
                for marketplace in try MarketplaceTable.all(in: session).map(\.id) {
                    let isClaimed = try LedgerWatchTable.claim(
                        marketplace,
                        by: "one",
                        at: verifiedAt,
                        until: later,
                        dueBefore: verifiedAt,
                        in: session
                    )
                    #expect(isClaimed)
                    let found: [LedgerRule: Int] = marketplace == "travel" ? [.statementAddsUp: 3] : [:]
                    try LedgerWatchTable.complete(
                        marketplace,
                        by: "one",
                        begunAt: verifiedAt,
                        at: verifiedAt,
                        finding: found,
                        in: session
                    )
                }
            }
            let outsiders = try await Outsiders(api)
            _ = try await OrderStage(api)
            let heard = try await outsiders.heard()
            let oldest = try #require(heard.first)
            let now = api.clock.now()
            try await api.database.write { session in
                let report = DeliveryReport(oldest.id, .dead, status: 500, error: "HTTP 500")
                try CallbackQueue.record([report], at: now, in: session)
            }
            api.clock.advance(milliseconds: 90_000)
            let reply = try await api.anonymous.get("/metrics")
            let text = String(decoding: reply.bytes, as: UTF8.self)
            let samples = Self.samples(text)
            #expect(samples["tributary_callbacks_dead"] == 1)
            #expect(try #require(samples["tributary_callbacks_waiting"]) >= Int64(heard.count - 1))
            #expect((90...120).contains(try #require(samples["tributary_callbacks_oldest_waiting_age_seconds"])))
            #expect(samples[#"tributary_callback_endpoints{state="enabled"}"#] == 3)
            #expect(samples[#"tributary_ledger_findings{rule="statement_adds_up"}"#] == 3)
            #expect(samples[#"tributary_ledger_findings{rule="entry_balances"}"#] == 0)
            let seconds = verifiedAt.microseconds / 1_000_000
            #expect(samples["tributary_ledger_verified_timestamp_seconds"] == seconds)
            for name in Set(samples.keys.map { $0.prefix { $0 != "{" } }) {
                let type = name.hasSuffix("_total") ? "counter" : "gauge"
                #expect(text.contains("# HELP \(name) ") && text.contains("# TYPE \(name) \(type)"), "\(name)")
            }
            let contract = try Contract()
            #expect(contract.operations.contains("GET /metrics"))
        }
    }
}
