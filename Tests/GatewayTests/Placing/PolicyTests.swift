import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Placing: every policy and capture mode", .timeLimit(.minutes(10)))
struct PolicyTests {
    @Test("the policy decides what becomes of the order", arguments: DatabaseEngine.allCases, PolicyCase.all)
    func decides(engine: DatabaseEngine, policy: PolicyCase) async throws {
        try await GatewayHarness.with(engine) { harness in
            for (token, behaviour) in policy.behaviours {
                await harness.psp.script(token, .authorize, behaviour)
            }
            var checkout = TestCheckout.trip
            (checkout.policy, checkout.capture) = (policy.policy, policy.capture)
            let (answer, order) = try await harness.run(checkout)
            #expect(order.status == policy.status)
            #expect(order.decision.reason == policy.reason)
            #expect(order.payments.map(\.state) == policy.states)
            // A refusal is told at once, though another authorization may still be on its way.
            let told = policy.status == .failed ? [OrderStatus.failed, .compensating] : [policy.status]
            #expect(told.map { .final(Array("\(order.id) \($0.rawValue)".utf8)) }.contains(answer.body))
            #expect(!answer.isReplay)
            #expect(order.attention == [])
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("an order is captured only once all is authorized", arguments: DatabaseEngine.allCases)
    func twoPhases(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_taxi", .authorize, .held)
            let instance = harness.instance("one")
            async let answer = instance.place(.trip, key: "k")
            let id = try await harness.order(placedUnder: "k")
            _ = try await harness.order(id) { $0.payments.count { $0.state == .authorized } == 2 }
            #expect(await harness.psp.count(.capture) == 0)
            await harness.psp.release("tok_taxi", .authorize)
            _ = try await answer
            #expect(try await harness.order(id).status == .paid)
            #expect(await harness.psp.count(.capture) == 3)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("one payment is taken in one call, several under one policy are not", arguments: DatabaseEngine.allCases)
    func sale(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let alone = TestCheckout([.init("airline", 100)])
            let (_, order) = try await harness.run(alone, key: "alone")
            #expect(order.status == .paid)
            #expect(order.payments[0].attempt.operations.map(\.kind) == [.authorize, .capture])
            #expect(order.payments[0].attempt.operations.map(\.origin) == [.gateway, .psp])
            #expect(await harness.psp.calls.map(\.kind) == [.authorize])
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("commissions are asked of the PSP where it keeps them", arguments: [DatabaseEngine.sqlite])
    func applicationFees(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (_, order) = try await harness.run(.trip)
            let bodies = await harness.psp.calls.filter { $0.kind == .authorize }.map {
                String(decoding: $0.body, as: UTF8.self)
            }
            #expect(bodies.count { $0.contains("\"application_fee\":750,") } == 1)
            #expect(bodies.count { $0.contains("application_fee") } == 1)
            let shares = order.payments.map { $0.allocation.map(\.captured) }
            #expect(shares == [[26_394, 3_030, 576], [14_250, 750], [1_949, 50]])
        }
    }
}
