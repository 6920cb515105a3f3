import StrictJSON
import Testing
import TributaryTestKit

@Suite("Books over HTTP", .timeLimit(.minutes(10)))
struct BookActTests {
    @Test("take a payout once, and that it failed once", arguments: DatabaseEngine.allCases)
    func payouts(_ engine: DatabaseEngine) async throws {
        let contract = try Contract()
        try await APIHarness.with(engine) { api in
            _ = try await OrderStage(api)
            api.clock.advance(milliseconds: 2)
            let client = try await api.client("operator")
            let body: JSON = ["merchant": "airline", "currency": "USD", "amount": 5_000, "reference": "SEPA-1"]
            let first = try await client.post("/v1/payouts", body)
            #expect(first.status == 201, "\(first)")
            #expect(contract.complaints(about: first, to: "POST /v1/payouts").isEmpty, "\(first)")
            let again = try await client.post("/v1/payouts", body)
            #expect((again.status, again.json) == (200, first.json), "\(again)")
            let other = try await client.post("/v1/payouts", body.with("amount", 6_000))
            #expect((other.status, other.code) == (409, "payout_reference_in_use"), "\(other)")
            let nobody = try await client.post("/v1/payouts", body.with("merchant", "nobody"))
            #expect(nobody.errors == ["/merchant unknown_merchant"])
            api.clock.advance(milliseconds: 2)
            let path = "/v1/payouts/\(try #require(first.json["id"]?.stringValue))"
            let failed = try await client.post("\(path)/fail", ["reason": "account closed"])
            #expect((failed.status, failed.json["state"]) == (200, "failed"), "\(failed)")
            #expect(contract.complaints(about: failed, to: "POST /v1/payouts/{id}/fail").isEmpty, "\(failed)")
            #expect(try await client.post("\(path)/fail", ["reason": "account closed"]).json == failed.json)
            let otherwise = try await client.post("\(path)/fail", ["reason": "no such account"])
            #expect((otherwise.status, otherwise.code) == (409, "payout_failed_otherwise"))
            #expect(try await client.get(path).json == failed.json)
        }
    }

    @Test("owe a merchant what its statement closes with", arguments: DatabaseEngine.allCases)
    func balances(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await StatementStage(api)
            let statement = try await stage.airline()
            let own = try await api.client("merchant:airline")
            let balances = try await own.get("/v1/merchants/airline/balances?currency=USD")
            let balance = try #require(balances.json.at("data/0"), "\(balances)")
            #expect(balance["payable"] == statement.json["balance"]?["closing"])
            #expect(balance["receivable"] == 0)
            #expect(try await own.get("/v1/merchants/airline/balances?currency=EUR").json["data"] == [])
        }
    }

    @Test("let an adjuster write off, and nobody else", arguments: DatabaseEngine.allCases)
    func breaks(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let stage = try await AccessStage(api)
            let path = "/v1/breaks/\(stage.difference)"
            let client = try await api.client("operator")
            let looking = try await client.post("\(path)/resolve", ["as": "investigating", "reason": "asked the PSP"])
            #expect((looking.status, looking.json["status"]) == (200, "investigating"), "\(looking)")
            let word: JSON = ["as": "written_off", "reason": "below a dollar"]
            #expect(try await client.post("\(path)/resolve", word).status == 403)
            let adjuster = try await api.client("adjuster")
            #expect(try await adjuster.get(path).status == 403)
            let done = try await adjuster.post("\(path)/resolve", word)
            #expect((done.status, done.json["status"]) == (200, "written_off"), "\(done)")
            let shown = try await client.get(path)
            let actors = shown.json["actions"]?.arrayValue?.compactMap { $0["actor"]?.stringValue } ?? []
            #expect(actors.count == 2 && actors.allSatisfy { $0.hasPrefix("key_") } && Set(actors).count == 2)
            let late = try await client.post("\(path)/resolve", ["as": "investigating", "reason": "again"])
            #expect((late.status, late.code) == (409, "break_state"), "\(late)")
        }
    }
}
