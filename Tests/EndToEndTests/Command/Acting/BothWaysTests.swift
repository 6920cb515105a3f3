import StrictJSON
import Testing
import TributaryTestKit

@Suite("The same act on both ways", .timeLimit(.minutes(10)))
struct BothWaysTests {
    @Test("about orders answers the same in each form", arguments: DatabaseEngine.allCases)
    func orders(_ engine: DatabaseEngine) async throws {
        try await BothWays.with(engine) { ways in
            for reference in ["cart-a", "cart-b", "way-a", "way-b"] {
                try await ways.counter.order(reference, at: ways.url)
            }
            try await ways.expectSame(["orders", "capture", "cart-@", "--payment", "hotel-7=5.00", "--keep-rest"])
            try await ways.expectSame(["orders", "release", "cart-@", "--payment", "hotel-7", "--format", "csv"])
            try await ways.expectSame(["orders", "capture", "cart-@", "--payment", "airline-1", "--format", "json"])
            try await ways.expectSame(["orders", "refund", "cart-@", "--amount", "10.00", "--proportional"])
            try await ways.expectSame(
                [
                    "orders", "refund", "cart-@", "--payment", "hotel-7=1.00", "--borne-by", "marketplace", "--reason",
                    "rain",
                ]
            )
            try await ways.expectSame(
                [
                    "orders", "record-dispute", "cart-@", "--payment", "airline-1", "--amount", "15.00", "--state",
                    "opened", "--fee", "2.00", "--psp-reference", "dp_7", "--evidence", "portal", "--reason",
                    "none came",
                    "--format", "json",
                ]
            )
            try await ways.expectSame(["orders", "cancel", "way-@", "--payment", "hotel-7", "--format", "json"])
            try await ways.expectSame(
                [
                    "orders", "record-void", "way-@", "--payment", "airline-1", "--evidence", "portal", "--reason",
                    "seen",
                ]
            )
            let (held, captured, refunded) = try await ways.counter.booked()
            #expect((captured, refunded) == (2 * 30_500, 2 * 1_100), "\(held)")
        }
    }

    @Test("about orders is refused with the same sentences", arguments: DatabaseEngine.allCases)
    func refusedOrders(_ engine: DatabaseEngine) async throws {
        try await BothWays.with(engine) { ways in
            try await ways.counter.order("cart-a", at: ways.url)
            try await ways.counter.order("cart-b", at: ways.url)
            let proof = ["--evidence", "x", "--reason", "y"]
            let refused: [(typed: [String], status: Int32)] = [
                (["capture", "nowhere"], 1), (["capture", "ord_00000000000000000000000000"], 1),
                (["capture", "cart-@", "--payment", "hotel-7=185.01"], 1), (["refund", "cart-@"], 1),
                (["capture", "cart-@", "--payment", "motel"], 2), (["capture", "cart-@", "--payment", "hotel-7=1"], 2),
                (["retry", "cart-@"], 1), (["resolve", "cart-@", "--outcome", "failed"] + proof, 1),
                (["retry", "cart-@", "--operation", "op_00000000000000000000000000"], 1),
                (["record-refund", "cart-@", "--amount", "1.00"] + proof, 2),
                (
                    ["record-dispute", "cart-@", "--payment", "hotel-7", "--amount", "900.00", "--state", "lost"]
                        + proof, 1
                ),
            ]
            for (typed, status) in refused { try await ways.expectSame(["orders"] + typed, status: status) }
        }
    }

