import Gateway
import SQL
import StrictJSON
import Testing
import TributaryTestKit

@testable import Domain
@testable import Storage

@Suite("What is told of payouts", .timeLimit(.minutes(10)))
struct PayoutCallbackTests {
    /// A marketplace where everybody listens, and a desk that is told of payouts.
    private struct Stage {
        let database: any Database
        let clock = ManualClock()
        let desk: Gateway.Payouts

        init(_ database: any Database) {
            self.database = database
            desk = Gateway.Payouts(database: database, clock: clock, presentation: .plain, by: .instance("test"))
        }

        static func with(_ engine: DatabaseEngine, _ body: (Stage) async throws -> Void) async throws {
            try await withDatabase(engine, prepare: .listening) { database in
                try await body(Stage(database))
                #expect(try await CallbackCheck.complaints(about: database) == [])
            }
        }

        func merchant(_ name: String) async throws -> MerchantID {
            let found = try await database.read { try MerchantTable.find([name], of: "travel", in: $0).first }
            return try #require(found).id
        }

        @discardableResult
        func pay(
            _ cents: Int64,
            _ reference: String,
            to name: String = "airline",
            _ code: String = "USD"
        ) async throws -> Payout {
            let currency = try #require(Currency(code: code))
            let draft = try PayoutDraft(
                marketplace: "travel",
                merchant: try await merchant(name),
                amount: Money(minorUnits: cents, currency: currency),
                reference: reference,
                paidAt: nil,
                origin: .operator
            )
            return try await desk.record(draft).payout
        }

        /// Posts what a buyer's bank gave back to the airline.
        func post(_ cents: Int64, at time: Timestamp, count: Int = 1) async throws {
            let airline = try await merchant("airline")
            let usd = try #require(Currency(code: "USD"))
            try await database.write { session in
                var ids = IdentifierSource()
                for _ in 0..<count {
                    let payable = Account.payable(merchant: airline)
                    let posting = Posting(debit: .clearing(pspAccount: "sim-a"), credit: payable, signed: cents)
                    let entry = JournalEntry(
                        id: ids.make(at: time),
                        kind: .chargebackReversal,
                        merchant: airline,
                        payment: ids.make(at: time),
                        operation: nil,
                        dispute: ids.make(at: time),
                        payout: nil,
                        at: time,
                        postings: [posting].compactMap(\.self)
                    )
                    try JournalRows.insert(
                        [entry],
                        of: ids.make(at: time),
                        marketplace: "travel",
                        currency: usd,
                        in: session
                    )
                }
            }
        }

        /// What the marketplace was told, or a merchant, oldest first.
        func heard(_ name: String? = nil) async throws -> [JSON] {
            let merchant: MerchantID? = if let name { try await self.merchant(name) } else { nil }
            return try await database.read { session in
                try CallbackTable.list(.init(marketplace: "travel"), limit: 1000, in: session)
                    .filter { $0.content.merchant == merchant }.map { try JSON.parse(text: $0.content.payload) }
                    .sorted { ($0["sequence"]?.integerValue ?? 0) < ($1["sequence"]?.integerValue ?? 0) }
            }
        }

        func covers(_ name: String = "airline") async throws -> [JSON] {
            try await heard(name).filter { $0["type"] == "payout.paid" }.compactMap { $0["data"]?["payout"]?["covers"] }
        }
    }

