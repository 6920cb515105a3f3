import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

/// What moves money more than once under one name: refunds and captures that fail after all, and disputes that take again.
@Suite("An effect that comes back, or comes again", .timeLimit(.minutes(10)))
struct ReturnedEffectTests {
    /// Lets a refund of an order fail, of which the PSP said that it was done.
    private static func fail(_ order: Order, _ name: String, in shop: inout Shop) async throws -> Order {
        let rejection = Rejection(.unsupported, code: "r", message: "It came back.")
        let about = Notice.Subject(attempt: order.payments[0].attempt.id.text, object: name)
        return try await shop.step(order) { machine in
            let isHeard = machine.hear(Notice(about: about, .reversed(.refund, rejection)))
            #expect(isHeard)
        }
    }

    private static func words(
        _ shop: Shop,
        _ account: String = "sim-a",
        releasing: [ImportID] = []
    ) async throws
        -> [String]
    {
        try await shop.expectations(of: account, releasing: releasing).map(ExpectationTests.words)
    }

    /// Takes in a file whose lines are what is expected of an order, kind by kind, an amount being the first that is.
    private static func take(
        _ kinds: [Domain.Expectation.Kind],
        of order: Order,
        as name: String,
        in shop: inout Shop
    ) async throws -> ImportedFile {
        let file = shop.file(name)
        var lines: [ImportedLine] = []
        var matches: [LineMatch] = []
        for (index, kind) in kinds.enumerated() {
            let expectation = try await shop.expectation(order, kind)
            let word = try #require(SettlementKind(rawValue: kind.rawValue))
            lines.append(try Shop.line(index + 1, word, expectation.amount, batch: name))
            matches.append(
                LineMatch(line: ImportPlace(file: file.id, row: index + 1), rule: "attempt", with: expectation)
            )
        }
        try await shop.take(file, lines, matches)
        return file
    }

