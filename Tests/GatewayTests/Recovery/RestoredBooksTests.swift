import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Books that were restored to an earlier point", .timeLimit(.minutes(10)))
struct RestoredBooksTests {
    @Test(
        "hear what PSPs did since, raise what they do not know once, and send nothing twice",
        arguments: DatabaseEngine.allCases
    )
    func recovered(engine: DatabaseEngine) async throws {
        try await RestoredBooks.with(engine) { books in
            let requests = await books.requests()
            let first = try await books.recover()
            #expect(first.map(\.obstacle) == [nil, nil, nil])
            #expect(first.allSatisfy { $0.told > 0 })
            // Each account has a part of each of the two orders that are lost.
            #expect(first.map(\.raised) == [2, 2, 2])
            let unknown = first.flatMap(\.unknown)
            #expect(Set(unknown.compactMap(\.attempt)) == Set(books.lost))
            #expect(unknown.filter { $0.taken > 0 }.map(\.taken).sorted() == [1999, 15_000, 30_000])
            #expect(unknown.filter { $0.held > 0 }.map(\.held).sorted() == [1999, 15_000, 30_000])
            #expect(unknown.allSatisfy { $0.currency?.code == "USD" && $0.reference != nil })

            let second = try await books.recover()
            #expect(second.map(\.listed) == first.map(\.listed))
            #expect(second.map(\.told) == [0, 0, 0])
            #expect(second.map(\.raised) == [0, 0, 0])
            #expect(second.map(\.unknown) == first.map(\.unknown))

            let orders = try await books.serve()
            #expect(orders.allSatisfy { order in order.isAtRest })
            func order(_ id: OrderID) throws -> Order { try #require(orders.first { $0.id == id }) }
            let held = try order(books.copied.held)
            #expect(held.payments.allSatisfy { $0.captured == $0.amount })
            for id in [books.copied.paid, books.copied.refunding] {
                let returned = try order(id)
                #expect(returned.payments.allSatisfy { $0.refunded == $0.amount })
            }
            #expect(await books.requests() == requests)
            let complaints = await books.psps.complaints(comparing: orders)
            #expect(complaints.sorted() == books.lost.map { "\($0) is in no order" }.sorted())
            let stored = try await LedgerCheck.complaints(about: books.database, rules: RestoredBooks.settings.rules)
            #expect(stored == [])
        }
    }

    @Test(
        "accept what was paid since, though its cutoff is over before anybody is asked",
        arguments: DatabaseEngine.allCases
    )
    func undecided(engine: DatabaseEngine) async throws {
        try await RestoredBooks.with(engine, isUndecided: true) { books in
            let requests = await books.requests()
            let id = try #require(books.copied.undecided)
            let recovered = try await books.recover()
            #expect(recovered.map(\.obstacle) == [nil, nil, nil])
            #expect(recovered.map(\.waiting) == [0, 0, 0])
            let told = try await LedgerCheck.orders(in: books.database).first { $0.id == id }
            #expect(told?.decision == .pending)
            let orders = try await books.serve()
            let order = try #require(orders.first { $0.id == id })
            #expect(order.status == .paid)
            #expect(order.payments.allSatisfy { $0.captured == $0.amount && $0.refunded == 0 })
            #expect(order.payments.flatMap(\.attempts).allSatisfy { $0.all(.void).isEmpty && $0.all(.refund).isEmpty })
            #expect(await books.requests() == requests)
            let complaints = await books.psps.complaints(comparing: orders)
            #expect(complaints.sorted() == books.lost.map { "\($0) is in no order" }.sorted())
        }
    }

    @Test("are not recovered beside a server, by its heartbeat", arguments: DatabaseEngine.allCases)
    func serving(engine: DatabaseEngine) async throws {
        try await RestoredBooks.with(engine) { books in
            #expect(try await books.serving() == [])
            let now = try await DatabaseClock(books.database).now()
            for (name, age) in [("stopped", 13_000), ("alive", 5000)] as [(String, Int64)] {
                try await books.database.write { session in
                    let beat = now.adding(milliseconds: -age)
                    try InstanceTable.beat(name, startedAt: beat, at: beat, in: session)
                }
            }
            #expect(try await books.serving() == ["alive"])
        }
    }

    @Test("are left as they are by a dry run, which says the same", arguments: DatabaseEngine.allCases)
    func dryRun(engine: DatabaseEngine) async throws {
        try await RestoredBooks.with(engine) { books in
            let before = try await LedgerCheck.orders(in: books.database)
            let dry = try await books.recover(isDryRun: true)
            #expect(try await LedgerCheck.orders(in: books.database) == before)
            #expect(try await Self.inbox(books.database) == 0)
            let wet = try await books.recover()
            #expect(dry.map(\.told) == wet.map(\.told))
            #expect(dry.map(\.raised) == wet.map(\.raised))
            #expect(dry.map(\.unknown) == wet.map(\.unknown))
            // The PSP's names alone tell a person what to look up.
            let problems = try await books.database.read { session in
                var filter = WebhookTable.Filter(marketplace: "travel")
                filter.state = .problem
                return try WebhookTable.list(filter, limit: 10, in: session)
            }
            #expect(problems.count == 6)
            for payment in wet.flatMap(\.unknown) {
                let reference = try #require(payment.reference)
                let told = problems.filter { $0.problem?.contains(reference) == true }
                #expect(told.count == 1)
                #expect(told.first?.order == nil)
            }
        }
    }

    private static func inbox(_ database: any Database) async throws -> Int {
        try await database.read { session in
            try WebhookTable.list(WebhookTable.Filter(marketplace: nil), limit: 1, in: session).count
        }
    }
}
