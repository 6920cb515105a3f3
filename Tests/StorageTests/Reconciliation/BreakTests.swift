import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("A break", .timeLimit(.minutes(10)))
struct BreakTests {
    private static func sample(
        _ type: BreakType = .amountMismatch,
        _ amount: Int64 = -30,
        key: String = "k",
        subject: Domain.Expectation.Subject? = nil,
        lines: [LinePlace] = []
    ) throws -> Break {
        Break(
            type: type,
            key: key,
            currency: try Shop.currency(),
            amount: amount,
            day: "2027-01-14",
            psp: "simulator",
            pspAccount: "sim-a",
            merchant: try Shop.merchant("airline").id,
            subject: subject,
            lines: lines,
            explanation: "theirs are 99.70, ours 100.00",
            suggestion: "ask"
        )
    }

    @Test("comes back as it was written down, and is the same when found again", arguments: DatabaseEngine.allCases)
    func same(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (one, two) = (shop.file("one"), shop.file("two"))
            let places = [LinePlace(file: "one", row: 3), LinePlace(file: "one", member: 2, row: 4)]
            var found = try Self.sample(subject: .chargeback(shop.make()), lines: places)
            #expect(try await shop.record([found], in: one) == .init(opened: 1))
            let first = try await shop.stored("k")
            #expect(first.difference == found)
            #expect(first.openedAt == shop.now)
            #expect(first.state == .open)
            found.amount = -40
            #expect(try await shop.record([found], in: two) == .init(kept: 1))
            let second = try await shop.stored("k")
            #expect(second.id == first.id)
            #expect(second.difference.amount == -40)
            #expect(second.openedAt == first.openedAt)
            var filter = BreakTable.Filter(marketplace: "travel")
            filter.states = [.open, .investigating]
            filter.types = [.amountMismatch]
            filter.psp = "simulator"
            filter.pspAccount = "sim-a"
            filter.merchant = try Shop.merchant("airline").id
            func list(_ filter: BreakTable.Filter) async throws -> [StoredBreak] {
                try await database.read { try BreakTable.list(filter, after: nil, limit: 9, in: $0) }
            }
            #expect(try await list(filter) == [second])
            filter.types = [.late]
            #expect(try await list(filter) == [])
            #expect(try await list(BreakTable.Filter(marketplace: "other")) == [])
        }
    }

    @Test("is looked into, then accepted, which is posted once", arguments: DatabaseEngine.allCases)
    func accepted(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            _ = try await shop.record([try Self.sample()], in: shop.file("one"))
            let open = try await shop.stored("k")
            let looking = try await shop.act(.investigating, on: open)
            let frozen = shop
            await #expect(throws: BreakRefusal.changed(.investigating)) {
                try await frozen.tryAct(.forced, on: open)
            }
            let off = try await shop.act(.writtenOff, on: looking)
            #expect(off.resolvedAt == shop.now)
            #expect(
                try await shop.balances() == ["psp/sim-a/clearing": -30, "marketplace/reconciliation_differences": 30]
            )
            await #expect(throws: BreakRefusal.illegal(from: .writtenOff, to: .matched)) {
                try await frozen.tryAct(.matched, on: off)
            }
            let actions = try await shop.actions(of: open.id)
            #expect(actions.map(\.number) == [1, 2])
            #expect(actions.map(\.from) == [.open, .investigating])
            #expect(actions.map(\.to) == [.investigating, .writtenOff])
            #expect(try await shop.record([try Self.sample()], in: shop.file("two")) == .init(kept: 1))
            #expect(try await shop.stored("k").state == .writtenOff)
            #expect(try await shop.findings() == [])
        }
    }

    @Test("that differs by more than was accepted is open again, and posted back", arguments: DatabaseEngine.allCases)
    func grown(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            _ = try await shop.record([try Self.sample()], in: shop.file("one"))
            let forced = try await shop.act(.forced, on: try await shop.stored("k"))
            #expect(try await shop.balances() == ["psp/sim-a/clearing": -30, "suspense/sim-a": 30])
            let grown = try Self.sample(.amountMismatch, -45)
            #expect(try await shop.record([grown], in: shop.file("two")) == .init(reopened: 1))
            let open = try await shop.stored("k")
            #expect(open.state == .open)
            #expect(open.id == forced.id)
            #expect(try await shop.balances() == [:])
            _ = try await shop.act(.forced, on: open)
            #expect(try await shop.balances() == ["psp/sim-a/clearing": -45, "suspense/sim-a": 45])
            #expect(try await shop.findings() == [])
        }
    }

    @Test("of an unknown name, or for no reason, is refused", arguments: DatabaseEngine.allCases)
    func refused(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            _ = try await shop.record([try Self.sample()], in: shop.file("one"))
            let stored = try await shop.stored("k")
            let unknown: BreakID = shop.make()
            let decision = try BreakDecision(.matched, by: "ann", because: "it is there")
            for (id, marketplace) in [(unknown, "travel"), (stored.id, "other")] {
                let frozen = shop
                await #expect(throws: BreakRefusal.unknown(id)) {
                    try await database.write { session in
                        var ids = frozen.ids
                        _ = try BreakTable.act(
                            decision,
                            on: id,
                            seenAs: .open,
                            of: marketplace,
                            at: frozen.now,
                            ids: &ids,
                            in: session
                        )
                    }
                }
            }
            for (actor, reason) in [("", "r"), ("ann", ""), ("ann", " r"), ("a\nn", "r")] {
                #expect(throws: BreakRefusal.unusableText) {
                    try BreakDecision(.matched, by: actor, because: reason)
                }
            }
        }
    }

    @Test("about a line that never came is closed by a late one, and posted back", arguments: DatabaseEngine.allCases)
    func late(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let orders = [
                try await shop.sell("airline", 10_000, as: "p1"), try await shop.sell("airline", 500, as: "p2"),
            ]
            let expectations = try await shop.expectations(of: "sim-a")
            let before = try await shop.balances()
            let found = try expectations.enumerated().map { number, expectation in
                try Self.sample(.missingAtPSP, expectation.amount, key: "m\(number)", subject: expectation.subject)
            }
            _ = try await shop.record(found, in: shop.file("one"))
            _ = try await shop.act(.writtenOff, on: try await shop.stored("m0"))
            #expect(try await shop.balances()["psp/sim-a/clearing"] == 500)
            #expect(orders.count == 2)
            let file = shop.file("two")
            let match = LineMatch(line: ImportPlace(file: file.id, row: 1), rule: "r", with: expectations[0])
            try await shop.take(file, [try Shop.line(1, .payment, 10_000)], [match])
            #expect(try await shop.stored("m0").state == .matched)
            #expect(try await shop.stored("m1").state == .open)
            #expect(try await shop.balances() == before)
            let last = try await shop.actions(of: try await shop.stored("m0").id).last
            #expect(last?.actor == BreakDecision.reconciliation)
            #expect(last?.reason == "explained by a later file")
            #expect(try await shop.findings() == [])
        }
    }

    @Test(
        "about a line that nobody knew is closed once the line differs from what is known",
        arguments: DatabaseEngine.allCases
    )
    func differs(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (one, two) = (shop.file("one"), shop.file("two"))
            try await shop.take(one, [try Shop.line(1, .payment, 239), try Shop.line(2, .payment, 50)])
            let places = [1, 2].map { LinePlace(file: one.sha256, row: $0) }
            let unknown = try places.enumerated().map { number, place in
                try Self.sample(.statusMismatch, 239, key: "s\(number)", lines: [place])
            }
            _ = try await shop.record(unknown, in: one)
            let off = try await shop.act(.writtenOff, on: try await shop.stored("s0"))
            #expect(off.state == .writtenOff)
            _ = try await shop.record([try Self.sample(.amountMismatch, -2_861, lines: [places[0]])], in: two)
            try await shop.take(two, [try Shop.line(1, .payment, 10)])
            #expect(try await shop.stored("s0").state == .matched)
            #expect(try await shop.stored("s1").state == .open)
            #expect(try await shop.stored("k").state == .open)
        }
    }

    @Test(
        "about a line that differs is closed once another break says what it differs by",
        arguments: DatabaseEngine.allCases,
        [BreakType.statusMismatch, .missingInOurs, .refundWithoutOrigin, .duplicateLine, .roundingResidue]
    )
    func knownNoMore(_ engine: DatabaseEngine, _ type: BreakType) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let expectation = try await shop.expectation(try await shop.sell("airline", 10_000, as: "p1"))
            let (one, two) = (shop.file("one"), shop.file("two"))
            try await shop.take(one, [try Shop.line(1, .payment, 3_050), try Shop.line(2, .payment, 4_000)])
            let places = [1, 2].map { LinePlace(file: one.sha256, row: $0) }
            let found = try [-6_950, -6_000].enumerated().map { number, amount in
                try Self.sample(
                    .amountMismatch,
                    Int64(amount),
                    key: "a\(number)",
                    subject: expectation.subject,
                    lines: [places[number]]
                )
            }
            _ = try await shop.record(found, in: one)
            _ = try await shop.record([try Self.sample(type, 3_050, key: "s", lines: [places[0]])], in: two)
            let match = LineMatch(line: ImportPlace(file: two.id, row: 1), rule: "r", with: expectation)
            try await shop.take(two, [try Shop.line(1, .payment, 10_000)], [match])
            #expect(try await shop.stored("a0").state == .matched)
            let last = try await shop.actions(of: try await shop.stored("a0").id).last
            #expect(last?.reason == "another break says what the line differs by now")
            #expect(try await shop.stored("a1").state == .open)
            #expect(try await shop.stored("s").state == .open)
        }
    }

    @Test(
        "about a line, such as the commission of a refund that was under way, is closed once the line is matched to the unit",
        arguments: DatabaseEngine.allCases,
        [
            BreakType.splitMismatch, .amountMismatch, .currencyMismatch, .directionMismatch, .roundingResidue,
            .statusMismatch, .missingInOurs, .refundWithoutOrigin, .duplicateLine,
        ]
    )
    func matchedByNow(_ engine: DatabaseEngine, _ type: BreakType) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let expectation = try await shop.expectation(try await shop.sell("airline", 10_000, as: "p1"))
            let (one, two) = (shop.file("one"), shop.file("two"))
            try await shop.take(one, [try Shop.line(1, .commission, -50), try Shop.line(2, .commission, -60)])
            let found = try [1, 2].map { row in
                try Self.sample(type, -50, key: "s\(row)", lines: [LinePlace(file: one.sha256, row: row)])
            }
            _ = try await shop.record(found, in: one)
            let match = LineMatch(line: ImportPlace(file: one.id, row: 1), rule: "r", with: expectation)
            try await database.write { try MatchTable.add([match], of: "travel", in: $0) }
            _ = try await shop.record([], in: two)
            try await shop.take(two, [try Shop.line(1, .payment, 10)])
            #expect(try await shop.stored("s1").state == .matched)
            #expect(try await shop.stored("s2").state == .open)
        }
    }

    @Test(
        "about a commission's line is looked at again by later runs, and closed once the line differs otherwise",
        arguments: DatabaseEngine.allCases
    )
    func commissionAgain(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let expectation = try await shop.expectation(try await shop.sell("airline", 10_000, as: "p1"))
            let (one, two) = (shop.file("one"), shop.file("two"))
            let lines = try (1...4).map { try Shop.line($0, .commission, 50) }
            try await database.write { session in
                _ = try ImportTable.begin(one, in: session)
                try SettlementLineTable.add(lines, to: one, in: session)
            }
            let place = { (row: Int) in LinePlace(file: one.sha256, row: row) }
            let found = [
                try Self.sample(.missingInOurs, 50, key: "m1", lines: [place(1)]),
                try Self.sample(.splitMismatch, 50, key: "s2", lines: [place(2)]),
                // It is about what was expected, and not by the line.
                try Self.sample(.splitMismatch, 50, key: "s3", subject: expectation.subject, lines: [place(3)]),
            ]
            _ = try await shop.record(found, in: one)
            try await shop.finish(one, lines.count, 0)
            let open = try await database.read { session in
                try UnmatchedTable.lines(of: "sim-a", marketplace: "travel", after: nil, limit: 10, in: session)
            }
            #expect(open.map(\.line.row) == [1, 2])
            _ = try await shop.record([try Self.sample(.splitMismatch, 20, key: "s1", lines: [place(1)])], in: two)
            try await shop.take(two, [try Shop.line(1, .payment, 10)])
            #expect(try await shop.stored("m1").state == .matched)
            for key in ["s1", "s2", "s3"] { #expect(try await shop.stored(key).state == .open) }
        }
    }

    @Test(
        "about commissions' lines is closed once those are compared with what is expected, and no later run looks at them",
        arguments: DatabaseEngine.allCases
    )
    func commissionCompared(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let expectation = try await shop.expectation(try await shop.sell("airline", 10_000, as: "p1"))
            let (one, two, three) = (shop.file("one"), shop.file("two"), shop.file("three"))
            let lines = try (1...3).map { try Shop.line($0, .commission, -11) }
            try await database.write { session in
                _ = try ImportTable.begin(one, in: session)
                try SettlementLineTable.add(lines, to: one, in: session)
            }
            let places = (1...3).map { LinePlace(file: one.sha256, row: $0) }
            let unknown = try places.map { place in
                try Self.sample(.splitMismatch, -11, key: "s\(place.row)", lines: [place])
            }
            _ = try await shop.record(unknown, in: one)
            try await shop.finish(one, lines.count, 0)
            let differing = try Self.sample(
                .splitMismatch,
                1,
                key: "d",
                subject: expectation.subject,
                lines: [places[0], places[1]]
            )
            _ = try await shop.record([differing], in: two)
            let compared = [1, 2].map { ImportPlace(file: one.id, row: $0) }
            try await shop.take(two, [try Shop.line(1, .payment, 10)], comparing: compared)
            let open = try await database.read { session in
                try UnmatchedTable.lines(of: "sim-a", marketplace: "travel", after: nil, limit: 10, in: session)
            }
            #expect(open.map(\.line.kind) == [.commission, .payment])
            #expect(open.first?.place == ImportPlace(file: one.id, row: 3))
            try await shop.take(three, [try Shop.line(1, .fee, 10)])
            for key in ["s1", "s2"] { #expect(try await shop.stored(key).state == .matched) }
            for key in ["s3", "d"] { #expect(try await shop.stored(key).state == .open) }
        }
    }

    @Test("that a run with everything at hand does not find again is closed", arguments: DatabaseEngine.allCases)
    func unseen(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (one, two) = (shop.file("one"), shop.file("two"))
            let found = try ["a", "b"].map { try Self.sample(.late, 10, key: $0) }
            _ = try await shop.record(found + [try Self.sample(key: "c")], in: one)
            _ = try await shop.record([found[1]], in: two)
            func close(_ days: ClosedRange<String>) async throws -> Int {
                let (now, ids, run) = (shop.now, shop.ids, BreakRun(id: two.id.text, asOf: "2027-01-15"))
                return try await database.write { session in
                    var ids = ids
                    return try BreakTable.closeUnseen(
                        [.late, .missingAtPSP],
                        pspAccount: "sim-a",
                        days: days,
                        run,
                        of: "travel",
                        at: now,
                        ids: &ids,
                        in: session
                    )
                }
            }
            #expect(try await close("2027-01-15"..."2027-02-01") == 0)
            #expect(try await close("2027-01-01"..."2027-01-14") == 1)
            #expect(try await shop.stored("a").state == .matched)
            #expect(try await shop.stored("b").state == .open)
            #expect(try await shop.stored("c").state == .open)
            #expect(try await shop.record([found[0]], in: shop.file("three")) == .init(reopened: 1))
            #expect(try await shop.stored("a").state == .open)
        }
    }
}
