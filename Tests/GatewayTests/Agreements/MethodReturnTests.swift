import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Agreements: a method that comes back while its removal is due", .timeLimit(.minutes(10)))
struct MethodReturnTests {
    /// An agreement whose first order failed, because less was approved than was asked; its method is to be forgotten.
    private static func failed(_ desk: AgreementDesk, on instance: GatewayInstance) async throws -> AgreementID {
        let id = try await desk.make()
        await desk.harness.psp.script("tok_part", .authorize, ScriptedBehaviour(.approvePart(500)))
        let draft = try AgreementDesk.first(of: id, paidWith: "tok_part")
        let answer = try await instance.gateway.place(draft, under: TestCheckout.use("part"))
        #expect(try await desk.harness.orderAtRest(answer.order).status == .failed)
        let pending = try await desk.stored(id)
        #expect(pending.state == .pending && pending.method == nil && pending.unerased.count == 1)
        return id
    }

    /// Has the buyer pay with the same card once more.
    private static func pay(_ id: AgreementID, _ desk: AgreementDesk, on instance: GatewayInstance) async throws {
        let answer = try await instance.gateway.place(AgreementDesk.first(of: id), under: TestCheckout.use("whole"))
        #expect(try await desk.harness.orderAtRest(answer.order).status == .paid)
    }

    @Test("it is kept, and not removed", arguments: DatabaseEngine.allCases)
    func spared(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: SameCardAdapter.self) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let id = try await Self.failed(desk, on: instance)
            try await Self.pay(id, desk, on: instance)
            let active = try await desk.stored(id)
            #expect(active.state == .active && active.unerased == active.method.map { [$0.id] })
            #expect(try await desk.secrets(of: id) == 1)
            harness.clock.advance(milliseconds: 86_400_000)
            #expect(await instance.gateway.removeMethods() == 0)
            #expect(await harness.psp.count(.forget) == 0)
            _ = try await instance.gateway.agreements.end(id, of: "travel", by: .instance("test"))
            #expect(await instance.gateway.removeMethods() == 1)
            #expect(try await desk.stored(id).state == .ended)
            #expect(try await desk.secrets(of: id) == 0)
        }
    }

    @Test("the agreement is suspended if the PSP is just being asked to forget it", arguments: DatabaseEngine.allCases)
    func underWay(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: SameCardAdapter.self) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let id = try await Self.failed(desk, on: instance)
            await harness.psp.script("sm_1", .forget, .held)
            let removal = Task { await instance.gateway.removeMethods() }
            try await harness.psp.arrival(of: .forget, "sm_1")
            try await Self.pay(id, desk, on: instance)
            #expect(try await desk.stored(id).state == .active)
            await harness.psp.release("sm_1", .forget)
            #expect(await removal.value == 1)
            let suspended = try await desk.stored(id)
            #expect(suspended.suspension == .methodMissing && suspended.unerased == suspended.method.map { [$0.id] })
            #expect(try await desk.secrets(of: id) == 1)
            #expect(try await desk.told() == ["agreement.active", "agreement.suspended"])
        }
    }

    @Test("it stays in use if who was to have it removed died before", arguments: DatabaseEngine.allCases)
    func abandoned(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: SameCardAdapter.self) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let id = try await Self.failed(desk, on: instance)
            try await Self.claim(harness)
            try await Self.pay(id, desk, on: instance)
            #expect(try await desk.secrets(of: id) == 2)
            #expect(await instance.gateway.removeMethods() == 0)
            harness.clock.advance(milliseconds: 61_000)
            #expect(await instance.gateway.removeMethods() == 1)
            #expect(await harness.psp.count(.forget) == 0)
            let active = try await desk.stored(id)
            #expect(active.state == .active && active.unerased == active.method.map { [$0.id] })
            #expect(try await desk.secrets(of: id) == 1)
        }
    }

    @Test("a removal that a dead instance had in hand is due at once where no other instance is")
    func released() async throws {
        try await GatewayHarness.with(.sqlite) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let id = try await instance.driving { try await desk.begun(on: instance) }
            let next = harness.instance("two")
            _ = try await next.gateway.agreements.end(id, of: "travel", by: .instance("test"))
            try await Self.claim(harness)
            #expect(await next.gateway.removeMethods() == 0)
            _ = try await next.gateway.releaseLeases()
            #expect(await next.gateway.removeMethods() == 1)
            #expect(try await desk.stored(id).state == .ended)
        }
    }

    @Test(
        "where the PSP stores nothing, it is not asked after a payment that came to nothing",
        arguments: DatabaseEngine.allCases
    )
    func nothingStored(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: TokenlessAdapter.self) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let (id, number) = (try await desk.make(), "4895370012003478")
            await harness.psp.script(number, .authorize, ScriptedBehaviour(.approvePart(500)))
            let draft = try AgreementDesk.first(of: id, paidWithNumber: number)
            let answer = try await instance.gateway.place(draft, under: TestCheckout.use("part"))
            #expect(try await harness.orderAtRest(answer.order).status == .failed)
            #expect(try await desk.stored(id).leftovers.map(\.order) == [answer.order])
            let asked = await harness.psp.count(.inquire)
            harness.clock.advance(milliseconds: 10_000)
            #expect(await instance.gateway.findMethods() == 1)
            #expect(try await desk.stored(id).leftovers == [])
            #expect(await harness.psp.count(.inquire) == asked)
        }
    }

    /// Takes what is due in hand, as an instance does that dies then.
    private static func claim(_ harness: GatewayHarness) async throws {
        let now = harness.clock.now()
        let claimed = try await harness.database.write { session in
            try AgreementMethodTable.claim(
                by: "dead",
                at: now,
                until: now.adding(milliseconds: 60_000),
                limit: 8,
                in: session
            )
        }
        #expect(claimed.count == 1)
    }
}
