import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("GET /metrics", .timeLimit(.minutes(10)))
struct MetricsTests {
    /// What is answered, read strictly.
    static func scrape(_ api: APIHarness) async throws -> PrometheusText {
        let reply = try await api.anonymous.get("/metrics")
        #expect(reply.status == 200)
        #expect(reply.header("Content-Type") == "text/plain; version=0.0.4; charset=utf-8")
        return try PrometheusText(String(decoding: reply.bytes, as: UTF8.self))
    }

    /// Samples what is stored now.
    private static func sample(_ api: APIHarness) async {
        await api.gateway.figures.take(from: api.database, at: api.clock.now())
    }

    @Test(
        "says what waits and what fails as of the last sample, each figure with its help and type",
        arguments: DatabaseEngine.allCases
    )
    func callbacks(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let none = try await Self.scrape(api)
            #expect(none.value("tributary_callbacks_waiting") == nil, "there is no sample yet")
            await Self.sample(api)
            let empty = try await Self.scrape(api)
            for name in ["callbacks_waiting", "callbacks_dead", "work_due", "psp_webhooks_waiting", "orders_open"] {
                #expect(empty.value("tributary_\(name)") == 0, "\(name)")
            }

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
            await Self.sample(api)
            let text = try await Self.scrape(api)
            #expect(text.value("tributary_callbacks_dead") == 1)
            #expect(try #require(text.value("tributary_callbacks_waiting")) >= Double(heard.count - 1))
            #expect((90...120).contains(try #require(text.value("tributary_callbacks_oldest_waiting_age_seconds"))))
            #expect(text.value("tributary_callback_endpoints", ["state": "enabled"]) == 3)
            #expect(text.value("tributary_ledger_findings", ["rule": "statement_adds_up"]) == 3)
            #expect(text.value("tributary_ledger_findings", ["rule": "entry_balances"]) == 0)
            let seconds = Double(verifiedAt.microseconds / 1_000_000)
            #expect(text.value("tributary_ledger_verified_timestamp_seconds") == seconds)
            let contract = try Contract()
            #expect(contract.operations.contains("GET /metrics"))
        }
    }

    @Test("counts an order that one of two PSPs refuses a part of", arguments: DatabaseEngine.allCases)
    func partlyRefused(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            await api.psp.script("tok_hotel", .authorize, .decline)
            let before = try await Self.scrape(api)
            let stage = try await OrderStage(api, OrderStage.loose)
            #expect(try await stage.now()["status"] == "authorized")
            let text = try await Self.scrape(api)
            #expect(text.value("tributary_orders_placed_total", ["policy": "best_effort", "wallet": "none"]) == 1)
            let decisions = text.families.first { $0.name == "tributary_order_decisions_total" }?.samples ?? []
            let accepted = decisions.filter { $0.labels["decision"] == "accepted" }
            #expect(accepted.map(\.value) == [1])
            #expect(accepted.first?.labels["status"] == "authorized")
            for (account, outcome) in [("travel/sim-a", "succeeded"), ("travel/sim-b", "declined")] {
                let call = [
                    "psp": "simulator", "psp_account": account, "operation": "authorize", "outcome": outcome,
                ]
                #expect(text.value("tributary_psp_calls_total", call) == 1, "\(account)")
                #expect(text.value("tributary_payment_outcomes_total", call) == 1, "\(account)")
                let closed = ["psp_account": account, "state": "closed"]
                #expect(text.value("tributary_psp_breaker_state", closed) == 1)
                #expect(try #require(text.value("tributary_psp_retry_budget", ["psp_account": account])) > 0)
            }
            let timed = ["psp": "simulator", "operation": "authorize"]
            #expect(text.value("tributary_psp_call_duration_seconds_count", timed) == 2)
            let route = ["method": "POST", "route": "/v1/orders"]
            #expect(text.value("tributary_http_request_duration_seconds_count", route) == 1)
            #expect(text.value("tributary_http_requests_total", route.merging(["status": "2xx"]) { $1 }) == 1)
            #expect(before.value("tributary_http_requests_total", route.merging(["status": "2xx"]) { $1 }) == nil)
            #expect(text.value("tributary_http_requests_in_flight") == 1, "the scrape itself")
        }
    }

    @Test("sums up what a person has to look at, and what lapses soon", arguments: DatabaseEngine.allCases)
    func concerns(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await OrderStage(api, OrderStage.manual)
            await api.psp.script("tok_hotel", .capture, .refuse)
            let captured = try await stage.ask("capture")
            #expect(captured.status == 200, "\(captured)")
            let sample = try await Self.waiting(for: api) { !$0.attention.isEmpty }
            let groups = sample.attention.map { [$0.key.reason, $0.key.currency, $0.key.age.rawValue] }
            #expect(groups == [["capture_failed", "USD", "under_1h"]])
            #expect(sample.attention.values.map(\.count) == [1] && sample.attention.values.map(\.amount) == [15_000])
            let text = try await Self.scrape(api)
            let risk = text.value("tributary_attention_risk_minor_units", ["currency": "USD", "age": "under_1h"])
            #expect(risk == 15_000)
            #expect(
                text.value(
                    "tributary_psp_configuration_refusals_total",
                    ["psp": "simulator", "psp_account": "travel/sim-b", "kind": "other"]
                ) == 1
            )
        }
    }

    /// Samples until something holds, for some seconds at most.
    private static func waiting(
        for api: APIHarness,
        _ condition: (OperationalSample) -> Bool
    ) async throws -> OperationalSample {
        let end = ContinuousClock.now + .patience
        while true {
            await sample(api)
            let sample = try #require(api.gateway.figures.sample)
            if condition(sample) || ContinuousClock.now > end { return sample }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    @Test("is answered from memory while the tables cannot be read", arguments: DatabaseEngine.allCases)
    func away(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            await Self.sample(api)
            let before = try await Self.scrape(api)
            try await api.database.write { try $0.run("ALTER TABLE callback RENAME TO elsewhere") }
            api.clock.advance(milliseconds: 60_000)
            await Self.sample(api)
            await Self.sample(api)
            let after = try await Self.scrape(api)
            #expect(after.value("tributary_database_sample_failures_total") == 2)
            let name = "tributary_database_sample_timestamp_seconds"
            #expect(after.value(name) != nil && after.value(name) == before.value(name))
            #expect(after.value("tributary_callbacks_waiting") == 0)
            try await api.database.write { try $0.run("ALTER TABLE elsewhere RENAME TO callback") }
            await Self.sample(api)
            let mended = try await Self.scrape(api)
            #expect(try #require(mended.value(name)) > (try #require(before.value(name))))
        }
    }

    @Test("has no series of what somebody makes up")
    func inventions() async throws {
        try await APIHarness.with(.sqlite) { api in
            func ask(_ number: Int) async throws {
                let odd = ["%00", "..", "%22%7D", "{id}", "a%0Ab", "ord_0", "%F0%9F%8D%89", "x=y", "'--", "\\"]
                let part = odd[number % odd.count] + "\(number)"
                for path in [
                    "/\(part)", "/v1/\(part)", "/v1/orders/\(part)", "/v1/orders/\(part)/\(part)?q=\(part)",
                    "/v1/psp/\(part)/\(part)/webhooks",
                ] {
                    let text = "GET \(path) HTTP/1.1\r\nHost: a\r\nX-Request-Id: \(part)\r\nConnection: close\r\n\r\n"
                    _ = try await RawConnection.exchange(text, port: api.port)
                }
                let text = "PURGE /v1/orders HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                _ = try await RawConnection.exchange(text, port: api.port)
            }
            for number in 0..<10 { try await ask(number) }
            _ = try await Self.scrape(api)
            let before = try await Self.scrape(api)
            for number in 10..<120 { try await ask(number) }
            let after = try await Self.scrape(api)
            #expect(after.series.subtracting(before.series) == [])
            #expect(after.families.flatMap(\.samples).count { $0.labels["route"] == "none" } > 0)
        }
    }
}
