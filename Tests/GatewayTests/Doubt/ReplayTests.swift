import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Doubt: a PSP that knows repeated requests by their key", .timeLimit(.minutes(10)))
struct ReplayTests {
    @Test("a doubtful authorization is replayed, and holds once", arguments: DatabaseEngine.allCases, DoubtCase.all)
    func authorization(engine: DatabaseEngine, doubt: DoubtCase) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .authorize, doubt.behaviour, doubt.behaviour)
            let (answer, order) = try await harness.run(.trip)
            #expect(order.status == .paid)
            #expect(answer.body == .final(Array("\(order.id) paid".utf8)))
            let calls = await harness.psp.calls.filter { $0.kind == .authorize && $0.token == "tok_hotel" }
            #expect(calls.count == 3)
            #expect(Set(calls).count == 1)
            #expect(order.payments[1].attempt.authorization.leases == 3)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("a doubtful capture is replayed, and takes once", arguments: DatabaseEngine.allCases, DoubtCase.all)
    func capture(engine: DatabaseEngine, doubt: DoubtCase) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .capture, doubt.behaviour, doubt.behaviour)
            let (_, order) = try await harness.run(.trip)
            #expect(order.status == .paid)
            let calls = await harness.psp.calls.filter { $0.kind == .capture && $0.token == "tok_hotel" }
            #expect(calls.count == 3)
            #expect(Set(calls.map(\.key)).count == 1)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("a doubtful void is replayed until it is done", arguments: DatabaseEngine.allCases, DoubtCase.all)
    func void(engine: DatabaseEngine, doubt: DoubtCase) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .authorize, .decline)
            await harness.psp.script("tok_airline", .void, doubt.behaviour, doubt.behaviour)
            let (_, order) = try await harness.run(.trip)
            #expect(order.status == .failed)
            #expect(await harness.psp.count(.void, "tok_airline") == 3)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("a doubtful refund is replayed, and gives back once", arguments: DatabaseEngine.allCases, DoubtCase.all)
    func refund(engine: DatabaseEngine, doubt: DoubtCase) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .authorize, .decline)
            await harness.psp.script("tok_airline", .authorize, ScriptedBehaviour(.capture))
            await harness.psp.script("tok_airline", .refund, doubt.behaviour, doubt.behaviour)
            let (_, order) = try await harness.run(.trip)
            #expect(order.status == .failed)
            #expect(order.payments[0].refunded == 30_000)
            #expect(await harness.psp.count(.refund, "tok_airline") == 3)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("what never left is tried again where it has to be done", arguments: DatabaseEngine.allCases)
    func neverLeft(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .capture, .neverLeft, .neverLeft)
            let (_, order) = try await harness.run(.trip)
            #expect(order.status == .paid)
            #expect(await harness.psp.count(.capture, "tok_hotel") == 3)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    @Test("a PSP that is silent until the timeout is asked again", arguments: DatabaseEngine.allCases)
    func silence(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .authorize, .silence)
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(.trip, key: "k")
                try await harness.psp.arrival(of: .authorize, "tok_hotel")
                let id = try await harness.order(placedUnder: "k")
                harness.clock.advance(milliseconds: harness.settings.pspTimeoutMilliseconds)
                #expect(try await answer.body == .final(Array("\(id) paid".utf8)))
                let order = try await harness.orderAtRest(id)
                #expect(order.payments[1].attempt.authorization.doubts == 1)
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }
}
