import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("A batch whose lines are in several files", .timeLimit(.minutes(10)))
struct EarlierBatchTests {
    private static func find(
        _ shop: Shop,
        _ names: [String] = ["B1", "B2"],
        of account: String = "sim-a",
        releasing: Set<ImportID> = []
    ) async throws -> [String] {
        try await shop.database.read { session in
            let (sums, payouts) = try EarlierBatchTable.find(
                names,
                of: account,
                marketplace: "travel",
                releasing: releasing,
                in: session
            )
            return sums.map { "\($0.batch) \($0.net) \($0.lines)\($0.isNet ? "" : " gross")" + again($0.repeated) }
                + payouts.map { "\($0.line.batch ?? "") \($0.sha256) \($0.line.row)" }
        }
    }

    private static func again(_ repeated: SettlementAmount) -> String {
        repeated.units == 0 ? "" : " of which \(repeated) again"
    }

    @Test("says what of it other lines tell, too, and has each payout once", arguments: DatabaseEngine.allCases)
    func repeated(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let one = shop.file("one")
            let rows = [
                (try Shop.line(2, .fee, -7), "txn_fee"), (try Shop.line(3, .fee, -7), "txn_fee"),
                (try Shop.line(4, .payout, -963), "txn_payout"), (try Shop.line(5, .payout, -963), "txn_payout"),
            ]
            let named = rows.map { row in
                var line = row.0
                line.entryReference = row.1
                return line
            }
            try await shop.take(one, [try Shop.line(1, .payment, 1_000, fee: 30)] + named)
            let (sum, again) = (try Shop.amount(956), try Shop.amount(-7))
            #expect(try await Self.find(shop, ["B1"]) == ["B1 \(sum) 3 of which \(again) again", "B1 one 4"])
            #expect(try await Self.find(shop, ["B1"], releasing: [one.id]) == [])
        }
    }

    @Test("is what files of its account that count have of it", arguments: DatabaseEngine.allCases)
    func sums(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (one, two, other) = (shop.file("one"), shop.file("two"), shop.file("other", of: "sim-b"))
            try await shop.take(
                one,
                [
                    try Shop.line(1, .payment, 1_000, fee: 30), try Shop.line(2, .adjustment, 5),
                    try Shop.line(3, .fee, -7), try Shop.line(4, .payment, 9, batch: nil),
                ]
            )
            var gross = try Shop.line(3, .adjustment, 40, batch: "B2")
            gross.net = nil
            try await shop.take(
                two,
                [try Shop.line(1, .payment, 500), try Shop.line(2, .payout, -1_468), gross]
            )
            try await shop.take(other, [try Shop.line(1, .payment, 77)])
            let waiting = shop.file("waiting")
            try await database.write { session in
                _ = try ImportTable.begin(waiting, in: session)
                try SettlementLineTable.add([try Shop.line(1, .payment, 12)], to: waiting, in: session)
            }
            let usd = try ([1_468, 968, 40, 77] as [Int64]).map { try "\(Shop.amount($0))" }
            #expect(try await Self.find(shop) == ["B1 \(usd[0]) 4", "B2 \(usd[2]) 1 gross", "B1 two 2"])
            #expect(try await Self.find(shop, releasing: [two.id]) == ["B1 \(usd[1]) 3"])
            #expect(try await Self.find(shop, of: "sim-b") == ["B1 \(usd[3]) 1"])
            #expect(try await Self.find(shop, ["B3"]) == [])
            #expect(try await Self.find(shop, []) == [])
        }
    }

    @Test("is no break any more once it agrees with all of them", arguments: DatabaseEngine.allCases)
    func agreed(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (one, two) = (shop.file("one"), shop.file("two"))
            let found = try ["b1", "b2"].map { key in
                Break(
                    type: .batchSumMismatch,
                    key: key,
                    currency: try Shop.currency(),
                    amount: 500,
                    day: "2027-01-15",
                    psp: "simulator",
                    pspAccount: "sim-a",
                    lines: [LinePlace(file: one.sha256, row: 2)],
                    explanation: "The lines come to less than it paid out.",
                    suggestion: "Look for the others."
                )
            }
            try await database.write { session in
                _ = try ImportTable.begin(one, in: session)
                let lines = [try Shop.line(1, .payment, 1_000), try Shop.line(2, .payout, -1_500)]
                try SettlementLineTable.add(lines, to: one, in: session)
            }
            _ = try await shop.record(found, in: one)
            try await shop.finish(one, 2, 0)
            try await shop.take(two, [try Shop.line(1, .payment, 500)], agreeing: ["b1", "unknown"])
            #expect(try await shop.stored("b1").state == .matched)
            #expect(try await shop.stored("b2").state == .open)
        }
    }
}
