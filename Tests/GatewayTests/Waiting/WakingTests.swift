import Domain
import SQL
import Testing
import TributaryTestKit

@testable import Gateway

/// Who waits for an order is woken by its step; the net below is ten minutes away, and no test takes so long.
@Suite("Waiting: a step wakes", .timeLimit(.minutes(10)))
struct WakingTests {
    @Test("a replay, at whatever instance it is taken", arguments: DatabaseEngine.allCases)
    func replay(engine: DatabaseEngine) async throws {
        try await WaitStage.with(engine) { stage in
            let harness = stage.harness
            await harness.psp.script("tok_taxi", .authorize, .held)
            let instances = stage.instances("one", "two")
            async let first = instances[0].place(.trip, key: "k")
            let id = try await harness.order(placedUnder: "k")
            try await harness.psp.arrival(of: .authorize, "tok_taxi")
            async let second = instances[1].place(.trip, key: "k")
            try await stage.waiters(for: id)
            await harness.psp.release("tok_taxi", .authorize)
            let answers = try await (first, second)
            #expect(answers.0.body == .final(Array("\(id) paid".utf8)))
            #expect(answers.1 == Gateway.Answer(order: id, body: answers.0.body, isReplay: true))
            // Nobody waits any more, and that is written down too.
            try await stage.waiters(for: id, count: 0)
            #expect(try await harness.complaints() == [])
        }
    }

    private static func capturable(_ stage: WaitStage) async throws -> Order {
        var checkout = TestCheckout([.init("airline", 30_000)])
        checkout.capture = .manual
        await stage.harness.psp.script("tok_airline", .capture, .held)
        return try await stage.harness.run(checkout, key: "k", on: "placer").order
    }

    @Test("a capture that is asked for again elsewhere", arguments: DatabaseEngine.allCases)
    func capture(engine: DatabaseEngine) async throws {
        try await WaitStage.with(engine) { stage in
            let order = try await Self.capturable(stage)
            let (subject, use) = (Gateway.Orders.Subject(order.id, of: "travel"), TestCheckout.use("capture"))
            let instances = stage.instances("one", "two")
            async let first = instances[0].gateway.request(.capture(.whole), of: subject, under: use)
            try await stage.harness.psp.arrival(of: .capture, "tok_airline")
            async let second = instances[1].gateway.request(.capture(.whole), of: subject, under: use)
            try await stage.waiters(for: order.id)
            await stage.harness.psp.release("tok_airline", .capture)
            let results = try await (first, second)
            #expect(results.0?.isFinal == true && results.0?.isReplay == false)
            #expect(results.1?.isFinal == true && results.1?.isReplay == true)
            #expect(results.1?.order.status == .paid)
            #expect(try await stage.harness.complaints() == [])
        }
    }

    @Test("a capture by what its PSP tells another instance", arguments: DatabaseEngine.allCases)
    func webhook(engine: DatabaseEngine) async throws {
        try await WaitStage.with(engine) { stage in
            let order = try await Self.capturable(stage)
            let (subject, use) = (Gateway.Orders.Subject(order.id, of: "travel"), TestCheckout.use("capture"))
            let instances = stage.instances("one", "two", "three")
            async let first = instances[0].gateway.request(.capture(.whole), of: subject, under: use)
            try await stage.harness.psp.arrival(of: .capture, "tok_airline")
            async let second = instances[1].gateway.request(.capture(.whole), of: subject, under: use)
            try await stage.waiters(for: order.id)
            let attempt = try await stage.harness.order(order.id).payments[0].attempt
            let operation = try #require(attempt.all(.capture).last)
            let booked = try #require(await stage.harness.psp.authorizations.first?.operations.last?.id)
            let success = Outcome.succeeded(Success(reference: booked, amount: 30_000))
            let notice = Notice(about: .init(operation: operation.id.text, object: booked), .outcome(.capture, success))
            let batch = NoticeBatch([.init(notice, about: attempt.id)])
            let step = try await instances[2].gateway.log.submit(.notices(batch), to: order.id)
            #expect(step.order.captured == 30_000)
            // The reply to the capture itself is still held.
            let told = try await second
            #expect(told?.isFinal == true && told?.order.captured == 30_000)
            await stage.harness.psp.release("tok_airline", .capture)
            #expect(try await first?.isFinal == true)
        }
    }

    @Test("who writes down what is asked and performs nothing, as a command does", arguments: DatabaseEngine.allCases)
    func command(engine: DatabaseEngine) async throws {
        // Nobody tells another process of what is done to an embedded database.
        let net = engine == .sqlite ? 5 : WaitStage.farMilliseconds
        try await WaitStage.with(engine) { stage in
            let order = try await Self.capturable(stage)
            let orders = Gateway.Orders.remote(
                database: stage.database,
                clock: stage.harness.clock,
                rules: stage.harness.settings.rules,
                capabilities: [:],
                instance: "command",
                presentation: .plain,
                waitNetMilliseconds: net
            )
            let asked = try await orders.request(.cancel, of: .init(order.id, of: nil))
            #expect(asked?.isFinal == false)
            let heard = Task {
                try await orders.replies(to: order.id, withinMilliseconds: WaitStage.farMilliseconds)
            }
            try await stage.waiters(for: order.id)
            let status = try await stage.instances("one")[0].driving { try await heard.value?.status }
            #expect(status == .canceled)
            #expect(try await orders.replies(to: order.id, withinMilliseconds: 0)?.status == .canceled)
            #expect(try await orders.replies(to: OrderID(bits: 1), withinMilliseconds: 0) == nil)
        }
    }

    @Test("a replay too after the server has ended the connection that listens")
    func killed() async throws {
        try await WaitStage.with(.postgres) { stage in
            let harness = stage.harness
            await harness.psp.script("tok_taxi", .authorize, .held)
            let instances = stage.instances("one", "two")
            async let first = instances[0].place(.trip, key: "k")
            let id = try await harness.order(placedUnder: "k")
            try await harness.psp.arrival(of: .authorize, "tok_taxi")
            async let second = instances[1].place(.trip, key: "k")
            try await stage.waiters(for: id)
            try await stage.eventually { stage.database.beginnings == 1 }
            try await stage.database.write { session in
                try session.run(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND query LIKE 'LISTEN %'
                    """
                )
            }
            try await stage.eventually { stage.database.beginnings == 2 }
            let before = stage.database.heardNotifications
            await harness.psp.release("tok_taxi", .authorize)
            let answers = try await (first, second)
            #expect(answers.1.body == answers.0.body)
            #expect(stage.database.heardNotifications > before)
        }
    }
}
