import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Callbacks, for those who look", .timeLimit(.minutes(10)))
struct CallbackTableTests {
    private static let now = OutboxSample.now

    @Test(
        "are written for whoever has an endpoint, and are listed newest first by every name",
        arguments: DatabaseEngine.allCases
    )
    func lists(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, merchants: 1) { database, endpoints, _ in
            var sample = OutboxSample()
            let order: OrderID = sample.make()
            let stranger = TestMarketplace.travel.merchants[2].id
            let later = Self.now.adding(milliseconds: 5)
            let own = sample.callback(order: order)
            let merchants = sample.callback(for: endpoints[1].merchant, type: "payment.captured", at: later)
            let nobodys = sample.callback(for: stranger)
            try await database.write { try Outbox.insert([own, merchants, nobodys], in: $0) }
            func list(_ change: (inout CallbackTable.Filter) -> Void = { _ in }) async throws -> [NewCallback] {
                var filter = CallbackTable.Filter(marketplace: nil)
                change(&filter)
                let wanted = filter
                return try await database.read { try CallbackTable.list(wanted, limit: 10, in: $0) }.map(\.content)
            }
            #expect(try await list() == [merchants, own])
            #expect(try await list { $0.endpoint = endpoints[0].id } == [own])
            #expect(try await list { $0.order = order } == [own])
            #expect(try await list { $0.type = "payment.captured" } == [merchants])
            #expect(try await list { $0.state = .waiting }.count == 2)
            #expect(try await list { $0.state = .dead } == [])
            #expect(try await list { $0.from = later } == [merchants])
            #expect(try await list { $0.until = later } == [own])
            #expect(try await list { $0.marketplace = "other" } == [])
            #expect(try await database.read { try CallbackTable.find(nobodys.id, in: $0) } == nil)
        }
    }

    @Test("are written all, however many a step has to tell", arguments: DatabaseEngine.allCases)
    func many(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, merchants: 1, callbacks: 130) { database, _, written in
            let filter = CallbackTable.Filter(marketplace: nil)
            let stored = try await database.read { try CallbackTable.list(filter, limit: 1000, in: $0) }
            #expect(stored.map(\.content) == written.sorted { $0.id > $1.id })
            try await database.write { try Outbox.insert([], in: $0) }
        }
    }

    @Test("are replayed under the same names, by name or all that pass a filter", arguments: DatabaseEngine.allCases)
    func replay(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, callbacks: 5) { database, _, callbacks in
            let ids = callbacks.map(\.id)
            let reports = ids.prefix(4).map { DeliveryReport($0, .dead, status: 500, error: "HTTP 500") }
            try await database.write { try CallbackQueue.record(Array(reports), at: Self.now, in: $0) }
            let later = Self.now.adding(milliseconds: 5)
            var filter = CallbackTable.Filter(marketplace: "travel")
            filter.state = .dead
            let dead = filter
            func replay(after: CallbackID?) async throws -> [CallbackID] {
                try await database.write { session in
                    try CallbackTable.replay(dead, after: after, limit: 3, at: later, in: session)
                }
            }
            #expect(try await replay(after: nil) == Array(ids.prefix(3)))
            #expect(try await replay(after: ids[2]) == [ids[3]])
            #expect(try await replay(after: ids[3]) == [])
            let again = try #require(try await database.read { try CallbackTable.find(ids[0], in: $0) })
            #expect(again.state == .waiting && again.attempts == 0 && again.dueAt == later && again.settledAt == nil)
            #expect(again.content == callbacks[0])
            try await database.write { try CallbackTable.replay([ids[4]], at: later, in: $0) }
            #expect(try await database.read { try CallbackTable.find(ids[4], in: $0) }?.dueAt == later)
        }
    }

    @Test("are counted, with the endpoints they are for", arguments: DatabaseEngine.allCases)
    func census(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, merchants: 2, callbacks: 2) { database, endpoints, callbacks in
            func take() async throws -> CallbackStatistics {
                try await database.read { try CallbackStatistics.read(in: $0) }
            }
            let first = try await take()
            #expect(first.waiting == 6 && first.dead == 0 && first.oldestWaiting == Self.now)
            #expect(first.enabledEndpoints == 3 && first.disabledEndpoints == 0)
            let reports = [
                DeliveryReport(callbacks[0].id, .dead, status: nil, error: "no"),
                DeliveryReport(callbacks[1].id, .delivered, status: 200, error: nil),
            ]
            try await database.write { session in
                try CallbackQueue.record(reports, at: Self.now, in: session)
                _ = try CallbackEndpointTable.disable(endpoints[2].id, because: .gone, in: session)
                let claim = try #require(
                    try CallbackQueue.claim(
                        endpoints[1].id,
                        as: "a",
                        at: Self.now,
                        until: Self.now,
                        limit: 1,
                        in: session
                    )
                )
                var health = claim.endpoint.health
                (health.failures, health.failingSince) = (4, Self.now)
                _ = try CallbackQueue.release(claim, health, in: session)
            }
            let second = try await take()
            #expect(second.waiting == 4 && second.dead == 1)
            #expect(second.enabledEndpoints == 2 && second.disabledEndpoints == 1)
            #expect(second.failingEndpoints == 1 && second.failures == 4)
            let counts = try await database.read { try CallbackStatistics.counts(of: "travel", in: $0) }
            #expect(counts[endpoints[0].id]?.dead == 1 && counts[endpoints[0].id]?.waiting == 0)
            #expect(counts[endpoints[1].id]?.dead == 0 && counts[endpoints[1].id]?.waiting == 2)
            let others = try await database.read { try CallbackStatistics.counts(of: "other", in: $0) }
            #expect(others.isEmpty)
        }
    }
}