    @Test("goes to the marketplace and to the merchant, once, and to nobody else", arguments: DatabaseEngine.allCases)
    func told(_ engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            let payout = try await stage.pay(1234, "S-1")
            try await stage.pay(1234, "S-1")
            await #expect(throws: PayoutRefusal.referenceInUse(payout, differsIn: [.amount])) {
                try await stage.pay(1235, "S-1")
            }
            stage.clock.advance(milliseconds: 5000)
            for _ in 1...2 { _ = try await stage.desk.fail(payout.id, of: "travel", because: "account closed") }
            let heard = try await stage.heard("airline")
            #expect(heard.map { $0["type"] } == ["payout.paid", "payout.failed"])
            #expect(heard.map { $0["sequence"] } == [1, 2])
            #expect(try await stage.heard() == heard)
            #expect(try await stage.heard("hotel") == [])
            let paid = try #require(heard[0]["data"]?["payout"])
            #expect((paid["id"], paid["amount"]) == (.string(payout.id.text), 1234))
            #expect((paid["external_identifier"], paid["state"], paid["failure"]) == ("airline", "paid", .null))
            let failed = try #require(heard[1]["data"]?["payout"])
            #expect((failed["state"], failed["failure"]?["reason"]) == ("failed", "account closed"))
            #expect(failed["failure"]?["at"] == heard[1]["timestamp"])
            #expect(failed["covers"] == paid["covers"])
        }
    }

    @Test("is numbered by merchant and currency", arguments: DatabaseEngine.allCases)
    func numbered(_ engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            try await stage.pay(1, "a")
            try await stage.pay(1, "b", to: "hotel")
            try await stage.pay(1, "c", to: "airline", "EUR")
            try await stage.pay(1, "d")
            let all = try await stage.heard().compactMap { $0["data"]?["payout"]?["reference"]?.stringValue }
            #expect(Set(all) == ["a", "b", "c", "d"])
            let airline = try await stage.heard("airline").map {
                "\($0["data"]?["payout"]?["currency"]?.stringValue ?? "") \($0["sequence"]?.integerValue ?? 0)"
            }
            #expect(airline.sorted() == ["EUR 1", "USD 1", "USD 2"])
            #expect(try await stage.heard("hotel").map { $0["sequence"] } == [1])
        }
    }

    @Test("has every posting in one payout, and balances that meet", arguments: DatabaseEngine.allCases)
    func chained(_ engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            let start = stage.clock.now()
            try await stage.post(700, at: start)
            stage.clock.advance(milliseconds: 10)
            let first = try await stage.pay(500, "a")
            // Posted before the first payout, stored after it: told as such, and not lost.
            try await stage.post(30, at: start)
            stage.clock.advance(milliseconds: 10)
            try await stage.post(90, at: stage.clock.now())
            _ = try await stage.desk.fail(first.id, of: "travel", because: "came back")
            stage.clock.advance(milliseconds: 10)
            try await stage.pay(790, "b")

            let covers = try await stage.covers()
            try #require(covers.count == 2)
            func balance(_ cover: JSON) -> [String: Int64] {
                let members = cover["balance"]?.objectValue ?? []
                let amounts = members.map { ($0.key, $0.value.integerValue ?? 0) }.filter { $0.1 != 0 }
                return Dictionary(amounts) { first, _ in first }
            }
            #expect(covers[0]["from"] == "1970-01-01T00:00:00.000Z")
            #expect(balance(covers[0]) == ["chargeback_reversals": 700, "closing": 700])
            #expect(covers[1]["from"] == covers[0]["to"])
            let second: [String: Int64] = [
                "opening": 700, "posted_late": 30, "payouts": -500, "chargeback_reversals": 90,
                "payout_reversals": 500, "closing": 820,
            ]
            #expect(balance(covers[1]) == second)
            let kinds = covers[1]["lines"]?["data"]?.arrayValue?.compactMap { $0["kind"]?.stringValue } ?? []
            #expect(kinds.first == "payout")
            #expect(kinds.sorted() == ["chargeback_reversal", "payout", "payout_reversal"])
        }
    }

    @Test("names so many lines one by one, and counts the others", arguments: DatabaseEngine.allCases)
    func bounded(_ engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            try await stage.post(7, at: stage.clock.now(), count: PayoutBreakdown.lineLimit)
            stage.clock.advance(milliseconds: 10)
            try await stage.pay(1, "a")
            try await stage.post(
                7,
                at: stage.clock.now().adding(milliseconds: 1),
                count: PayoutBreakdown.lineLimit + 30
            )
            stage.clock.advance(milliseconds: 10)
            try await stage.pay(1, "b")
            let lines = try await stage.covers().compactMap { $0["lines"] }
            #expect(lines.map { $0["count"] } == [100, 131])
            #expect(lines.map { $0["data"]?.arrayValue?.count } == [100, 100])
            #expect(lines.map { $0["has_more"] } == [false, true])
            #expect(try await stage.heard().allSatisfy { $0.bytes.count < 65_536 })
        }
    }

    @Test("of many payouts at once is one after the other", arguments: DatabaseEngine.allCases)
    func many(_ engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            try await withThrowingTaskGroup { group in
                for number in 1...12 { group.addTask { try await stage.pay(10, "r\(number)") } }
                try await group.waitForAll()
            }
            let heard = try await stage.heard("airline")
            #expect(heard.map { $0["sequence"]?.integerValue } == (1...12).map { Int64($0) })
            let covers = heard.compactMap { $0["data"]?["payout"]?["covers"] }
            for (before, after) in zip(covers, covers.dropFirst()) {
                #expect(after["from"] == before["to"])
                #expect(after["balance"]?["opening"] == before["balance"]?["closing"])
                #expect((after["balance"]?["payouts"], after["lines"]?["count"]) == (-10, 1))
            }
        }
    }
}
