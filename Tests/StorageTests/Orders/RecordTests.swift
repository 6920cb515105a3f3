import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("What a step adds to the history", .timeLimit(.minutes(10)))
struct RecordTests {
    /// An order that was approved, captured and given back, with everything its machine wrote down.
    private static func story() throws -> (order: Order, record: OrderMachine.Record) {
        var sample = OrderSample()
        var order = try sample.order(["airline"])
        order.terms.capture = .automatic
        var record = OrderMachine.Record()
        var ids = sample.ids
        func step(_ body: (inout OrderMachine) -> Void) {
            var machine = OrderMachine(order, at: sample.now, by: "one", rules: OrderTimings(), ids: ids)
            body(&machine)
            (order, ids) = (machine.order, machine.ids)
            record.facts += machine.record.facts
            record.events += machine.record.events
            record.entries += machine.record.entries
        }
        step { $0.place() }
        for _ in 0..<2 {
            let open = order.payments[0].attempt.operations.filter(\.isOpen)
            step { machine in
                for operation in open {
                    let done = Success(reference: "r-\(operation.kind)", amount: operation.amount)
                    machine.hear(Report(operation: operation.id, outcome: .succeeded(done)))
                }
            }
        }
        return (order, record)
    }

    @Test("events come back in order, page by page", arguments: DatabaseEngine.allCases)
    func events(engine: DatabaseEngine) async throws {
        let (order, record) = try Self.story()
        try await withDatabase(engine, prepare: .migrated) { database in
            try await database.write { try OrderWriter.insert(order, record, wakeAt: nil, in: $0) }
            #expect(record.events.count > 5)
            let all = try await database.read {
                try OrderSteps.events(of: order.id, after: 0, limit: 100, in: $0)
            }
            #expect(all == record.events)
            let page = try await database.read { try OrderSteps.events(of: order.id, after: 2, limit: 2, in: $0) }
            #expect(page == Array(record.events[2...3]))
            // More than any order ever tells, and more than the column could hold.
            for after in [3_000_000_000, Int64.max] {
                let none = try await database.read {
                    try OrderSteps.events(of: order.id, after: after, limit: 2, in: $0)
                }
                #expect(none == [])
            }
        }
    }

    @Test("a fact heard twice in a step is one fact", arguments: DatabaseEngine.allCases)
    func facts(engine: DatabaseEngine) async throws {
        let (order, story) = try Self.story()
        var record = story
        record.facts += story.facts
        try await withDatabase(engine, prepare: .migrated) { [record] database in
            try await database.write { try OrderWriter.insert(order, record, wakeAt: nil, in: $0) }
            let facts = try await database.read { try OrderSteps.all(of: order.id, in: $0).flatMap(\.facts) }
            #expect(facts == story.facts)
            #expect(facts.map(\.reference) == ["r-authorize", "r-capture"])
        }
    }

    @Test("an effect cannot be posted twice", arguments: DatabaseEngine.allCases)
    func entries(engine: DatabaseEngine) async throws {
        let (order, record) = try Self.story()
        let repeated = JournalEntry.Kind.authorization
        let errors: [DatabaseEngine: SQLError] = [
            .sqlite: .uniqueViolation(constraint: "index 'journal_entry_of_operation_once'"),
            .postgres: .uniqueViolation(constraint: "journal_entry_of_operation_once"),
        ]
        let expected = try #require(errors[engine])
        try await withDatabase(engine, prepare: .migrated) { database in
            try await database.write { try OrderWriter.insert(order, record, wakeAt: nil, in: $0) }
            let sums = try await database.read {
                try $0.rows(
                    """
                    SELECT kind, CAST(SUM(amount) AS \(unsafeText: $0.dialect.integerType)) AS total FROM posting
                    JOIN journal_entry ON journal_entry.id = posting.entry_id GROUP BY kind ORDER BY kind
                    """
                ).map { "\(try $0.text("kind")) \(try $0.integer("total"))" }
            }
            // The merchant is settled by the PSP, which is noted; commission and taxes are invoiced.
            #expect(sums == ["authorization 10000", "capture 20000"])
            await #expect(throws: expected) {
                try await database.write { session in
                    try session.run(
                        """
                        INSERT INTO journal_entry
                            (id, marketplace, merchant, order_id, payment_id, operation_id, kind, currency, at,
                            postings)
                        SELECT 'je_2', marketplace, merchant, order_id, payment_id, operation_id, kind, currency, at,
                            postings
                        FROM journal_entry WHERE kind = \(repeated.rawValue)
                        """
                    )
                }
            }
        }
    }
}
