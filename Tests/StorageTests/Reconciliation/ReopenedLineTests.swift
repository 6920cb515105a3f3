import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("A line that confirmed what turned out to be another operation's", .timeLimit(.minutes(10)))
struct ReopenedLineTests {
    /// A sale of which a refund was told before its capture, so that it implied one; and a file that confirmed both.
    private static func confirmed(
        _ shop: inout Shop
    ) async throws -> (order: Order, file: ImportedFile, implied: OperationID) {
        var order = try await shop.hold("airline", 10_000, as: "p1")
        let subject = Notice.Subject(attempt: order.payments[0].attempt.id.text, object: "re_1")
        let refund = Success(reference: "re_1", amount: 3_000)
        order = try await shop.step(order) { machine in
            let isHeard = machine.hear(Notice(about: subject, .outcome(.refund, .succeeded(refund))))
            #expect(isHeard)
        }
        let file = shop.file("psp")
        let (taken, given) = (try await shop.expectation(order), try await shop.expectation(order, .refund))
        #expect([taken.amount, given.amount] == [3_000, -3_000])
        let lines = [
            try Shop.line(1, .payment, 3_000), try Shop.line(2, .refund, -3_000), try Shop.line(3, .commission, 300),
            try Shop.line(4, .fee, -5),
        ]
        var matches = [taken, given].enumerated().map { index, expectation in
            LineMatch(line: ImportPlace(file: file.id, row: index + 1), rule: "attempt", with: expectation)
        }
        for row in 3...4 {
            matches.append(
                LineMatch(
                    line: ImportPlace(file: file.id, row: row),
                    rule: "attempt",
                    subject: nil,
                    order: taken.order,
                    payment: taken.payment,
                    attempt: taken.attempt,
                    merchant: taken.merchant
                )
            )
        }
        try await shop.take(file, lines, matches)
        let implied = order.payments[0].attempt.operations.first { $0.kind == .capture && $0.origin == .psp }
        return (order, file, try #require(implied?.id))
    }

    private static func reopened(
        _ shop: Shop,
        before end: Timestamp = Timestamp(microseconds: .max),
        releasing: Set<ImportID> = []
    ) async throws -> [Int] {
        try await shop.database.read { session in
            try UnmatchedTable.reopened(
                of: "sim-a",
                marketplace: "travel",
                before: end,
                releasing: releasing,
                limit: 10,
                in: session
            )
        }.map(\.line.row)
    }

    @Test("is looked at again once the capture is told, and open from then on", arguments: DatabaseEngine.allCases)
    func reopened(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let (order, file, implied) = try await Self.confirmed(&shop)
            #expect(try await Self.reopened(shop) == [])
            #expect(try await shop.expectations(of: "sim-a") == [])
            _ = try await shop.answer(order, "p1")
            #expect(try await Self.reopened(shop) == [1, 2, 3])
            #expect(try await Self.reopened(shop, releasing: [file.id]) == [])
            // The capture that takes its place is no effect yet by then.
            #expect(try await Self.reopened(shop, before: shop.now) == [])
            #expect(try await Self.reopened(shop, before: shop.now.adding(milliseconds: 1)) == [1, 2, 3])
            #expect(try await shop.expectations(of: "sim-a").map(\.amount) == [10_000])
            let places = [1, 2, 3].map { ImportPlace(file: file.id, row: $0) }
            let confirmed = try await database.read { try MatchTable.operations(confirmedBy: places, in: $0) }
            #expect(confirmed.count == 2 && confirmed.contains(implied))
            try await database.write { try MatchTable.reopen(places, of: "travel", in: $0) }
            #expect(try await Self.reopened(shop) == [])
            let open = try await database.read { session in
                try UnmatchedTable.lines(of: "sim-a", marketplace: "travel", after: nil, limit: 10, in: session)
            }
            #expect(open.map(\.line.row) == [1, 2, 3])
        }
    }

    @Test("leaves what else it had confirmed expected again", arguments: DatabaseEngine.allCases)
    func others(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var shop = Shop(database)
            let order = try await shop.sell("airline", 10_000, as: "p1")
            let sold = try await shop.expectation(order)
            let file = shop.file("psp")
            let match = LineMatch(line: ImportPlace(file: file.id, row: 1), rule: "attempt", with: sold)
            try await shop.take(file, [try Shop.line(1, .payment, 10_000)], [match])
            guard case .operation(let operation) = sold.subject else {
                Issue.record("\(sold.subject)")
                return
            }
            for (reopening, count) in [(Set<OperationID>(), 0), ([operation], 1)] {
                let scope = ExpectationScope(marketplace: "travel", pspAccount: "sim-a", reopening: reopening)
                let found = try await database.read {
                    try ExpectationTable.page(scope, after: nil, limit: 10, in: $0).expectations
                }
                #expect(found.count == count)
            }
        }
    }
}
