import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Finding orders", .timeLimit(.minutes(10)))
struct OrderSearchTests {
    private static func insert(_ orders: [Order], into database: any Database) async throws {
        try await database.write { session in
            for order in orders { try OrderWriter.insert(order, .init(), wakeAt: nil, in: session) }
        }
    }

    private static func list(
        _ filter: OrderSearch.Filter,
        limit: Int = 100,
        _ database: any Database
    ) async throws -> [OrderID] {
        try await database.read { try OrderSearch.list(filter, limit: limit, in: $0) }.map(\.id)
    }

    @Test("page by page, newest first, none twice and none left out", arguments: DatabaseEngine.allCases)
    func pages(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            let orders = try (0..<23).map { _ in try sample.order() }
            try await Self.insert(orders.shuffled() + [try sample.order(marketplace: "other")], into: database)
            var (filter, found) = (OrderSearch.Filter(marketplace: "travel"), [OrderID]())
            while true {
                let page = try await Self.list(filter, limit: 5, database)
                found += page
                guard page.count == 5 else { break }
                filter.before = page.last
            }
            #expect(found == orders.map(\.id).reversed())
            #expect(try await Self.list(.init(marketplace: nil), database).count == 24)
        }
    }

    @Test("by reference, status and time, all at once", arguments: DatabaseEngine.allCases)
    func filters(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            var later = OrderSample(at: sample.now.adding(milliseconds: 1000))
            let one = try sample.order(reference: "a")
            let two = try later.order(reference: "b")
            var three = try later.order(reference: "c")
            three.decision = Decision(state: .refused, reason: .deadline, at: later.now, countsOn: [])
            three.payments[0].attempts[0].operations[0].state = .notSent(reason: "no route")
            try await Self.insert([one, two, three], into: database)

            var filter = OrderSearch.Filter(marketplace: "travel")
            filter.reference = "b"
            #expect(try await Self.list(filter, database) == [two.id])
            filter.status = .failed
            #expect(try await Self.list(filter, database) == [])
            filter.reference = nil
            #expect(try await Self.list(filter, database) == [three.id])
            filter.status = .processing
            #expect(try await Self.list(filter, database) == [two.id, one.id])
            filter.createdAfter = sample.now
            #expect(try await Self.list(filter, database) == [two.id])
            filter.createdAfter = later.now
            #expect(try await Self.list(filter, database) == [])
        }
    }

    @Test("by a reference that is in use, by payment and by the PSP's reference", arguments: DatabaseEngine.allCases)
    func single(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            var (order, foreign) = (try sample.order(reference: "a"), try sample.order(marketplace: "other"))
            order.payments[0].attempts[0].pspReference = "auth_1"
            foreign.payments[0].attempts[0].pspReference = "auth_1"
            let payment = order.payments[0].id
            try await Self.insert([order, foreign], into: database)
            try await database.read { [order, foreign] session throws in
                #expect(try OrderSearch.live(reference: "a", of: "travel", in: session) == order.id)
                #expect(try OrderSearch.live(reference: "a", of: "other", in: session) == nil)
                #expect(try OrderSearch.order(of: payment, marketplace: "travel", in: session) == order)
                #expect(try OrderSearch.order(of: payment, marketplace: "other", in: session) == nil)
                func found(_ marketplace: String?) throws -> Set<OrderID> {
                    Set(try OrderSearch.find(pspReference: "auth_1", marketplace: marketplace, in: session).map(\.id))
                }
                #expect(try found("travel") == [order.id])
                #expect(try found(nil) == [order.id, foreign.id])
            }
        }
    }

    @Test("that need attention, the oldest first, whatever others need", arguments: DatabaseEngine.allCases)
    func attention(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            var orders: [Order] = []
            for number: Int64 in 0..<6 {
                let order = try sample.order(["a", "b"], marketplace: number < 3 ? "other" : "travel")
                try await Self.insert([order], into: database)
                var needy = order
                needy.attention = order.payments.map { payment in
                    Attention(
                        payment: payment.id,
                        operation: payment.attempt.authorization.id,
                        reason: .overdue,
                        amountAtRisk: 1,
                        since: sample.now.adding(milliseconds: number)
                    )
                }
                try await database.write { [needy] session in
                    try OrderWriter.update(needy, from: order, .init(), answer: nil, wakeAt: nil, in: session)
                }
                orders.append(needy)
            }
            let needy = orders
            try await database.read { session throws in
                func found(_ marketplace: String?, _ limit: Int) throws -> [OrderID] {
                    try OrderSearch.needingAttention(marketplace: marketplace, limit: limit, in: session).map(\.id)
                }
                #expect(try found("travel", 2) == needy[3...4].map(\.id))
                #expect(try found("other", 9) == needy[0...2].map(\.id))
                #expect(try found(nil, 9) == needy.map(\.id))
            }
        }
    }

    @Test("that hold something, those that lapse first in front", arguments: DatabaseEngine.allCases)
    func holds(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            var sample = OrderSample()
            func held(_ lapse: Int64, _ marketplace: String = "travel") throws -> Order {
                var order = try sample.order(marketplace: marketplace)
                var attempt = order.payments[0].attempts[0]
                attempt.operations[0].state = .succeeded
                attempt.operations[0].doneAmount = 10_000
                attempt.expiresAt = sample.now.adding(milliseconds: lapse)
                order.payments[0].attempts[0] = attempt
                return order
            }
            let (foreign, late, early) = (try held(1, "other"), try held(3), try held(2))
            var released = try held(0)
            for (kind, state) in [(Operation.Kind.capture, Self.declined), (.void, OperationState.succeeded)] {
                var operation = Operation(
                    id: sample.make(),
                    kind: kind,
                    amount: 10_000,
                    origin: .gateway,
                    createdAt: sample.now
                )
                operation.state = state
                operation.doneAmount = state == .succeeded ? 10_000 : 0
                released.payments[0].attempts[0].operations.append(operation)
            }
            #expect(released.payments[0].state == .captureFailed)
            #expect(released.payments[0].held == 0)
            try await Self.insert([foreign, late, early, released, try sample.order()], into: database)
            try await database.read { session throws in
                func found(_ marketplace: String?, _ limit: Int) throws -> [OrderID] {
                    try OrderSearch.holding(marketplace: marketplace, limit: limit, in: session).map(\.id)
                }
                #expect(try found("travel", 2) == [early.id, late.id])
                #expect(try found("travel", 1) == [early.id])
                #expect(try found(nil, 9) == [foreign.id, early.id, late.id])
            }
        }
    }

    private static let declined = OperationState.declined(Decline(code: "1", category: .generic, message: ""))
}
