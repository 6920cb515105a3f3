import AdapterKit
import Domain
import Gateway
import Testing
import TributaryTestKit

/// PSPs differ in what a repeated request is answered: a doubt that came as an answer is asked after first.
@Suite("Doubt: what a PSP keeps under a key", .timeLimit(.minutes(10)))
struct KeptResultsTests {
    /// Drives an order to rest, minutes passing where nothing else happens.
    private static func settle(
        _ id: OrderID,
        _ harness: GatewayHarness,
        once isDone: (Order) -> Bool = \.isAtRest
    ) async throws -> Order {
        for _ in 0..<200 {
            let order = try await harness.order(id)
            if isDone(order) { return order }
            let seen = harness.signal.count
            await harness.signal.wait(beyond: seen + 2, atMost: .milliseconds(30))
            harness.clock.advance(milliseconds: 10_000)
        }
        return try await harness.orderAtRest(id)
    }

    /// A trip on which the airline's capture, void or refund is answered as `behaviour` says; the PSP's calls of it.
    private static func run(
        _ engine: DatabaseEngine,
        _ adapter: any PaymentAdapter.Type,
        _ keys: ScriptedKeys,
        _ kind: ScriptedCall.Kind,
        _ behaviour: ScriptedBehaviour
    ) async throws -> [ScriptedCall] {
        var calls: [ScriptedCall] = []
        try await GatewayHarness.with(engine, adapter: adapter, keys: keys) { harness in
            await harness.psp.script("tok_airline", kind, behaviour)
            if kind == .void || kind == .refund { await harness.psp.script("tok_hotel", .authorize, .decline) }
            if kind == .refund { await harness.psp.script("tok_airline", .authorize, ScriptedBehaviour(.capture)) }
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(.trip, key: "k")
                let order = try await settle(try await harness.order(placedUnder: "k"), harness)
                _ = try await answer
                #expect(order.status == (kind == .capture ? .paid : .failed), "\(HarnessFailure.text(order))")
                #expect(order.attention == [])
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
            calls = await harness.psp.calls.filter { $0.kind == kind && $0.token == "tok_airline" }
        }
        return calls
    }

    @Test(
        "what was done and answered 500 is done once, whether the key forgets the answer or repeats it",
        arguments: DatabaseEngine.allCases,
        [ScriptedCall.Kind.capture, .void, .refund]
    )
    func done(engine: DatabaseEngine, kind: ScriptedCall.Kind) async throws {
        for travel in [ScriptedBehaviour.Travel.errorAfter, .garbled] {
            let behaviour = ScriptedBehaviour(.approve, travel)
            let forgotten = try await Self.run(engine, ForgetfulAdapter.self, .successes, kind, behaviour)
            #expect(forgotten.count == 1)
            let repeated = try await Self.run(engine, UnforgivingAdapter.self, .all, kind, behaviour)
            #expect(repeated.count == 1)
        }
    }

    @Test(
        "what was not done and answered 500 is sent again once it is provably absent, under another key where the old one repeats its answer",
        arguments: DatabaseEngine.allCases,
        [ScriptedCall.Kind.capture, .void, .refund]
    )
    func notDone(engine: DatabaseEngine, kind: ScriptedCall.Kind) async throws {
        let behaviour = ScriptedBehaviour(.approve, .errorBefore)
        let forgotten = try await Self.run(engine, ForgetfulAdapter.self, .successes, kind, behaviour)
        #expect(forgotten.count == 2 && Set(forgotten.map(\.key)).count == 1)
        let repeated = try await Self.run(engine, UnforgivingAdapter.self, .all, kind, behaviour)
        #expect(repeated.count == 2 && Set(repeated.map(\.key)).count == 2)
    }