    @Test(
        "is expected there and back as long as no file has either, whoever is settled",
        arguments: DatabaseEngine.allCases,
        [("airline", "sim-a", ""), ("hotel", "sim-b", " of which 150"), ("taxi", "sim-c", "")]
    )
    func unreported(
        _ engine: DatabaseEngine,
        _ example: (merchant: String, account: String, commission: String)
    ) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            var order = try await shop.sell(example.merchant, 10_000, as: "p1")
            order = try await shop.refund(order, 3_000, as: "p1")
            let refundedAt = shop.now
            order = try await Self.fail(order, "p1-refund-3000", in: &shop)
            let all = try await shop.expectations(of: example.account).filter { $0.kind == .refund }
            let taken = example.commission.replacing(" of which ", with: " of which -")
            #expect(
                all.map(ExpectationTests.words) == [
                    "refund -3000\(taken) voided", "refund 3000\(example.commission) voided",
                ]
            )
            #expect(all.map(\.at) == [refundedAt, shop.now] && all.map(\.order) == [order.id, order.id])
        }
    }

    @Test("has to come back once a file says that it went, in a file of its own", arguments: DatabaseEngine.allCases)
    func returned(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            var order = try await shop.sell("airline", 10_000, as: "p1")
            order = try await shop.refund(order, 3_000, as: "p1")
            let one = try await Self.take([.payment, .refund], of: order, as: "one", in: &shop)
            #expect(try await Self.words(shop) == [])
            order = try await Self.fail(order, "p1-refund-3000", in: &shop)
            #expect(try await Self.words(shop) == ["refund 3000"])
            order = try await shop.refund(order, 3_000, as: "p2")
            #expect(try await Self.words(shop) == ["refund 3000", "refund -3000"])
            let two = try await Self.take([.refund], of: order, as: "two", in: &shop)
            #expect(try await Self.words(shop) == ["refund -3000"])
            #expect(try await Self.words(shop, releasing: [two.id]) == ["refund 3000", "refund -3000"])
            let both = try await Self.words(shop, releasing: [one.id, two.id])
            #expect(both == ["payment 10000", "refund -3000 voided", "refund 3000 voided", "refund -3000"])
            let left = try await Self.words(shop, releasing: [one.id])
            #expect(left == ["payment 10000", "refund -3000", "refund -3000"])
            let failed = order.payments[0].attempt.operations.filter { $0.kind == .refund }.prefix(1).map(\.id)
            let effects = try await database.read { try FailedEffectTable.effects(of: failed, in: $0) }
            #expect(effects.values.map(\.amount) == [-3_000])
            #expect(effects.values.allSatisfy { $0.isConfirmed && $0.isReturnConfirmed })
        }
    }

    @Test("is expected of a dispute each time that it takes", arguments: DatabaseEngine.allCases)
    func secondChargeback(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            var order = try await shop.sell("airline", 10_000, as: "p1")
            for state in [DisputeNotice.State.opened, .won, .lost] {
                order = try await shop.dispute(order, state, 2_000)
            }
            let all = ["payment 10000", "chargeback -2000", "chargeback_reversal 2000", "chargeback -2000"]
            #expect(try await Self.words(shop) == all)
            let one = try await Self.take([.payment, .chargeback], of: order, as: "one", in: &shop)
            #expect(try await Self.words(shop) == Array(all.dropFirst(2)))
            _ = try await Self.take([.chargebackReversal], of: order, as: "two", in: &shop)
            #expect(try await Self.words(shop) == ["chargeback -2000"])
            let three = try await Self.take([.chargeback], of: order, as: "three", in: &shop)
            #expect(try await Self.words(shop) == [])
            #expect(try await Self.words(shop, releasing: [three.id]) == ["chargeback -2000"])
            #expect(try await Self.words(shop, releasing: [one.id]) == ["payment 10000", "chargeback -2000"])
            let dispute = try #require(order.payments[0].disputes.first?.id)
            let entries = try await database.read { try DisputeEntryTable.entries(of: [dispute], in: $0) }
            #expect(entries[dispute]?.map(\.amount) == [-2_000, 2_000, -2_000])
            #expect(entries[dispute]?.allSatisfy(\.isConfirmed) == true)
        }
    }

    @Test("is one line for all entries of a dispute of which more was told later", arguments: DatabaseEngine.allCases)
    func oneLine(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            var order = try await shop.sell("airline", 10_000, as: "p1")
            order = try await shop.dispute(order, .opened, 2_000)
            order = try await shop.dispute(order, .opened, 2_500)
            let entries = try await shop.expectations(of: "sim-a").filter { $0.kind == .chargeback }
            #expect(entries.map(\.amount) == [-2_000, -500])
            let file = shop.file("one")
            let matches = entries.enumerated().map { index, entry in
                LineMatch(line: ImportPlace(file: file.id, row: 1), position: index, rule: "r", with: entry)
            }
            try await shop.take(file, [try Shop.line(1, .chargeback, -2_500)], matches)
            #expect(try await Self.words(shop) == ["payment 10000"])
        }
    }

    @Test("is confirmed by the line of its amount, not by another entry's", arguments: DatabaseEngine.allCases)
    func ownLine(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            var order = try await shop.sell("airline", 10_000, as: "p1")
            order = try await shop.dispute(order, .opened, 500)
            order = try await shop.dispute(order, .opened, 2_500)
            let second = try await shop.expectations(of: "sim-a").filter { $0.amount == -2_000 }
            let file = shop.file("one")
            let match = LineMatch(line: ImportPlace(file: file.id, row: 1), rule: "r", with: try #require(second.first))
            try await shop.take(file, [try Shop.line(1, .chargeback, -2_000)], [match])
            #expect(try await Self.words(shop) == ["payment 10000", "chargeback -500"])
        }
    }

    @Test("stays missed while only the first of its lines is there", arguments: DatabaseEngine.allCases)
    func missed(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            var order = try await shop.sell("airline", 10_000, as: "p1")
            for state in [DisputeNotice.State.opened, .won, .lost] {
                order = try await shop.dispute(order, state, 2_000)
            }
            let one = try await Self.take([.chargeback], of: order, as: "one", in: &shop)
            let second = try await shop.expectation(order, .chargeback)
            let back = try await shop.expectation(order, .chargebackReversal)
            let found = [second, back].map { expectation in
                Break(
                    type: .late,
                    key: expectation.kind.rawValue,
                    currency: expectation.currency,
                    amount: expectation.amount,
                    day: "2027-01-15",
                    psp: "simulator",
                    pspAccount: "sim-a",
                    subject: expectation.subject,
                    explanation: "It is in no report.",
                    suggestion: "Import the next reports."
                )
            }
            _ = try await shop.record(found, in: one)
            _ = try await Self.take([.chargebackReversal], of: order, as: "two", in: &shop)
            #expect(try await shop.stored("chargeback").state == .open)
            #expect(try await shop.stored("chargeback_reversal").state == .matched)
        }
    }

    @Test("of which nobody knows is no break once a later line takes it back", arguments: DatabaseEngine.allCases)
    func canceled(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (one, two) = (shop.file("one"), shop.file("two"))
            try await database.write { session in
                _ = try ImportTable.begin(one, in: session)
                let lines = [try Shop.line(1, .refund, -100), try Shop.line(2, .refund, -200)]
                try SettlementLineTable.add(lines, to: one, in: session)
            }
            let found = try (1...2).map { row in
                Break(
                    type: .statusMismatch,
                    key: "s\(row)",
                    currency: try Shop.currency(),
                    amount: -100 * Int64(row),
                    day: "2027-01-15",
                    psp: "simulator",
                    pspAccount: "sim-a",
                    lines: [LinePlace(file: one.sha256, row: row)],
                    explanation: "It has no such effect.",
                    suggestion: "Inquire about it."
                )
            }
            _ = try await shop.record(found, in: one)
            try await shop.finish(one, 2, 0)
            let places = [ImportPlace(file: one.id, row: 1)]
            try await shop.take(two, [try Shop.line(1, .refund, 100, batch: "B2")], canceling: places)
            #expect(try await shop.stored("s1").state == .matched)
            #expect(try await shop.stored("s2").state == .open)
            let last = try await shop.actions(of: try await shop.stored("s1").id).last
            #expect(last?.reason == "another line takes it back")
            let open = try await database.read { session in
                try UnmatchedTable.lines(of: "sim-a", marketplace: "travel", after: nil, limit: 10, in: session)
            }
            #expect(open.map(\.line.gross?.minorUnits) == [-100, -200, 100])
        }
    }
}
