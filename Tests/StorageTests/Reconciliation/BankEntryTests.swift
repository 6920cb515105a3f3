import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Entries of a bank's files", .timeLimit(.minutes(10)))
struct BankEntryTests {
    private static func entry(_ row: Int, _ day: String, on account: String = "DE00") throws -> ImportedBankEntry {
        ImportedBankEntry(
            row: row,
            hash: [UInt8(row)],
            account: account,
            amount: try Shop.amount(100),
            valuedOn: day
        )
    }

    private static func counting(
        _ shop: Shop,
        releasing: Set<ImportID> = [],
        after: ImportPlace? = nil
    ) async throws -> [Int] {
        try await shop.database.read { session in
            try BankEntryTable.counting(
                on: ["DE00", "DE01"],
                of: "travel",
                days: "2027-01-15"..."2027-01-16",
                releasing: releasing,
                after: after,
                limit: 10,
                in: session
            ).map(\.entry.row)
        }
    }

    @Test(
        "are found by account and day while their file counts",
        arguments: DatabaseEngine.allCases
    )
    func entries(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let file = shop.file("one", of: nil)
            let entries = [
                try Self.entry(1, "2027-01-15"), try Self.entry(2, "2027-01-16", on: "DE01"),
                try Self.entry(3, "2027-01-17"), try Self.entry(4, "2027-01-15", on: "DE02"),
            ]
            try await database.write { session in
                _ = try ImportTable.begin(file, in: session)
                try BankEntryTable.add(entries, to: file, in: session)
            }
            #expect(try await Self.counting(shop) == [])
            try await shop.finish(file, 4, 0)
            #expect(try await Self.counting(shop) == [1, 2])
            #expect(try await Self.counting(shop, releasing: [file.id]) == [])
            #expect(try await Self.counting(shop, after: ImportPlace(file: file.id, row: 1)) == [2])
        }
    }

    /// The files of the entries that may explain payouts.
    private static func open(_ shop: Shop, releasing: Set<ImportID> = []) async throws -> [String] {
        let (first, last) = (try #require(CalendarDay("2027-01-01")), try #require(CalendarDay("2027-01-31")))
        return try await shop.database.read { session in
            try UnmatchedTable.bankEntries(
                of: "travel",
                booked: first...last,
                releasing: releasing,
                after: nil,
                limit: 10,
                in: session
            ).map { "\($0.sha256) \($0.place.row)" }.sorted()
        }
    }

    @Test(
        "that other files have count again once none of those does any more",
        arguments: DatabaseEngine.allCases
    )
    func repeated(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let files = ["one", "two", "three"].map { shop.file($0, of: nil) }
            for (number, file) in files.enumerated() {
                let entries = [try Self.entry(1, "2027-01-15"), try Self.entry(2, "2027-01-16")]
                let others = Set(files[..<number].map(\.id))
                try await database.write { session in
                    _ = try ImportTable.begin(file, in: session)
                    try BankEntryTable.add(entries, to: file, in: session)
                    if !others.isEmpty {
                        try BankEntryTable.mark([ImportPlace(file: file.id, row: 1): others], of: file, in: session)
                    }
                }
                try await shop.finish(file, 2, 0)
            }
            let second = ["one 2", "three 2", "two 2"]
            #expect(try await Self.open(shop) == ["one 1"] + second)
            #expect(try await Self.open(shop, releasing: [files[0].id]) == ["three 2", "two 1", "two 2"])
            #expect(try await Self.open(shop, releasing: [files[1].id]) == ["one 1", "one 2", "three 2"])
            #expect(try await Self.open(shop, releasing: Set(files[..<2].map(\.id))) == ["three 1", "three 2"])
            #expect(try await Self.counting(shop).count == 6)
            let stored = try await database.read { session in
                try UnmatchedTable.bankEntries(
                    of: "travel",
                    booked: #require(CalendarDay("2027-01-15"))...#require(CalendarDay("2027-01-15")),
                    releasing: [files[0].id],
                    after: nil,
                    limit: 10,
                    in: session
                ).map(\.entry)
            }
            #expect(stored == [try Self.entry(1, "2027-01-15")])
        }
    }

    @Test("explain payouts, whose names are known from then on", arguments: DatabaseEngine.allCases)
    func explained(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (report, bank) = (shop.file("psp"), shop.file("bank", of: nil))
            var lines = [try Shop.line(1, .payout, -100), try Shop.line(2, .payout, -100, batch: "B2")]
            for place in lines.indices { lines[place].paidOn = SettlementDate("2027-01-15") }
            lines[0].entryReference = "txn_1"
            try await shop.take(report, lines)
            let entry = try Self.entry(1, "2027-01-15")
            let match = BankMatch(
                entry: ImportPlace(file: bank.id, row: 1),
                payout: .line(ImportPlace(file: report.id, row: 1)),
                rule: "r"
            )
            try await database.write { session in
                _ = try ImportTable.begin(bank, in: session)
                try BankEntryTable.add([entry], to: bank, in: session)
                try MatchTable.add([match], of: "travel", in: session)
            }
            try await shop.finish(bank, 1, 0)
            let (first, second) = (try #require(CalendarDay("2027-01-14")), try #require(CalendarDay("2027-01-15")))
            for (days, releasing, names) in [
                (first...second, [], ["B1", "txn_1"]), (first...first, [], []), (first...second, [bank.id], []),
            ] as [(ClosedRange<CalendarDay>, Set<ImportID>, [String])] {
                let found = try await database.read { session in
                    try UnmatchedTable.explainedPayouts(
                        of: "travel",
                        days: days,
                        times: Timestamp(microseconds: 0)..<Timestamp(microseconds: .max),
                        releasing: releasing,
                        in: session
                    )
                }
                #expect(found == names)
            }
        }
    }
}