    @Test(
        "an authorization that was approved is found, not made a second time, whether its error was heard or not",
        arguments: DatabaseEngine.allCases
    )
    func authorization(engine: DatabaseEngine) async throws {
        for travel in [ScriptedBehaviour.Travel.errorAfter, .errorLost] {
            let calls = try await Self.authorized(engine, ForgetfulAdapter.self, .successes, travel)
            #expect(calls.count == 1)
        }
        let repeated = try await Self.authorized(engine, UnforgivingAdapter.self, .all, .errorAfter)
        #expect(repeated.count == 1)
    }

    @Test(
        "an authorization that never arrived is made once its PSP was asked, by the same key",
        arguments: DatabaseEngine.allCases
    )
    func lostAuthorization(engine: DatabaseEngine) async throws {
        let calls = try await Self.authorized(engine, ForgetfulAdapter.self, .successes, .requestLost)
        #expect(calls.count == 2 && Set(calls.map(\.key)).count == 1)
    }

    /// A trip that is paid although the hotel's first authorization travels so; the PSP's calls of that.
    private static func authorized(
        _ engine: DatabaseEngine,
        _ adapter: any PaymentAdapter.Type,
        _ keys: ScriptedKeys,
        _ travel: ScriptedBehaviour.Travel
    ) async throws -> [ScriptedCall] {
        var calls: [ScriptedCall] = []
        try await GatewayHarness.with(engine, adapter: adapter, keys: keys) { harness in
            await harness.psp.script("tok_hotel", .authorize, ScriptedBehaviour(.approve, travel))
            let (_, order) = try await harness.run(.trip)
            #expect(order.status == .paid)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
            calls = await harness.psp.calls.filter { $0.kind == .authorize && $0.token == "tok_hotel" }
        }
        return calls
    }

    @Test(
        "an authorization that was sent twice is searched for by our reference once all that it made has to be listed",
        arguments: DatabaseEngine.allCases
    )
    func searched(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(
            engine,
            adapter: ForgetfulAdapter.self,
            keys: .successes,
            visibilityMilliseconds: 1500
        ) { harness in
            await harness.psp.script("tok_hotel", .authorize, ScriptedBehaviour(.approve, .errorLost))
            let instance = harness.instance("one")
            try await instance.driving {
                let answer = try await instance.place(.trip, key: "k")
                let paid = try await harness.orderAtRest(answer.order)
                #expect(paid.status == .paid && paid.payments[1].attempts.count == 1)
                #expect(paid.payments[1].attempt.authorization.awaitsSearch)
                let asked = await harness.psp.count(.inquire, "tok_hotel")
                harness.clock.advance(milliseconds: harness.settings.rules.leaseMilliseconds + 2000)
                // Two answer to our reference, which this adapter takes for a doubt: it asks again.
                try await harness.psp.arrival(of: .inquire, "tok_hotel", count: asked + 3)
                let order = try await harness.orderAtRest(answer.order)
                #expect(order.status == .paid && order.attention == [])
                #expect(order.payments[1].attempt.authorization.sendings == 2)
            }
            #expect(await harness.psp.count(.authorize, "tok_hotel") == 2)
        }
    }

    @Test(
        "a decline of a replay stays a doubt while the first sending is unexplained",
        arguments: DatabaseEngine.allCases
    )
    func declinedReplay(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(
            engine,
            adapter: ForgetfulAdapter.self,
            keys: .successes,
            visibilityMilliseconds: 3_600_000
        ) { harness in
            await harness.psp.script("tok_hotel", .authorize, ScriptedBehaviour(.approve, .errorLost), .decline)
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(.trip, key: "k")
                let id = try await harness.order(placedUnder: "k")
                try await harness.psp.arrival(of: .inquire, "tok_hotel", count: 2)
                let order = try await harness.order(id)
                #expect(order.payments[1].state == .unresolved)
                #expect(order.decision.state == .pending)
                #expect(await harness.psp.count(.authorize, "tok_hotel") == 2)
                harness.clock.advance(milliseconds: harness.settings.decideByMilliseconds)
                _ = try await answer
            }
        }
    }
}
