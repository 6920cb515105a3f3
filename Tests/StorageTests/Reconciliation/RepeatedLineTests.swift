import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("A line that tells again what another told", .timeLimit(.minutes(10)))
struct RepeatedLineTests {
    /// A line that belongs to no payment.
    private static func line(
        _ row: Int,
        _ kind: SettlementKind,
        _ gross: Int64,
        _ entry: String,
        batch: String? = nil
    ) throws -> ImportedLine {
        var line = try Shop.line(row, kind, gross, batch: batch)
        line.entryReference = entry
        return line
    }

    @Test("in another report, or in its own, is posted once", arguments: DatabaseEngine.allCases)
    func overlapping(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let lines = [
                try Self.line(1, .fee, -77, "txn_1"), try Self.line(2, .adjustment, 20, "txn_2"),
                try Self.line(3, .reserve, -1_000, "txn_3"), try Self.line(4, .other, -3, "txn_4"),
                try Self.line(5, .payout, -50, "txn_5"), try Self.line(6, .fee, -77, "txn_1"),
            ]
            try await shop.take(shop.file("one"), lines)
            var expected: [String: Int64] = [
                "expense/psp_fee/sim-a": 77, "suspense/sim-a": -17, "psp/sim-a/reserve": 1_000, "marketplace/bank": 50,
                "psp/sim-a/clearing": -1_110,
            ]
            #expect(try await shop.balances() == expected)
            try await shop.take(shop.file("two"), lines + [try Self.line(7, .fee, -5, "txn_7")])
            expected["expense/psp_fee/sim-a"] = 82
            expected["psp/sim-a/clearing"] = -1_115
            #expect(try await shop.balances() == expected)
            // Another account of the PSP has names of its own.
            try await shop.take(shop.file("three", of: "sim-b"), [lines[0]])
            expected["expense/psp_fee/sim-b"] = 77
            expected["psp/sim-b/clearing"] = -77
            #expect(try await shop.balances() == expected)
            #expect(try await shop.findings() == [])
        }
    }

    @Test(
        "is posted where it still stands once the file that told it first is corrected",
        arguments: DatabaseEngine.allCases,
        [true, false]
    )
    func corrected(_ engine: DatabaseEngine, isStillThere: Bool) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (first, second, correction) = (shop.file("one"), shop.file("two"), shop.file("three"))
            let twice = try Self.line(1, .fee, -77, "txn_1", batch: "B1")
            let own = try Self.line(2, .fee, -1, "txn_2", batch: "B1")
            try await shop.take(first, [twice, own])
            try await shop.take(second, [try Self.line(1, .fee, -77, "txn_1")])
            let expected: [String: Int64] = ["expense/psp_fee/sim-a": 78, "psp/sim-a/clearing": -78]
            #expect(try await shop.balances() == expected)
            try await shop.take(correction, isStillThere ? [twice, own] : [own], superseding: [first.id])
            #expect(try await shop.balances() == expected)
            #expect(try await shop.findings() == [])
        }
    }

    private static func repeats(_ row: Int, of file: ImportedFile) throws -> Break {
        Break(
            type: .duplicateLine,
            key: "duplicate_line/again \(row)",
            currency: try Shop.currency(),
            amount: 10_000,
            day: nil,
            pspAccount: "sim-a",
            lines: [LinePlace(file: file.sha256, row: row)],
            explanation: "e",
            suggestion: "s"
        )
    }

    @Test(
        "of a payment is posted for nobody, whatever becomes of its break, until a payment explains it",
        arguments: DatabaseEngine.allCases
    )
    func payment(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let order = try await shop.sell("airline", 10_000, as: "p1")
            let file = shop.file("one")
            let lines = try [1, 2].map { try Shop.line($0, .payment, 10_000, fee: 300) }
            let sold = try await shop.expectation(order)
            let match = LineMatch(line: ImportPlace(file: file.id, row: 1), rule: "r", with: sold)
            try await database.write { session in
                _ = try ImportTable.begin(file, in: session)
                try SettlementLineTable.add(lines, to: file, in: session)
                try MatchTable.add([match], of: "travel", in: session)
            }
            _ = try await shop.record([try Self.repeats(2, of: file)], in: file)
            let before = try await shop.balances()
            try await shop.finish(file, 2, 1)
            let payable = Account.payable(merchant: order.payments[0].merchant).path
            func change() async throws -> [String: Int64] {
                try await shop.balances().merging(before.mapValues { -$0 }, uniquingKeysWith: +)
                    .filter { $0.value != 0 }
            }
            #expect(try await change() == ["psp/sim-a/clearing": -300, payable: 300])
            _ = try await shop.act(.matched, on: try await shop.stored("duplicate_line/again 2"))
            #expect(try await shop.findings() == [])
            let other = try await shop.sell("airline", 10_000, as: "p2")
            let unmatched = try await shop.balances()
            let place = ImportPlace(file: file.id, row: 2)
            let late = LineMatch(line: place, rule: "r", with: try await shop.expectation(other))
            let (now, ids) = (shop.now, shop.ids)
            try await database.write { session in
                var ids = ids
                try MatchTable.add([late], of: "travel", in: session)
                let run = BreakRun(id: "late", asOf: "2027-01-15")
                _ = try ImportCompletion.finish(
                    [],
                    matching: [place],
                    run: run,
                    of: "travel",
                    at: now,
                    ids: &ids,
                    in: session
                )
            }
            let explained = try await shop.balances().merging(unmatched.mapValues { -$0 }, uniquingKeysWith: +)
            #expect(explained.filter { $0.value != 0 } == ["psp/sim-a/clearing": -300, payable: 300])
            #expect(try await shop.findings() == [])
        }
    }

    @Test("of a file that counts is posted back once a later run says so", arguments: DatabaseEngine.allCases)
    func later(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let file = shop.file("one")
            try await shop.take(file, [try Shop.line(1, .payment, 10_000, fee: 300)])
            #expect(try await shop.balances() == ["expense/psp_fee/sim-a": 300, "psp/sim-a/clearing": -300])
            try await Self.run("later", finding: Self.repeats(1, of: file), in: &shop)
            #expect(try await shop.balances() == [:])
            #expect(try await shop.findings() == [])
        }
    }

    /// Runs without a file, and finds a break.
    private static func run(_ name: String, finding found: Break, in shop: inout Shop) async throws {
        shop.now = shop.now.adding(milliseconds: 1000)
        let (now, ids) = (shop.now, shop.ids)
        try await shop.database.write { session in
            var ids = ids
            let run = BreakRun(id: name, asOf: "2027-01-15")
            _ = try BreakTable.record([found], run, of: "travel", at: now, ids: &ids, in: session)
            _ = try ImportCompletion.finish([], run: run, of: "travel", at: now, ids: &ids, in: session)
        }
    }

    @Test(
        "of a file that counts again is posted back, too, once its break is found again",
        arguments: DatabaseEngine.allCases
    )
    func reinstated(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            var line = try Shop.line(1, .payment, 10_000, fee: 300)
            line.entryReference = "txn_sale"
            let (first, correction) = (shop.file("one"), shop.file("two"))
            try await shop.take(first, [line])
            try await Self.run("first", finding: Self.repeats(1, of: first), in: &shop)
            try await shop.take(correction, [line], superseding: [first.id])
            let posted: [String: Int64] = ["expense/psp_fee/sim-a": 300, "psp/sim-a/clearing": -300]
            #expect(try await shop.balances() == posted)
            #expect(try await shop.stored("duplicate_line/again 1").state == .corrected)
            let again = shop.file("one")
            try await shop.take(again, [line], superseding: [correction.id])
            #expect(try await shop.balances() == posted)
            try await Self.run("again", finding: Self.repeats(1, of: again), in: &shop)
            #expect(try await shop.stored("duplicate_line/again 1").state == .open)
            #expect(try await shop.balances() == [:])
            #expect(try await shop.findings() == [])
        }
    }

    @Test("is that of the file that counted later, whatever the clock says", arguments: DatabaseEngine.allCases)
    func clock(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (first, second) = (shop.file("one"), shop.file("two"))
            try await shop.take(first, [try Self.line(1, .fee, -77, "txn_1")])
            shop.now = shop.now.adding(milliseconds: -3_600_000)
            try await shop.take(second, [try Self.line(1, .fee, -77, "txn_1"), try Self.line(2, .fee, -5, "txn_2")])
            #expect(try await shop.balances() == ["expense/psp_fee/sim-a": 82, "psp/sim-a/clearing": -82])
            #expect(try await shop.findings() == [])
            let done = try await database.read { session in
                try [first, second].compactMap { try ImportTable.find($0.id, of: "travel", in: session)?.doneAt }
            }
            #expect(done.count == 2 && done[0] < done[1])
        }
    }

    @Test("is no payout of its own that the bank must have", arguments: DatabaseEngine.allCases)
    func payouts(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (first, second) = (shop.file("one"), shop.file("two"))
            for file in [first, second] { try await shop.take(file, [try Self.line(1, .payout, -50, "txn_1")]) }
            for (releasing, files) in [
                ([], ["one"]), ([first.id], ["two"]), ([second.id], ["one"]), ([first.id, second.id], []),
            ] as [(Set<ImportID>, [String])] {
                let (found, told) = try await database.read { session in
                    let found = try UnmatchedTable.payouts(
                        of: "travel",
                        releasing: releasing,
                        after: nil,
                        limit: 10,
                        in: session
                    )
                    let told = try RepeatedLines.payouts(
                        ["txn_1", "txn_2"],
                        of: "sim-a",
                        marketplace: "travel",
                        releasing: releasing,
                        in: session
                    )
                    return (found.map(\.sha256), told.map { "\($0.entry) \($0.currency.code)" })
                }
                #expect(found == files)
                #expect(told == (files.isEmpty ? [] : ["txn_1 USD"]))
            }
        }
    }
}
