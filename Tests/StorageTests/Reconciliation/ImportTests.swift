import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Taking in a file", .timeLimit(.minutes(10)))
struct ImportTests {
    @Test("counts all at once, at its end", arguments: DatabaseEngine.allCases)
    func atOnce(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let order = try await shop.sell("airline", 10_000, as: "p1")
            let expectation = try await shop.expectation(order)
            let file = shop.file("one")
            let line = try Shop.line(2, .payment, 10_000, fee: 300, reference: "p1")
            let place = ImportPlace(file: file.id, row: 2)
            let match = LineMatch(line: place, rule: "operation", with: expectation)
            try await database.write { session in
                #expect(try ImportTable.begin(file, in: session) == .fresh(file))
                // Twice, as after a crash.
                for _ in 0..<2 {
                    try SettlementLineTable.add([line], to: file, in: session)
                    try MatchTable.add([match], of: "travel", in: session)
                }
            }
            #expect(try await shop.expectations(of: "sim-a") == [expectation])
            try await shop.finish(file, 1, 1)
            #expect(try await shop.expectations(of: "sim-a") == [])
            let stored = try await database.read { try ImportTable.find(file.id, of: "travel", in: $0) }
            #expect(stored?.state == .done)
            #expect(stored?.doneAt == shop.now)
            #expect(stored?.contents.rows == 1)
            #expect(try await shop.expectations(of: "sim-a", releasing: [file.id]) == [expectation])
            #expect(try await shop.findings() == [])
        }
    }

    @Test("refuses what was taken in, and whoever comes second", arguments: DatabaseEngine.allCases)
    func refused(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let order = try await shop.sell("airline", 10_000, as: "p1")
            let expectation = try await shop.expectation(order)
            let (first, second, again) = (shop.file("one"), shop.file("two"), shop.file("one"))
            @Sendable func match(_ file: ImportedFile) -> LineMatch {
                LineMatch(line: ImportPlace(file: file.id, row: 1), rule: "operation", with: expectation)
            }
            let line = try Shop.line(1, .payment, 10_000, batch: nil)
            try await database.write { session in
                for file in [first, second] {
                    _ = try ImportTable.begin(file, in: session)
                    try SettlementLineTable.add([line], to: file, in: session)
                    try MatchTable.add([match(file)], of: "travel", in: session)
                }
            }
            let frozen = shop
            await #expect(throws: ImportRefusal.disturbed(first.id)) {
                try await frozen.tryFinish(first, 2, 1)
            }
            await #expect(throws: ImportRefusal.disturbed(first.id)) {
                try await frozen.tryFinish(first, 1, 0)
            }
            try await shop.finish(first, 1, 1)
            let done = try #require(try await database.read { try ImportTable.find(first.id, of: "travel", in: $0) })
            await #expect(throws: ImportRefusal.overtaken(by: done)) {
                try await frozen.tryFinish(second, 1, 1)
            }
            await #expect(throws: ImportRefusal.notImporting(done)) {
                try await frozen.tryFinish(first, 1, 1)
            }
            await #expect(throws: ImportRefusal.unknown(again.id)) {
                try await frozen.tryFinish(again, 1, 1)
            }
            await #expect(throws: ImportRefusal.known(done)) {
                try await database.write { _ = try ImportTable.begin(again, in: $0) }
            }
            let listed = try await database.read { try ImportTable.list(of: "travel", after: nil, limit: 9, in: $0) }
            #expect(listed.map(\.id) == [second.id, first.id])
        }
    }

    @Test(
        "belongs to whoever began it last: the other stores and ends nothing any more",
        arguments: DatabaseEngine.allCases
    )
    func begunAgain(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let first = shop.file("one")
            shop.now = shop.now.adding(milliseconds: 1)
            let (line, again) = (try Shop.line(1, .payment, 10_000, batch: nil), shop.file("one", of: "sim-b"))
            try await database.write { session in
                _ = try ImportTable.begin(first, in: session)
                try ImportTable.hold(first, in: session)
                try SettlementLineTable.add([line], to: first, in: session)
            }
            let resumed = try await database.write { try ImportTable.begin(again, in: $0) }
            #expect(resumed.file.id == first.id && resumed.file.account?.name == "sim-b")
            try await database.write { session in
                #expect(throws: ImportRefusal.disturbed(first.id)) { try ImportTable.hold(first, in: session) }
                try ImportTable.hold(resumed.file, in: session)
                try SettlementLineTable.add([line], to: resumed.file, in: session)
            }
            let frozen = shop
            await #expect(throws: ImportRefusal.disturbed(first.id)) { try await frozen.tryFinish(first, 1, 0) }
            try await shop.finish(resumed.file, 1, 0)
            await #expect(throws: ImportRefusal.disturbed(first.id)) {
                try await database.write { try ImportTable.hold(resumed.file, in: $0) }
            }
        }
    }

    @Test("may break off anywhere: another go ends as an undisturbed one", arguments: DatabaseEngine.allCases)
    func brokenOff(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var dumps: Set<[String]> = []
            for crash in 0...4 {
                try await DatabaseLocation.with(engine, prepare: .travel) { location in
                    try await location.withOpen { dumps.insert(try await Self.run($0, crashingAfter: crash)) }
                }
            }
            #expect(dumps.count == 1)
            #expect(dumps.first?.count == 15)
        }
    }

    /// Takes a file in, twice up to some step, and says what is stored then, but for identifiers.
    private static func run(_ database: any Database, crashingAfter steps: Int) async throws -> [String] {
        var shop = Shop(database)
        let orders = [
            try await shop.sell("airline", 10_000, as: "p1"), try await shop.sell("airline", 7_000, as: "p2"),
        ]
        let expectations = try await shop.expectations(of: "sim-a")
        let lines = [
            try Shop.line(1, .payment, 10_000, fee: 300), try Shop.line(2, .payment, 7_000, fee: 210),
            try Shop.line(3, .payout, -16_490),
        ]
        #expect(expectations.map(\.order) == orders.map(\.id))
        for isLast in [false, true] {
            var left = isLast ? .max : steps
            let draft = shop.file("one")
            let ids = shop.ids
            let now = shop.now
            func perform(_ body: @escaping @Sendable (any Session) throws -> Void) async throws {
                guard left > 0 else { return }
                left -= 1
                try await database.write(body)
            }
            let file = try await database.write { try ImportTable.begin(draft, in: $0).file }
            try await perform { try SettlementLineTable.add([lines[0]], to: file, in: $0) }
            try await perform { try SettlementLineTable.add(Array(lines[1...]), to: file, in: $0) }
            try await perform { session in
                let matches = expectations.enumerated().map { number, expectation in
                    LineMatch(line: ImportPlace(file: file.id, row: number + 1), rule: "r", with: expectation)
                }
                try MatchTable.add(matches, of: "travel", in: session)
            }
            try await perform { session in
                var ids = ids
                let found = Break(
                    type: .late,
                    key: "late 1",
                    currency: nil,
                    amount: 0,
                    day: nil,
                    explanation: "e",
                    suggestion: "s"
                )
                let run = BreakRun(id: file.id.text, asOf: "2027-01-15")
                _ = try BreakTable.record([found], run, of: "travel", at: now, ids: &ids, in: session)
            }
            if isLast { try await shop.finish(file, 3, 2) }
        }
        #expect(try await shop.findings() == [])
        return try await contents(database)
    }

    private static func contents(_ database: any Database) async throws -> [String] {
        try await database.read { session in
            let questions: [SQL] = [
                "SELECT sha256 || ' ' || state AS text FROM import_file",
                "SELECT kind || ' ' || net AS text FROM settlement_line ORDER BY line",
                "SELECT rule || ' ' || line AS text FROM line_match ORDER BY line",
                "SELECT key || ' ' || state || ' ' || actions AS text FROM recon_break",
                """
                SELECT kind || ' ' || debit || ' ' || credit || ' ' || amount AS text FROM journal_entry AS e
                JOIN posting AS p ON p.entry_id = e.id WHERE substr(debit, 1, 5) <> 'memo/'
                    AND substr(credit, 1, 5) <> 'memo/' ORDER BY kind, amount, credit
                """,
            ]
            return try session.rows(questions).flatMap { rows in try rows.map { try $0.text("text") } }
        }
    }
}