    @Test("about merchants, accounts, keys, payouts and the clock answers the same", arguments: DatabaseEngine.allCases)
    func directory(_ engine: DatabaseEngine) async throws {
        try await BothWays.with(engine) { ways in
            for format in ["table", "json", "csv"] {
                let form = ["--format", format]
                for word in ["pause", "resume"] {
                    try await ways.expectSame(["merchants", word, "hotel-7", "airline-1"] + form)
                    try await ways.expectSame(["psp-accounts", word, "sim"] + form)
                }
                try await ways.expectSame(["test-clock", "advance", "--to", "2999-01-01T00:00:00Z"] + form, status: 2)
                try await ways.expectSame(
                    ["keys", "create", "--scope", "support", "--scope", "merchant:hotel-7", "--name", "\(format)-@"]
                        + ["--network", "127.0.0.0/8", "--expires", "2099-01-01T00:00:00Z"] + form
                )
                try await ways.expectSame(
                    ["payouts", "record", "--merchant", "hotel-7", "--amount", "1.00", "--currency", "USD"]
                        + ["--reference", "\(format)-S-@"] + form
                )
            }
            let payouts = try await ways.direct.json("payouts", "list").arrayValue ?? []
            let (first, second) = (payouts[0]["id"]?.stringValue ?? "", payouts[1]["id"]?.stringValue ?? "")
            let fail = { (id: String) in ["payouts", "fail", id, "--reason", "account closed"] }
            for _ in 0..<2 {
                let (direct, http) = try await ways.end(fail(first), fail(second))
                #expect((direct.status, http.status) == (0, 0), "\(direct.err) \(http.err)")
                #expect(BothWays.plain(direct.err) == BothWays.plain(http.err))
                #expect(BothWays.plain(direct.out) == BothWays.plain(http.out))
            }
            let advance = ["test-clock", "advance", "--by-seconds", "60", "--format", "json"]
            let (direct, http) = try await ways.end(advance)
            let ahead = try [direct, http].map { try JSON.parse(Array($0.out.utf8))["ahead_seconds"]?.integerValue }
            #expect(ahead == [60, 120])
        }
    }

    @Test("about what is not there, or not so, is refused with the same sentences", arguments: DatabaseEngine.allCases)
    func refused(_ engine: DatabaseEngine) async throws {
        try await BothWays.with(engine) { ways in
            func id(_ prefix: String) -> String { prefix + "_00000000000000000000000000" }
            let payout = ["payouts", "record", "--merchant", "hotel-7", "--currency", "USD", "--reference", "S-7"]
            try #require(await ways.direct.run(payout + ["--amount", "1.00"]).status == 0)
            let proof = ["--evidence", "x", "--reason", "y"]
            let refused: [(typed: [String], status: Int32)] = [
                (["merchants", "pause", "hotel-7", "motel"], 1), (["psp-accounts", "pause", "sims"], 1),
                (payout + ["--amount", "2.00"], 1), (payout + ["--amount", "1.00", "--paid-at", "2999-01-01"], 1),
                (["payouts", "record", "--merchant", "motel", "--amount", "1.00"] + payout.suffix(4), 1),
                (["payouts", "fail", id("po"), "--reason", "x"], 1),
                (["breaks", "resolve", id("brk"), "--as", "matched", "--reason", "x"], 1),
                (["keys", "revoke", id("key")], 1), (["callbacks", "enable", "motel"], 1),
                (["callbacks", "test", id("cbe")], 1), (["callbacks", "replay", id("cb")], 1),
                (["callbacks", "replay", "--state", "dead"], 1), (["secrets", "rotate", "hotel-7"], 1),
                (["webhooks", "replay", id("whk")], 1), (["webhooks", "dismiss", id("whk")] + proof, 1),
                (["apple-pay", "hashes", "confirm", "ab", "merchant.x"], 1),
                (["keys", "create", "--scope", "support", "--name", BothWays.keyName], 2),
                (["keys", "create", "--scope", "support", "--expires", "2001-01-01T00:00:00Z"], 2),
                (["keys", "create", "--scope", "publishable", "--scope", "checkout"], 2),
                (["keys", "create", "--scope", "merchant:motel"], 2),
                (["test-clock", "advance", "--to", "2001-01-01T00:00:00Z"], 2),
                (["invoices", "issue", "motel", "--currency", "USD", "--month", "2026-01"], 1),
                (["invoices", "issue", "hotel-7", "--currency", "USD", "--month", "2999-01"], 1),
            ]
            for (typed, status) in refused { try await ways.expectSame(typed, status: status) }
            let untouched = try await ways.direct.json("merchants", "list").arrayValue ?? []
            #expect(untouched.allSatisfy { $0["status"] == "active" })
        }
    }
}
