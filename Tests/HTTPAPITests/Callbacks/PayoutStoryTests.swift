import Domain
import Gateway
import StrictJSON
import Testing
import TributaryTestKit

@Suite("What a payout is told to pay for", .timeLimit(.minutes(10)))
struct PayoutStoryTests {
    private static func covers(_ payload: JSON?) throws -> JSON { try #require(payload?["data"]?["payout"]?["covers"]) }

    /// The balance with what only one of statement and payout has left out.
    private static func shared(_ balance: JSON?) -> [JSON.Member] {
        (balance?.objectValue ?? []).filter { $0.key != "posted_late" }
    }

    @Test("is what the statement over the same time says", arguments: DatabaseEngine.allCases)
    func statement(_ engine: DatabaseEngine) async throws {
        try await APIHarness.with(engine) { api in
            let outsiders = try await Outsiders(api)
            let stage = try await StatementStage(api)
            func payouts(_ name: String?) async throws -> [JSON] {
                try await outsiders.payloads(name).filter { $0["data"]?["payout"] != nil }
            }
            let told = try await payouts("airline")
            #expect(told.map { $0["type"] } == ["payout.paid"])
            #expect(try await payouts(nil) == told)
            #expect(try await payouts("hotel") == [])

            let own = try await api.client("merchant:airline")
            let first = try Self.covers(told.first)
            let statement = try await own.get(try #require(first["statement"]?.stringValue)).json
            #expect(first["lines"]?["count"] == 2)
            #expect(first["lines"]?["data"] == statement["lines"]?["data"])
            #expect(Self.shared(first["balance"]) == Self.shared(statement["balance"]))
            #expect(first["balance"]?["closing"] == 17_596)

            api.clock.advance(milliseconds: 2)
            let failed = try await stage.desk.fail(stage.payout.id, of: "travel", because: "account closed").payout
            api.clock.advance(milliseconds: 2)
            let draft = try PayoutDraft(
                marketplace: "travel",
                merchant: failed.merchant,
                amount: TestCheckout.dollars(17_596),
                reference: "SEPA-2",
                paidAt: nil,
                origin: .operator
            )
            _ = try await stage.desk.record(draft)
            let all = try await payouts("airline")
            #expect(all.map { $0["sequence"] } == [1, 2, 3])
            let second = try Self.covers(all.last)
            #expect(second["from"] == first["to"])
            #expect(second["lines"]?["data"]?.arrayValue?.map { $0["kind"] } == ["payout", "payout_reversal"])
            let later = try await own.get(try #require(second["statement"]?.stringValue)).json
            #expect(second["lines"]?["data"] == later["lines"]?["data"])
            #expect(Self.shared(second["balance"]) == Self.shared(later["balance"]))
            #expect((second["balance"]?["opening"], second["balance"]?["closing"]) == (17_596, 17_596))
        }
    }
}
