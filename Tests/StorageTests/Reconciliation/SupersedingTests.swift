import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("A corrected file", .timeLimit(.minutes(10)))
struct SupersedingTests {
    private static func earlier(than file: ImportedFile, in shop: Shop) async throws -> [ImportID] {
        try await shop.database.read { session in
            try ImportVersions.earlier(than: file, document: file.contents.document, in: session).map(\.id)
        }
    }

    /// Stores a file's lines without letting it count.
    private static func store(_ file: ImportedFile, _ lines: [ImportedLine], in shop: Shop) async throws {
        try await shop.database.write { session in
            _ = try ImportTable.begin(file, in: session)
            try SettlementLineTable.add(lines, to: file, in: session)
        }
    }

    @Test(
        "may have more batches than the earlier one, which was cut, and not fewer",
        arguments: DatabaseEngine.allCases
    )
    func larger(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (cut, whole, half) = (shop.file("cut"), shop.file("whole"), shop.file("half"))
            let lines = try ["B1", "B2", "B3"].enumerated().map { number, batch in
                try Shop.line(number + 1, .payment, 100, batch: batch, reference: "r\(number)")
            }
            try await shop.take(cut, Array(lines.prefix(2)))
            try await Self.store(whole, lines, in: shop)
            #expect(try await Self.earlier(than: whole, in: shop) == [cut.id])
            try await shop.finish(whole, 3, 0, superseding: [cut.id])
            try await Self.store(half, [lines[2]], in: shop)
            let counting = try #require(
                try await database.read { try ImportTable.find(whole.id, of: "travel", in: $0) }
            )
            let frozen = shop
            await #expect(throws: ImportRefusal.overlaps(counting)) { try await Self.earlier(than: half, in: frozen) }
        }
    }

    private typealias Row = (batch: String, reference: String)

    private static func lines(_ rows: [Row]) throws -> [ImportedLine] {
        try rows.enumerated().map { number, row in
            try Shop.line(number + 1, .payment, 100, batch: row.batch, reference: row.reference)
        }
    }

    @Test(
        "may lack the batch of the earlier one's last line, if it has that line in a batch whose name goes on",
        arguments: DatabaseEngine.allCases
    )
    func cutName(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (cut, whole) = (shop.file("cut"), shop.file("whole"))
            let rows: [Row] = [("po_101", "a"), ("po_102", "b"), ("po_103", "c")]
            try await shop.take(cut, try Self.lines(Array(rows.prefix(2)) + [("po_1", "c")]))
            let lines = try Self.lines(rows)
            try await Self.store(whole, lines, in: shop)
            #expect(try await Self.earlier(than: whole, in: shop) == [cut.id])
            var unstored = UnstoredImport(marketplace: "travel", format: whole.format, account: whole.account)
            for line in lines { unstored.add(line) }
            let unread = unstored
            let replaced = try await database.read { try ImportVersions.earlier(than: unread, in: $0) }
            #expect(replaced.map(\.id) == [cut.id])
            try await shop.finish(whole, 3, 0, superseding: [cut.id])
            let old = try await database.read { try ImportTable.find(cut.id, of: "travel", in: $0) }
            #expect(old?.state == .superseded)
        }
    }

    private static let notCut: [(earlier: [Row], later: [Row])] = [
        // Another payout, whose name begins as the earlier one's does.
        ([("po_11", "a"), ("po_12", "b")], [("po_11", "a"), ("po_123", "c")]),
        // Not in the last line, nor in one alone.
        ([("po_1", "a"), ("po_102", "b")], [("po_101", "a"), ("po_102", "b")]),
        ([("po_101", "a"), ("po_1", "b"), ("po_1", "c")], [("po_101", "a"), ("po_103", "b"), ("po_103", "c")]),
        // The line is in a batch of another name.
        ([("po_101", "a"), ("po_12", "b")], [("po_101", "a"), ("po_103", "b")]),
        // More than a name is missing.
        ([("po_101", "a"), ("po_102", "b"), ("po_1", "c")], [("po_101", "a"), ("po_103", "c")]),
    ]

    @Test(
        "may not lack a batch whose name only begins another's",
        arguments: DatabaseEngine.allCases,
        notCut.indices
    )
    func otherName(_ engine: DatabaseEngine, _ number: Int) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (first, second) = (shop.file("first"), shop.file("second"))
            try await shop.take(first, try Self.lines(Self.notCut[number].earlier))
            let lines = try Self.lines(Self.notCut[number].later)
            try await Self.store(second, lines, in: shop)
            let standing = try #require(
                try await database.read { try ImportTable.find(first.id, of: "travel", in: $0) }
            )
            let frozen = shop
            await #expect(throws: ImportRefusal.overlaps(standing)) {
                try await Self.earlier(than: second, in: frozen)
            }
            var unstored = UnstoredImport(marketplace: "travel", format: second.format, account: second.account)
            for line in lines { unstored.add(line) }
            let unread = unstored
            await #expect(throws: ImportRefusal.overlaps(standing)) {
                try await database.read { try ImportVersions.earlier(than: unread, in: $0) }
            }
        }
    }

    @Test("takes the place of the earlier one, in the books too", arguments: DatabaseEngine.allCases)
    func replaces(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let order = try await shop.sell("airline", 10_000, as: "p1")
            let expectation = try await shop.expectation(order)
            let (first, second) = (shop.file("one"), shop.file("two"))
            @Sendable func match(_ file: ImportedFile) -> LineMatch {
                LineMatch(line: ImportPlace(file: file.id, row: 1), rule: "r", with: expectation)
            }
            func lines(fee: Int64) throws -> [ImportedLine] {
                [
                    try Shop.line(1, .payment, 10_000, fee: fee, reference: "p1"),
                    try Shop.line(2, .payout, -10_000 + fee),
                ]
            }
            let before = try await shop.balances()
            try await shop.take(first, try lines(fee: 300), [match(first)])
            try await Self.store(second, try lines(fee: 290), in: shop)
            #expect(try await Self.earlier(than: second, in: shop) == [first.id])
            let standing = try #require(
                try await database.read { try ImportTable.find(first.id, of: "travel", in: $0) }
            )
            try await database.write { try MatchTable.add([match(second)], of: "travel", in: $0) }
            let frozen = shop
            await #expect(throws: ImportRefusal.overtaken(by: standing)) {
                try await frozen.tryFinish(second, 2, 1)
            }
            #expect(try await shop.finish(second, 2, 1, superseding: [first.id]).count == 4)
            let after = try await shop.balances()
            let change = after.merging(before.mapValues { -$0 }, uniquingKeysWith: +).filter { $0.value != 0 }
            let payable = Account.payable(merchant: order.payments[0].merchant).path
            #expect(change == ["psp/sim-a/clearing": -10_000, payable: 290, "marketplace/bank": 9_710])
            let old = try await database.read { try ImportTable.find(first.id, of: "travel", in: $0) }
            #expect(old?.state == .superseded)
            #expect(old?.supersededBy == second.id)
            #expect(try await shop.findings() == [])
            let third = shop.file("one")
            let begun = try await database.write { try ImportTable.begin(third, in: $0) }
            #expect(begun == .fresh(third))
        }
    }

    @Test("closes the breaks that are gone, and keeps those found again", arguments: DatabaseEngine.allCases)
    func breaks(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (first, second) = (shop.file("one", document: "S1"), shop.file("two", document: "S1"))
            let keys = ["gone", "accepted", "again"]
            func found(_ key: String, in file: ImportedFile) throws -> Break {
                Break(
                    type: .missingInOurs,
                    key: key,
                    currency: try Shop.currency(),
                    amount: 70,
                    day: "2027-01-14",
                    pspAccount: "sim-a",
                    lines: [LinePlace(file: file.sha256, row: 1)],
                    explanation: "e",
                    suggestion: "s"
                )
            }
            try await Self.store(first, [try Shop.line(1, .payment, 70)], in: shop)
            let all = try keys.map { try found($0, in: first) }
            var recorded = try await shop.record(all, in: first)
            #expect(recorded == .init(opened: 3))
            try await shop.finish(first, 1, 0)
            let accepted = try await shop.stored("accepted")
            _ = try await shop.act(.writtenOff, on: accepted)
            let balances = try await shop.balances()
            #expect(balances == ["psp/sim-a/clearing": 70, "marketplace/reconciliation_differences": -70])
            try await Self.store(second, [try Shop.line(2, .payment, 70)], in: shop)
            #expect(try await Self.earlier(than: second, in: shop) == [first.id])
            recorded = try await shop.record([try found("again", in: second)], in: second)
            #expect(recorded == .init(kept: 1))
            try await shop.finish(second, 1, 0, superseding: [first.id])
            #expect(try await shop.stored("gone").state == .corrected)
            #expect(try await shop.stored("accepted").state == .corrected)
            #expect(try await shop.stored("again").state == .open)
            #expect(try await shop.balances() == [:])
            #expect(try await shop.findings() == [])
            let actions = try await shop.actions(of: accepted.id)
            #expect(actions.map(\.actor) == ["ann", "reconciliation"])
            #expect(actions.last?.reason == "the file was superseded by \(second.id)")
        }
    }

    /// The first and the last day of a file, and whether it is a later version of one of 2027-01-05 to 2027-01-10 with lines of
    /// the same batch.
    private static let days: [(first: String, last: String, isVersion: Bool)] = [
        ("2027-01-05", "2027-01-10", true), ("2027-01-05", "2027-01-12", true), ("2027-01-06", "2027-01-09", true),
        ("2027-01-06", "2027-01-12", false), ("2027-01-03", "2027-01-09", false),
    ]

    @Test(
        "is none of later days, or earlier ones, which lacks lines of the batch",
        arguments: DatabaseEngine.allCases,
        days
    )
    func moved(_ engine: DatabaseEngine, days: (first: String, last: String, isVersion: Bool)) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            func lines(_ first: String, _ last: String, payoutOn day: String) throws -> [ImportedLine] {
                var lines = try ["a", "b"].enumerated().map { number, name in
                    try Shop.line(number + 1, .payment, 70, batch: "B1", reference: name)
                }
                lines[0].occurredOn = SettlementDate(first)
                lines[1].occurredOn = SettlementDate(last)
                var payout = try Shop.line(3, .payout, -140, batch: "B1")
                payout.paidOn = SettlementDate(day)
                return lines + [payout]
            }
            let (file, later) = (shop.file("one"), shop.file("two"))
            try await shop.take(file, try lines("2027-01-05", "2027-01-10", payoutOn: "2027-01-12"))
            let standing = try #require(
                try await database.read { try ImportTable.find(file.id, of: "travel", in: $0) }
            )
            let more = try lines(days.first, days.last, payoutOn: "2027-01-12")
            try await Self.store(later, more, in: shop)
            var unstored = UnstoredImport(marketplace: "travel", format: later.format, account: later.account)
            for line in more { unstored.add(line) }
            let (unread, frozen) = (unstored, shop)
            if days.isVersion {
                #expect(try await Self.earlier(than: later, in: frozen) == [file.id])
                let found = try await database.read { try ImportVersions.earlier(than: unread, in: $0) }
                #expect(found.map(\.id) == [file.id])
            } else {
                await #expect(throws: ImportRefusal.overlaps(standing)) {
                    try await Self.earlier(than: later, in: frozen)
                }
                await #expect(throws: ImportRefusal.overlaps(standing)) {
                    try await database.read { try ImportVersions.earlier(than: unread, in: $0) }
                }
            }
        }
    }

    @Test("is one with the same batches; a part of another is refused", arguments: DatabaseEngine.allCases)
    func overlap(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let first = shop.file("one")
            func line(_ row: Int, _ batch: String, _ name: String) throws -> ImportedLine {
                try Shop.line(row, .payment, 70, batch: batch, reference: name)
            }
            try await shop.take(first, [try line(1, "B1", "a"), try line(2, "B2", "b")])
            let standing = try #require(
                try await database.read { try ImportTable.find(first.id, of: "travel", in: $0) }
            )
            let same = shop.file("same")
            try await Self.store(same, [try line(1, "B2", "b"), try line(2, "B1", "x")], in: shop)
            #expect(try await Self.earlier(than: same, in: shop) == [first.id])
            let part = shop.file("part")
            try await Self.store(part, [try line(1, "B1", "a"), try line(2, "B3", "c")], in: shop)
            let frozen = shop
            await #expect(throws: ImportRefusal.overlaps(standing)) {
                _ = try await Self.earlier(than: part, in: frozen)
            }
            // A batch may go on in the next day's file, whose lines are others.
            let next = shop.file("next")
            try await Self.store(next, [try line(1, "B2", "d")], in: shop)
            #expect(try await Self.earlier(than: next, in: shop) == [])
            let elsewhere = shop.file("elsewhere", of: "sim-b")
            try await Self.store(elsewhere, [try line(1, "B1", "a")], in: shop)
            #expect(try await Self.earlier(than: elsewhere, in: shop) == [])
        }
    }
}
