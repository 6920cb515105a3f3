import AdapterKit
import Domain
import Testing
import TributaryTestKit

@testable import Gateway

@Suite("Agreements: a method that no reply told", .timeLimit(.minutes(10)))
struct MethodFinderTests {
    /// An agreement whose first payment has succeeded without a method, of an amount that says what the PSP answers.
    private static func untold(
        _ desk: AgreementDesk,
        on instance: GatewayInstance,
        _ cents: Int64 = 1000
    ) async throws -> AgreementID {
        let id = try await desk.make()
        let draft = try AgreementDesk.first(of: id, paidWith: "tok_first", cents)
        let answer = try await instance.gateway.place(draft, under: TestCheckout.use("first \(id)"))
        #expect(try await desk.harness.orderAtRest(answer.order).status == .paid)
        return id
    }

    @Test(
        "is asked after once ten seconds have passed, and the agreement is active",
        arguments: DatabaseEngine.allCases
    )
    func found(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: SilentAdapter.self) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let id = try await Self.untold(desk, on: instance)
            let pending = try await desk.stored(id)
            #expect(pending.state == .pending && pending.asks == 0 && !pending.isFirstPaymentOpen)
            #expect(try await desk.refusal(of: id, TestCheckout.dollars(2000), on: instance) == .notActive)
            #expect(await instance.gateway.findMethods() == 0)
            harness.clock.advance(milliseconds: 10_000)
            #expect(await instance.gateway.findMethods() == 1)
            #expect(instance.gateway.door.crowd.operations == 0)
            let active = try await desk.stored(id)
            #expect(active.state == .active && active.asks == nil)
            #expect(active.method?.last4 == "4242")
            #expect(try await desk.secrets(of: id) == 1)
            #expect(try await desk.told() == ["agreement.active"])
            let charge = try await instance.driving {
                try await desk.charge(id, key: "charge", on: instance)
            }
            #expect(charge.status == .paid)
            harness.clock.advance(milliseconds: 86_400_000)
            #expect(await instance.gateway.findMethods() == 0)
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("is asked after by whoever lives, if the one that asks dies", arguments: DatabaseEngine.allCases)
    func crash(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: SilentAdapter.self) { harness in
            let desk = AgreementDesk(harness: harness)
            let first = harness.instance("first")
            let ways: [@Sendable (Int) -> InstanceLife.Death] = [
                { .beforeWrite($0) }, { .afterWrite($0) }, { .beforeCall($0) }, { .afterCall($0) },
            ]
            var deaths = 0
            for way in ways {
                for number in 1...2 {
                    let id = try await Self.untold(desk, on: first)
                    harness.clock.advance(milliseconds: 10_000)
                    let mortal = harness.instance("mortal \(way(number))", endingAt: way(number))
                    // Dead, it comes back from nothing any more.
                    let asking = Task { await mortal.gateway.findMethods() }
                    let end = ContinuousClock.now + .patience
                    while !mortal.life.isDead, try await desk.stored(id).state != .active, ContinuousClock.now < end {
                        try await Task.sleep(for: .milliseconds(5))
                    }
                    if await mortal.hasDied() { deaths += 1 }
                    asking.cancel()
                    mortal.life.die()
                    await mortal.database.drain()
                    harness.clock.advance(milliseconds: 60_000)
                    _ = await first.gateway.findMethods()
                    let active = try await desk.stored(id)
                    #expect(active.state == .active, "\(way(number))")
                    #expect(active.unerased.count == 1, "\(way(number))")
                    #expect(try await desk.secrets(of: id) == 1, "\(way(number))")
                }
            }
            #expect(deaths >= 6)
        }
    }

    @Test(
        "leaves the agreement suspended if the PSP keeps none, or cannot be asked",
        arguments: [(1001 as Int64, 3), (1002, 1)]
    )
    func absent(cents: Int64, asks: Int) async throws {
        try await GatewayHarness.with(.sqlite, adapter: SilentAdapter.self) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let id = try await Self.untold(desk, on: instance, cents)
            for number in 1...asks {
                #expect(try await desk.stored(id).state == .pending, "before asking for the \(number). time")
                harness.clock.advance(milliseconds: 40_000)
                #expect(await instance.gateway.findMethods() == 1)
            }
            #expect(try await desk.stored(id).suspension == .methodMissing)
            #expect(try await desk.told() == ["agreement.suspended"])
            harness.clock.advance(milliseconds: 86_400_000)
            #expect(await instance.gateway.findMethods() == 0)
        }
    }

    @Test("is asked after for ever where the PSP does not answer; ended, the agreement is over once it has")
    func silence() async throws {
        try await GatewayHarness.with(.sqlite, adapter: SilentAdapter.self) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let id = try await Self.untold(desk, on: instance, 1003)
            for _ in 1...6 {
                harness.clock.advance(milliseconds: 21_600_000)
                #expect(await instance.gateway.findMethods() == 1)
            }
            #expect(try await desk.stored(id).suspension == .methodMissing)
            #expect(try await desk.told() == ["agreement.suspended"])
            _ = try await instance.gateway.agreements.end(id, of: "travel", by: .instance("test"))
            harness.clock.advance(milliseconds: 21_600_000)
            #expect(await instance.gateway.findMethods() == 1)
            #expect(try await desk.stored(id).state == .ending)
        }
    }

    @Test("turns up after the end, and is forgotten at the PSP", arguments: DatabaseEngine.allCases)
    func ended(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: SilentAdapter.self) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            let id = try await Self.untold(desk, on: instance)
            _ = try await instance.gateway.agreements.end(id, of: "travel", by: .instance("test"))
            #expect(try await desk.stored(id).state == .ending)
            harness.clock.advance(milliseconds: 10_000)
            #expect(await instance.gateway.findMethods() == 1)
            #expect(try await desk.stored(id).state == .ending)
            #expect(await instance.gateway.removeMethods() == 1)
            let ended = try await desk.stored(id)
            #expect(ended.state == .ended && ended.method == nil)
            #expect(try await desk.secrets(of: id) == 0)
            #expect(await harness.psp.count(.forget) == 1)
        }
    }

    @Test(
        "of a first payment that was made twice is that of the one that counts; the other's is forgotten at the PSP",
        arguments: DatabaseEngine.allCases
    )
    func madeTwice(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: SilentAdapter.self, keys: .none) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            await harness.psp.script("tok_first", .authorize, ScriptedBehaviour(.approve, .replyLost))
            try await instance.driving {
                let id = try await Self.untold(desk, on: instance)
                let first = try #require(try await desk.stored(id).firstOrder)
                let attempt = try await harness.order(first).payments[0].attempt
                #expect(attempt.pspReference == "auth_2" && attempt.authorization.sendings == 2)
                let approval = Success(reference: "auth_1", amount: 1000, capturedAmount: 1000)
                let about = Notice.Subject(attempt: attempt.id.text, payment: "auth_1")
                let notice = Notice(about: about, .outcome(.authorize, .succeeded(approval)))
                let batch = NoticeBatch([.init(notice, about: attempt.id)])
                let step = try await instance.gateway.log.submit(.notices(batch), to: first)
                #expect(step.order.payments[0].attempts.map(\.pspReference) == ["auth_2", "auth_1"])
                let order = try await harness.orderAtRest(first)
                #expect(order.captured == 2000 && order.refunded == 1000)
                for _ in 0..<20 where try await desk.stored(id).state == .pending {
                    harness.clock.advance(milliseconds: 10_000)
                    _ = await instance.gateway.findMethods()
                    _ = await instance.gateway.removeMethods()
                }
                let active = try await desk.stored(id)
                #expect(active.state == .active && active.leftovers.isEmpty)
                #expect(active.method?.last4 == "4242")
                #expect(try await desk.secrets(of: id) == 1)
                #expect(await harness.psp.authorizations.map(\.isForgotten) == [true, false])
                #expect(try await desk.charge(id, key: "charge", on: instance).status == .paid)
                #expect(try await LedgerCheck.complaints(about: harness.database, rules: harness.settings.rules) == [])
                #expect(try await CallbackCheck.complaints(about: harness.database) == [])
            }
        }
    }

    @Test("of another card behind the token, everybody is told, once", arguments: DatabaseEngine.allCases)
    func renewed(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: RenewingAdapter.self) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                let id = try await desk.begun(on: instance)
                #expect(try await desk.stored(id).method?.last4 == "4242")
                for number in 1...2 {
                    #expect(try await desk.charge(id, key: "charge \(number)", on: instance).status == .paid)
                }
                let method = try #require(try await desk.stored(id).method)
                #expect(method.last4 == "1881" && method.expiryMonth == 1 && method.expiryYear == 2035)
                #expect(try await desk.secrets(of: id) == 1)
                #expect(try await desk.told() == ["agreement.active", "agreement.updated"])
            }
        }
    }
}
