import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Doubt: a PSP without idempotency keys", .timeLimit(.minutes(10)))
struct KeylessTests {
    @Test("is sent everything once, over connections of their own", arguments: DatabaseEngine.allCases)
    func fresh(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: KeylessAdapter.self, keys: .none) { harness in
            let (_, order) = try await harness.run(.trip)
            #expect(order.status == .paid)
            let calls = await harness.psp.calls
            #expect(calls.count == 6)
            #expect(calls.count { $0.isFresh } == 6)
        }
    }

    @Test("is asked what became of an authorization, not sent it again", arguments: DatabaseEngine.allCases)
    func authorizationFound(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: KeylessAdapter.self, keys: .none) { harness in
            await harness.psp.script("tok_hotel", .authorize, .replyLost)
            await harness.psp.script("tok_hotel", .inquire, ScriptedBehaviour(.approve, .errorBefore))
            let (_, order) = try await harness.run(.trip)
            #expect(order.status == .paid)
            #expect(await harness.psp.count(.authorize, "tok_hotel") == 1)
            #expect(await harness.psp.count(.inquire, "tok_hotel") == 2)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("is believed to know nothing only once nothing can be on its way", arguments: DatabaseEngine.allCases)
    func authorizationAbsent(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: KeylessAdapter.self, keys: .none) { harness in
            await harness.psp.script("tok_hotel", .authorize, .requestLost)
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(.trip, key: "k")
                let id = try await harness.order(placedUnder: "k")
                try await harness.psp.arrival(of: .inquire, "", count: 3)
                #expect(try await harness.order(id).payments[1].state == .unresolved)
                harness.clock.advance(milliseconds: harness.settings.rules.leaseMilliseconds + 2000)
                let order = try await harness.orderAtRest(id)
                #expect(order.status == .failed)
                #expect(order.payments.map(\.state) == [.voided, .notSent, .voided])
                #expect(await harness.psp.count(.authorize, "tok_hotel") == 1)
                _ = try await answer
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    @Test("is asked what became of a capture before it is sent another", arguments: DatabaseEngine.allCases)
    func captureFound(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: KeylessAdapter.self, keys: .none) { harness in
            await harness.psp.script("tok_hotel", .capture, .replyLost)
            let (_, order) = try await harness.run(.trip)
            #expect(order.status == .paid)
            #expect(await harness.psp.count(.capture, "tok_hotel") == 1)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("is sent a capture again once it is provably absent", arguments: DatabaseEngine.allCases)
    func captureAbsent(engine: DatabaseEngine) async throws {
        var settings = GatewayHarness.settings
        settings.rules.unknownScheduleMilliseconds = [2, 4, 12_000]
        try await GatewayHarness.with(
            engine,
            settings: settings,
            adapter: KeylessAdapter.self,
            keys: .none
        ) { harness in
            await harness.psp.script("tok_hotel", .capture, .requestLost)
            let instance = harness.instance("one")
            try await instance.driving {
                let answer = try await instance.place(.trip, key: "k")
                _ = try await harness.order(answer.order) { $0.payments[1].attempt.all(.capture).last?.doubts == 3 }
                #expect(await harness.psp.count(.capture, "tok_hotel") == 1)
                harness.clock.advance(milliseconds: settings.rules.leaseMilliseconds + 2000)
                let order = try await harness.orderAtRest(answer.order)
                #expect(order.status == .paid)
                #expect(await harness.psp.count(.capture, "tok_hotel") == 2)
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    @Test("that cannot be asked is waited for, and a person is told after a day", arguments: DatabaseEngine.allCases)
    func mute(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: MuteAdapter.self, keys: .none) { harness in
            await harness.psp.script("tok_hotel", .authorize, .requestLost)
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(.trip, key: "k")
                let id = try await harness.order(placedUnder: "k")
                _ = try await harness.order(id) { $0.payments[1].attempt.authorization.doubts >= 3 }
                harness.clock.advance(milliseconds: harness.settings.decideByMilliseconds)
                let refused = try await harness.order(id) { $0.payments[0].state == .voided }
                #expect(refused.decision.reason == .decideBy)
                #expect(refused.status == .compensating)
                _ = try await answer
                harness.clock.advance(milliseconds: harness.settings.rules.attentionAfterMilliseconds)
                let order = try await harness.order(id) { !$0.attention.isEmpty }
                #expect(order.attention.map(\.reason) == [.unknownOutcome])
                #expect(order.attention.map(\.amountAtRisk) == [15_000])
                #expect(await harness.psp.count(.authorize, "tok_hotel") == 1)
                #expect(await harness.psp.count(.inquire) == 0)
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }
}
