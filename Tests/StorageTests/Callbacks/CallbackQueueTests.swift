import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The work of delivering", .timeLimit(.minutes(10)))
struct CallbackQueueTests {
    private static let now = OutboxSample.now
    private static let soon = now.adding(milliseconds: 1_000)

    private static func due(
        at time: Timestamp = now,
        healthy: Int = 10,
        failing: Int = 10,
        in database: any Database
    ) async throws -> (healthy: [EndpointID], failing: [EndpointID]) {
        try await database.read { session in
            try CallbackQueue.due(at: time, healthy: healthy, failing: failing, in: session)
        }
    }

    private static func claim(
        _ id: EndpointID,
        as holder: String = "a",
        at time: Timestamp = now,
        until: Timestamp = soon,
        limit: Int = 100,
        in database: any Database
    ) async throws -> CallbackQueue.Claim? {
        try await database.write { session in
            try CallbackQueue.claim(id, as: holder, at: time, until: until, limit: limit, in: session)
        }
    }

    private static func release(
        _ claim: CallbackQueue.Claim,
        in database: any Database,
        _ change: (inout CallbackEndpoint.Health) -> Void = { _ in }
    ) async throws -> Bool {
        var health = claim.endpoint.health
        change(&health)
        let changed = health
        return try await database.write { try CallbackQueue.release(claim, changed, in: $0) }
    }

