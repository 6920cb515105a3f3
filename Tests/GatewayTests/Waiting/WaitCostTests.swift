import Domain
import Gateway
import Testing
import TributaryTestKit

/// What waiting costs the database.
@Suite("Waiting costs", .timeLimit(.minutes(10)))
struct WaitCostTests {
    @Test("an order that nobody waits for elsewhere nothing", arguments: DatabaseEngine.allCases)
    func nobody(engine: DatabaseEngine) async throws {
        try await WaitStage.with(engine) { stage in
            var checkout = TestCheckout([.init("airline", 30_000), .init("hotel", 15_000)])
            checkout.capture = .manual
            let instance = stage.instances("one")[0]
            let answer = try await instance.place(checkout, key: "k")
            let result = try await instance.gateway.request(.capture(.whole), of: .init(answer.order, of: "travel"))
            #expect(result?.order.status == .paid)
            #expect(stage.database.count { $0.hasPrefix("SELECT version, (SELECT COUNT(*)") } > 0)
            #expect([stage.database.notifications, stage.database.waiterWrites, stage.database.streams] == [0, 0, 0])
        }
    }

    @Test("a replay where the order is driven nothing but a look at it", arguments: DatabaseEngine.allCases)
    func sameInstance(engine: DatabaseEngine) async throws {
        try await WaitStage.with(engine) { stage in
            let harness = stage.harness
            await harness.psp.script("tok_taxi", .authorize, .held)
            let instance = harness.instance("one")
            async let first = instance.place(.trip, key: "k")
            _ = try await harness.order(placedUnder: "k")
            try await harness.psp.arrival(of: .authorize, "tok_taxi")
            async let second = instance.place(.trip, key: "k")
            try await stage.eventually { stage.database.orderReads == 1 }
            await harness.psp.release("tok_taxi", .authorize)
            let answers = try await (first, second)
            #expect(answers.1.body == answers.0.body)
            #expect(stage.database.orderReads == 1)
            #expect([stage.database.notifications, stage.database.waiterWrites, stage.database.streams] == [0, 0, 0])
        }
    }

    @Test("many who wait for one order one notice and one look", arguments: DatabaseEngine.allCases)
    func many(engine: DatabaseEngine) async throws {
        try await WaitStage.with(engine) { stage in
            let harness = stage.harness
            await harness.psp.script("tok_taxi", .authorize, .held)
            let instances = stage.instances("one", "two")
            async let first = instances[0].place(.trip, key: "k")
            let id = try await harness.order(placedUnder: "k")
            try await harness.psp.arrival(of: .authorize, "tok_taxi")
            let waiters = (0..<20).map { _ in Task { try await instances[1].place(.trip, key: "k") } }
            // Each looks once behind its registration; and once for all, soon after the instance began to listen.
            let isElsewhere = engine == .postgres
            try await stage.waiters(for: id)
            try await stage.eventually { stage.database.beginnings == (isElsewhere ? 1 : 0) }
            try await stage.eventually { stage.database.orderReads >= 20 }
            let before = stage.database.orderReads
            await harness.psp.release("tok_taxi", .authorize)
            let answer = try await first
            for waiter in waiters { #expect(try await waiter.value.body == answer.body) }
            #expect(stage.database.orderReads - before <= (isElsewhere ? 3 : 0))
            #expect(stage.database.notifications == (isElsewhere ? 1 : 0))
            #expect(stage.database.count { $0.hasPrefix("INSERT INTO order_waiter") } == (isElsewhere ? 1 : 0))
        }
    }

    @Test("who hears nothing a look when the net says so, and not before", arguments: DatabaseEngine.allCases)
    func net(engine: DatabaseEngine) async throws {
        try await WaitStage.with(engine, clock: ManualClock(), netMilliseconds: 10_000, hasNotifications: false) {
            stage in
            let harness = stage.harness
            await harness.psp.script("tok_taxi", .authorize, .held)
            async let first = harness.instance("one").place(.trip, key: "k")
            let id = try await harness.order(placedUnder: "k")
            try await harness.psp.arrival(of: .authorize, "tok_taxi")
            async let second = harness.instance("two").place(.trip, key: "k")
            try await stage.eventually { stage.database.orderReads == 1 }
            await harness.psp.release("tok_taxi", .authorize)
            let answer = try await first
            harness.clock.advance(milliseconds: 7_000)
            #expect(stage.database.orderReads == 1)
            try await stage.eventually {
                harness.clock.advance(milliseconds: 500)
                return stage.database.orderReads > 1
            }
            let replay = try await second
            #expect(replay.order == id && replay.body == answer.body && replay.isReplay)
            #expect(stage.database.orderReads == 2)
            #expect([stage.database.notifications, stage.database.waiterWrites] == [0, 0])
        }
    }
}
