import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Steps of the buyer's", .timeLimit(.minutes(10)))
struct ActionTests {
    private static func withAction(
        _ engine: DatabaseEngine,
        policy: Policy = .allOrNothing,
        _ body: (GatewayHarness, OrderID, Gateway.Answer) async throws -> Void
    ) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script(
                "tok_hotel",
                .authorize,
                ScriptedBehaviour(.requireAction(milliseconds: 300_000))
            )
            var checkout = TestCheckout.trip
            checkout.onDeadline = .abandon
            checkout.policy = policy
            let instance = harness.instance("one")
            try await instance.driving {
                let answer = try await instance.place(checkout, key: "k")
                try await body(harness, answer.order, answer)
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    @Test("are answered at once, and the order goes on when they are taken", arguments: DatabaseEngine.allCases)
    func taken(engine: DatabaseEngine) async throws {
        try await Self.withAction(engine) { harness, id, answer in
            #expect(answer.body == .final(Array("\(id) requires_action".utf8)))
            // The deadline does not run meanwhile.
            harness.clock.advance(milliseconds: 60_000)
            let waiting = try await harness.order(id) { $0.payments[0].state == .authorized }
            #expect(waiting.decision.state == .pending)
            await harness.psp.finishAction(of: "tok_hotel")
            harness.clock.advance(milliseconds: 500)
            let order = try await harness.orderAtRest(id)
            #expect(order.status == .paid)
            #expect(order.terms.deadlineAt > order.createdAt.adding(milliseconds: 80_000))
        }
    }

    @Test("that are not taken in time are called off at the PSP", arguments: DatabaseEngine.allCases)
    func expired(engine: DatabaseEngine) async throws {
        try await Self.withAction(engine) { harness, id, _ in
            harness.clock.advance(milliseconds: 300_000)
            let order = try await harness.orderAtRest(id)
            #expect(order.status == .failed)
            #expect(order.payments.map(\.state) == [.voided, .declined, .voided])
            guard case .declined(let decline) = order.payments[1].attempt.authorization.state else {
                Issue.record("\(order.payments[1].attempt.authorization.state)")
                return
            }
            #expect(decline.category == .actionExpired)
            #expect(await harness.psp.count(.void, "tok_hotel") == 1)
        }
    }

    @Test("that are not taken in time leave the others to the policy", arguments: DatabaseEngine.allCases)
    func expiredInPart(engine: DatabaseEngine) async throws {
        try await Self.withAction(engine, policy: .bestEffort) { harness, id, _ in
            harness.clock.advance(milliseconds: 300_000)
            let order = try await harness.orderAtRest(id)
            #expect(order.status == .partiallyPaid)
            #expect(order.payments.map(\.state) == [.captured, .declined, .captured])
            #expect(await harness.psp.count(.void, "tok_hotel") == 1)
        }
    }

    /// A checkout that waits for its answer.
    private static func placing(with instance: GatewayInstance) -> Task<Gateway.Answer, any Error> {
        Task { try await instance.place(.trip, key: "k") }
    }

    /// An order of which the hotel and the taxi need a step; the taxi's PSP keeps its reply.
    private static func withTwoActions(
        _ engine: DatabaseEngine,
        _ body: (GatewayHarness, OrderID, Task<Gateway.Answer, any Error>) async throws -> Void
    ) async throws {
        try await GatewayHarness.with(engine) { harness in
            let step = ScriptedBehaviour.Verdict.requireAction(milliseconds: 300_000)
            await harness.psp.script("tok_hotel", .authorize, ScriptedBehaviour(step))
            await harness.psp.script("tok_taxi", .authorize, ScriptedBehaviour(step, .held))
            let instance = harness.instance("one")
            try await instance.driving {
                let placing = Self.placing(with: instance)
                let id = try await harness.order(placedUnder: "k")
                try await harness.psp.arrival(of: .authorize, "tok_taxi")
                let seen = try await harness.order(id) {
                    $0.status == .requiresAction && $0.payments[0].state == .authorized
                }
                #expect(!seen.isAnswered)
                try await body(harness, id, placing)
            }
        }
    }

    @Test("of several payments are answered together", arguments: DatabaseEngine.allCases)
    func together(engine: DatabaseEngine) async throws {
        try await Self.withTwoActions(engine) { harness, id, placing in
            await harness.psp.release("tok_taxi", .authorize)
            #expect(try await placing.value.body == .final(Array("\(id) requires_action".utf8)))
            let order = try await harness.order(id)
            #expect(order.awaitedActions.map(\.payment.externalIdentifier) == ["hotel", "taxi"])
        }
    }

    @Test("of some are answered at the deadline, although another may come", arguments: DatabaseEngine.allCases)
    func atTheDeadline(engine: DatabaseEngine) async throws {
        try await Self.withTwoActions(engine) { harness, id, placing in
            harness.clock.advance(milliseconds: 20_000)
            #expect(try await placing.value.body == .final(Array("\(id) requires_action".utf8)))
            let order = try await harness.order(id)
            #expect(order.awaitedActions.map(\.payment.externalIdentifier) == ["hotel"])
            #expect(order.decision.state == .pending)
        }
    }
}