    @Test("says when the first endpoint has something due", arguments: DatabaseEngine.allCases)
    func nextDue(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, merchants: 0) { database, endpoints, _ in
            func next() async throws -> Timestamp? { try await database.read { try DueWork.next(in: $0) } }
            let id = try #require(endpoints.first?.id)
            #expect(try await next() == nil)
            var sample = OutboxSample()
            let callback = sample.callback(for: nil, at: Self.now)
            try await database.write { try Outbox.insert([callback], in: $0) }
            #expect(try await next() == Self.now)
            let claim = try #require(try await Self.claim(id, in: database))
            #expect(try await next() == Self.soon)
            let retryAt = Self.now.adding(milliseconds: 500)
            #expect(try await Self.release(claim, in: database) { $0.retryAt = retryAt })
            #expect(try await next() == retryAt)
            _ = try await database.write { try CallbackEndpointTable.disable(id, because: .gone, in: $0) }
            #expect(try await next() == nil)
        }
    }

    @Test(
        "is an endpoint's with something due, that is enabled, not put off and in nobody's hand",
        arguments: DatabaseEngine.allCases
    )
    func dueEndpoints(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, merchants: 3) { database, endpoints, _ in
            let ids = endpoints.map(\.id)
            #expect(try await Self.due(in: database) == ([], []))
            var sample = OutboxSample()
            let callbacks = endpoints.flatMap { endpoint in
                (0..<3).map { _ in sample.callback(for: endpoint.merchant, at: Self.now) }
            }
            try await database.write { try Outbox.insert(callbacks, in: $0) }
            #expect(try await Self.due(at: Self.now.adding(milliseconds: -1), in: database) == ([], []))
            #expect(try await Self.due(in: database) == (ids.sorted(), []))
            #expect(try await Self.due(healthy: 2, in: database) == (Array(ids.sorted().prefix(2)), []))
            #expect(try await Self.due(healthy: 0, in: database) == ([], []))

            let inHand = try #require(try await Self.claim(ids[0], in: database))
            let failing = try #require(try await Self.claim(ids[1], in: database))
            #expect(
                try await Self.release(failing, in: database) { health in
                    (health.failures, health.failingSince) = (1, Self.now)
                    health.retryAt = Self.now.adding(milliseconds: 500)
                    health.lastTriedAt = Self.now
                }
            )
            _ = try await database.write { try CallbackEndpointTable.disable(ids[2], because: .gone, in: $0) }
            #expect(try await Self.due(in: database) == ([ids[3]], []))
            #expect(try await Self.due(at: Self.now.adding(milliseconds: 500), in: database) == ([ids[3]], [ids[1]]))
            #expect(try await Self.due(at: Self.soon, in: database) == ([ids[0], ids[3]].sorted(), [ids[1]]))
            #expect(try await Self.release(inHand, in: database) { $0.lastTriedAt = Self.now })
            #expect(try await Self.due(in: database) == ([ids[3], ids[0]], []), "least recently tried first")
        }
    }

    @Test("is in one hand at a time, until the claim ends", arguments: DatabaseEngine.allCases)
    func claims(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, callbacks: 3) { database, endpoints, callbacks in
            let id = endpoints[0].id
            let first = try #require(try await Self.claim(id, limit: 2, in: database))
            #expect(first.callbacks.map(\.content) == Array(callbacks.prefix(2)))
            #expect(first.callbacks.allSatisfy { $0.state == .waiting && $0.attempts == 0 && $0.dueAt == Self.now })
            #expect(try await Self.claim(id, as: "b", in: database) == nil)
            #expect(try await Self.claim(id, as: "b", at: Self.soon.adding(milliseconds: -1), in: database) == nil)
            let later = Self.soon.adding(milliseconds: 1_000)
            let second = try #require(
                try await Self.claim(id, as: "b", at: Self.soon, until: later, in: database)
            )
            #expect(second.callbacks.map(\.id) == callbacks.map(\.id))
            #expect(try await Self.release(first, in: database) == false)
            #expect(try await Self.release(second, in: database))
            #expect(try await Self.release(second, in: database) == false)
            #expect(try await Self.claim(id, as: "c", in: database) != nil)
            try await database.write { try CallbackQueue.releaseAll(in: $0) }
            #expect(try await Self.claim(id, as: "d", in: database) != nil)
            var sample = OutboxSample()
            #expect(try await Self.claim(sample.make(), in: database) == nil)
        }
    }

    @Test(
        "is in nobody's hand once the instance that had it has ended, or is dead",
        arguments: DatabaseEngine.allCases,
        [false, true]
    )
    func owners(engine: DatabaseEngine, isDead: Bool) async throws {
        try await OutboxSample.withEndpoints(engine, merchants: 2, callbacks: 1) { database, endpoints, _ in
            // Those of the others have names that begin as its name does.
            let holders = [("a", 12), ("ab", 1), ("a-1", 2)].map { CallbackQueue.holder($0, claim: $1) }
            for (endpoint, holder) in zip(endpoints, holders) {
                _ = try #require(try await Self.claim(endpoint.id, as: holder, in: database))
            }
            try await database.write { session in
                guard isDead else { return try InstanceTable.remove("a", in: session) }
                try InstanceTable.beat("a", startedAt: Self.now, at: Self.now, in: session)
                #expect(try InstanceTable.take("a", silentSince: Self.soon, at: Self.now, in: session))
            }
            #expect(try await Self.due(in: database) == ([endpoints[0].id], []))
        }
    }

    @Test("is taken by one of many who reach for it at once", arguments: DatabaseEngine.allCases)
    func race(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, merchants: 3, callbacks: 1) { database, endpoints, _ in
            for endpoint in endpoints {
                let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for number in 0..<8 {
                        group.addTask { try await Self.claim(endpoint.id, as: "\(number)", in: database) != nil }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(taken == 1)
            }
        }
    }

    @Test("is one callback alone where the last round failed", arguments: DatabaseEngine.allCases)
    func probe(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, callbacks: 3) { database, endpoints, callbacks in
            let claim = try #require(try await Self.claim(endpoints[0].id, in: database))
            #expect(try await Self.release(claim, in: database) { ($0.failures, $0.failingSince) = (7, Self.now) })
            let probe = try #require(try await Self.claim(endpoints[0].id, in: database))
            #expect(probe.callbacks.map(\.id) == [callbacks[0].id])
            #expect(probe.endpoint.health.failures == 7 && probe.endpoint.health.failingSince == Self.now)
        }
    }

    @Test("leaves behind what became of each callback, once", arguments: DatabaseEngine.allCases)
    func results(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, callbacks: 5) { database, _, callbacks in
            let ids = callbacks.map(\.id)
            let reports = [
                DeliveryReport(ids[0], .delivered, status: 204, error: nil),
                DeliveryReport(ids[1], .again(Self.soon), status: 500, error: "HTTP 500"),
                DeliveryReport(ids[2], .dead, status: nil, error: "timedOut"),
                DeliveryReport(ids[3], .untouched, status: 410, error: "HTTP 410"),
            ]
            try await database.write { session in
                try CallbackQueue.record(reports, at: Self.now, in: session)
                let late = [
                    DeliveryReport(ids[0], .dead, status: 500, error: "late"),
                    DeliveryReport(ids[2], .again(Self.soon), status: 500, error: "late"),
                ]
                try CallbackQueue.record(late, at: Self.soon, in: session)
            }
            func stored(_ id: CallbackID) async throws -> StoredCallback {
                try #require(try await database.read { try CallbackTable.find(id, in: $0) })
            }
            let delivered = try await stored(ids[0])
            #expect(delivered.state == .delivered && delivered.settledAt == Self.now && delivered.dueAt == nil)
            #expect(delivered.attempts == 0 && delivered.lastStatus == 204 && delivered.lastError == nil)
            let again = try await stored(ids[1])
            #expect(again.state == .waiting && again.attempts == 1 && again.dueAt == Self.soon)
            #expect(again.lastStatus == 500 && again.lastError == "HTTP 500")
            let dead = try await stored(ids[2])
            #expect(dead.state == .dead && dead.attempts == 1 && dead.settledAt == Self.now)
            #expect(dead.lastStatus == nil && dead.lastError == "timedOut")
            let untouched = try await stored(ids[3])
            #expect(untouched.state == .waiting && untouched.attempts == 0 && untouched.dueAt == Self.now)
            #expect(try await stored(ids[4]).lastStatus == nil)
        }
    }

    @Test("gives up and forgets what has waited or lain for too long", arguments: DatabaseEngine.allCases)
    func cleaning(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, merchants: 1, callbacks: 3) { database, endpoints, callbacks in
            let later = Self.now.adding(milliseconds: 1)
            func deserted(before time: Timestamp) async throws -> [EndpointID] {
                try await database.read { try CallbackQueue.deserted(dueBefore: time, in: $0) }
            }
            #expect(try await deserted(before: later) == [])
            _ = try await database.write { try CallbackEndpointTable.disable(endpoints[1].id, because: .gone, in: $0) }
            #expect(try await deserted(before: Self.now) == [])
            #expect(try await deserted(before: later) == [endpoints[1].id])
            func giveUp(_ limit: Int) async throws -> Int {
                try await database.write { session in
                    try CallbackQueue.giveUp(
                        at: endpoints[1].id,
                        dueBefore: later,
                        limit: limit,
                        at: Self.now,
                        because: "too long",
                        in: session
                    )
                }
            }
            #expect(try await giveUp(2) == 2)
            #expect(try await giveUp(2) == 1)
            #expect(try await giveUp(2) == 0)
            func forget(before time: Timestamp, limit: Int = 10) async throws -> Int {
                try await database.write { try RetainedTable.callbacks.forget(before: time, limit: limit, in: $0) }
            }
            #expect(try await forget(before: Self.now) == 0)
            #expect(try await forget(before: later, limit: 2) == 2)
            #expect(try await forget(before: later) == 1)
            let left = try await database.read { session in
                try CallbackTable.list(.init(marketplace: nil), limit: 10, in: session)
            }
            #expect(left.map(\.id) == callbacks.prefix(3).map(\.id).reversed())
        }
    }

    @Test("costs a probe for each endpoint, and reads none of what else waits there")
    func plan() async throws {
        try await OutboxSample.withEndpoints(.sqlite, merchants: 3) { database, endpoints, _ in
            var sample = OutboxSample()
            let many =
                (0..<2_000).map { _ in sample.callback() }
                + endpoints.dropFirst().map { sample.callback(for: $0.merchant) }
            try await database.write { try Outbox.insert(many, in: $0) }
            let statement = CallbackQueue.due(at: Self.now, "e.failures = 0", limit: 10)
            let steps = try await database.read { session in
                try session.rows("EXPLAIN QUERY PLAN \(statement)").map { try $0.text("detail") }
            }
            let reads = steps.filter { $0.contains(" callback ") || $0.contains(" c ") }
            #expect(reads.count == 3, "\(steps)")
            #expect(reads.allSatisfy { $0.contains("COVERING INDEX callback_due") }, "\(steps)")
            #expect(reads.filter { $0.hasPrefix("SCAN") }.count == 1, "the first row alone: \(steps)")
        }
    }
}
