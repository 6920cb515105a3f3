import Domain
import Gateway
import Logging
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Merchant tokens: what Apple tells", .timeLimit(.minutes(10)))
struct MerchantTokenTests {
    private typealias Stage = MerchantTokenStage

    private static func permutations<Item>(of items: [Item]) -> [[Item]] {
        guard items.count > 1 else { return [items] }
        return items.indices.flatMap { index in
            var rest = items
            let item = rest.remove(at: index)
            return permutations(of: rest).map { [item] + $0 }
        }
    }

    @Test(
        "comes to the same in whatever order it is fetched, announced once or twice",
        arguments: DatabaseEngine.allCases
    )
    func orders(engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            let instance = try stage.instance("one")
            for (number, order) in Self.permutations(of: [0, 1, 2, 3]).enumerated() {
                let token = "token-\(number)"
                let bodies: [JSON] = [
                    Stage.card("1881", "12/29", token), Stage.unlink(token), Stage.art(token), Stage.key(token),
                ]
                let id = try await instance.driving { try await stage.begun(on: instance, token) }
                for place in order {
                    let event = "evt-\(number)-\(place)"
                    #expect(try await stage.announce(event, bodies[place], on: instance) == .stored)
                    #expect(try await stage.announce(event, nil, on: instance) == .known)
                    if number % 2 == 0 { await stage.pull(on: instance) }
                }
                await stage.pull(on: instance)
                let agreement = try await stage.desk.stored(id)
                #expect(agreement.state == .suspended, "\(order)")
                #expect(agreement.suspension == .methodUnlinked, "\(order)")
                #expect(agreement.method?.last4 == "1881", "\(order)")
                #expect(agreement.method?.expiryMonth == 12, "\(order)")
                #expect(agreement.method?.expiryYear == 2029, "\(order)")
                for place in order {
                    let state = try await stage.state(of: "evt-\(number)-\(place)")
                    #expect(state == (place < 2 ? .applied : .ignored), "\(order)")
                    #expect(stage.twin.book.fetched.count { $0 == "evt-\(number)-\(place)" } == 1)
                }
            }
            #expect(stage.twin.book.merchants == [Stage.identifier])
            #expect(try await stage.harness.complaints() == [])
        }
    }

    @Test("an unlinked token is charged no more, and what is out goes on", arguments: DatabaseEngine.allCases)
    func unlinked(engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            let (instance, desk) = (try stage.instance("one"), stage.desk)
            try await instance.driving {
                let id = try await stage.begun(on: instance)
                #expect(try await desk.stored(id).method?.merchantTokenIdentifier == Stage.token)
                await stage.harness.psp.always("sm_1", .authorize, ScriptedBehaviour(.approve, .held))
                let charge = Task { try await desk.charge(id, key: "out", on: instance) }
                try await stage.harness.psp.arrival(of: .authorize, "sm_1")
                try await stage.announce("evt-1", Stage.unlink(), on: instance)
                try await stage.wait { try await desk.stored(id).state == .suspended }
                let refusal = try await desk.refusal(of: id, TestCheckout.dollars(2000), on: instance)
                #expect(refusal == .suspended(.methodUnlinked))
                await stage.harness.psp.release("sm_1", .authorize)
                #expect(try await charge.value.status == .paid)
                #expect(try await desk.stored(id).state == .suspended)
                #expect(try await desk.told() == ["agreement.active", "agreement.suspended"])
            }
            #expect(try await stage.harness.complaints() == [])
        }
    }

    @Test(
        "is told to nobody who does not show the merchant's certificate, which somebody is told of",
        arguments: [MerchantTokenTwin.Identity.foreign, .missing]
    )
    func identity(shown: MerchantTokenTwin.Identity) async throws {
        try await Stage.with(.sqlite) { stage in
            let (instance, desk) = (try stage.instance("one", showing: shown), stage.desk)
            let id = try await instance.driving { try await stage.begun(on: instance) }
            try await stage.declare(shown)
            try await stage.announce("evt-1", Stage.unlink(), on: instance)
            for number in 1...4 {
                #expect(await instance.gateway.pullMerchantTokens() == 1)
                #expect(await instance.gateway.pullMerchantTokens() == 0)
                #expect(try await stage.problems().count == (number == 4 ? 1 : 0))
                stage.harness.clock.advance(milliseconds: 3_600_000)
            }
            #expect(try await stage.state(of: "evt-1") == .announced)
            #expect(try await stage.notice("evt-1")?.failures == 4)
            #expect(try await desk.stored(id).state == .active)
            #expect(stage.twin.book.fetched == [])
            #expect(try await stage.problems().map(\.kind) == [.tokenNotices])
            let mended = try stage.instance("two")
            try await stage.declare(.merchant)
            await stage.pull(on: mended)
            #expect(try await stage.state(of: "evt-1") == .applied)
            #expect(try await desk.stored(id).state == .suspended)
            #expect(try await stage.problems() == [])
        }
    }

    @Test("is fetched for seven days, and given up then", arguments: DatabaseEngine.allCases)
    func late(engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            let (instance, desk) = (try stage.instance("one"), stage.desk)
            let id = try await instance.driving { try await stage.begun(on: instance) }
            stage.twin.book.script("evt-1", 500, 500)
            stage.twin.book.script("evt-2", 500, 500)
            try await stage.announce("evt-1", Stage.card("1111", "12/29"), on: instance)
            try await stage.announce("evt-2", Stage.unlink(), on: instance)
            for _ in 1...2 {
                #expect(await instance.gateway.pullMerchantTokens() == 2)
                stage.harness.clock.advance(milliseconds: 86_400_000)
            }
            stage.harness.clock.advance(milliseconds: 5 * 86_400_000)
            #expect(await instance.gateway.pullMerchantTokens() == 2)
            for event in ["evt-1", "evt-2"] { #expect(try await stage.state(of: event) == .givenUp) }
            #expect(stage.twin.book.fetched.count == 4)
            #expect(try await desk.stored(id).state == .active)
            #expect(try await stage.problems().first?.finding.contains("Apple answers 500") == true)
            // Announced again, it is not fetched again.
            #expect(try await stage.announce("evt-2", nil, on: instance) == .known)
            #expect(await instance.gateway.pullMerchantTokens() == 0)
            // That another one is fetched does not make up for these.
            try await stage.announce("evt-3", Stage.art(), on: instance)
            await stage.pull(on: instance)
            #expect(try await stage.state(of: "evt-3") == .ignored)
            let problem = try #require(try await stage.problems().first)
            #expect(problem.kind == .tokenNotices && problem.finding.contains(problem.subject ?? "none"))
            #expect(["evt-1", "evt-2"].contains(problem.subject))
        }
    }

    @Test("that Apple keeps no more is refused, and so is what Apple never announced")
    func refused() async throws {
        try await Stage.with(.sqlite) { stage in
            let (instance, desk) = (try stage.instance("one"), stage.desk)
            let id = try await instance.driving { try await stage.begun(on: instance) }
            try await stage.announce("evt-1", nil, on: instance)
            await stage.pull(on: instance)
            #expect(try await stage.state(of: "evt-1") == .refused)
            #expect(try await desk.stored(id).state == .active)
            #expect(try await stage.problems() == [])
            let value = instance.gateway.metrics.registry.text
            #expect(value.contains("tributary_merchant_token_notices_total{outcome=\"refused\"} 1"))
        }
    }

    @Test(
        "of another marketplace's token, or of nobody's, moves nothing, and is left after an hour",
        arguments: DatabaseEngine.allCases
    )
    func foreign(engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            let (instance, desk) = (try stage.instance("one"), stage.desk)
            let id = try await instance.driving { try await stage.begun(on: instance) }
            let before = try await desk.stored(id)
            let other = TestMarketplace(id: "other", baseURL: "http://127.0.0.1:1")
            try await other.write(to: stage.harness.database)
            try await stage.declare(.merchant, of: "other")
            let stranger = try #require(other.merchants.first { $0.externalIdentifier == "agency" })
            let now = stage.harness.clock.now()
            try await stage.harness.database.write { session in
                var merchant = stranger
                merchant.merchantIdentifier = "merchant.other"
                try MerchantTable.save(merchant, at: now, in: session)
            }
            #expect(try await stage.announce("evt-1", Stage.unlink(), on: instance, to: stranger.id) == .stored)
            #expect(try await stage.announce("evt-2", Stage.unlink("unknown-token"), on: instance) == .stored)
            await stage.pull(on: instance)
            #expect(try await stage.state(of: "evt-2") == .announced)
            stage.harness.clock.advance(milliseconds: 3_600_000)
            await stage.pull(on: instance)
            #expect(try await stage.state(of: "evt-2") == .unrelated)
            #expect(stage.twin.book.merchants == ["merchant.other", Stage.identifier])
            #expect(try await desk.stored(id) == before)
            #expect(before.state == .active)
            #expect(try await stage.problems() == [])
        }
    }

    @Test("told before the order that brings the token, it is applied once that is placed")
    func early() async throws {
        try await Stage.with(.sqlite) { stage in
            let instance = try stage.instance("one")
            try await stage.announce("evt-1", Stage.unlink(), on: instance)
            await stage.pull(on: instance)
            let id = try await instance.driving { try await stage.begun(on: instance) }
            #expect(try await stage.desk.stored(id).state == .active)
            stage.harness.clock.advance(milliseconds: 120_000)
            await stage.pull(on: instance)
            #expect(try await stage.desk.stored(id).suspension == .methodUnlinked)
        }
    }

    @Test("is not written down for a merchant that is not there, nor without a certificate, nor without end")
    func bounds() async throws {
        try await Stage.with(.sqlite) { stage in
            let instance = try stage.instance("one")
            var ids = IdentifierSource()
            let nobody: MerchantID = ids.make(at: stage.harness.clock.now())
            #expect(try await stage.announce("evt-1", nil, on: instance, to: nobody) == .ignored)
            for number in 1...MerchantTokenInbox.waitingLimit {
                let receipt = try await instance.gateway.merchantTokens.take("evt-\(number)", to: stage.airline)
                #expect(receipt == .stored)
            }
            await #expect(throws: Overload.self) { try await stage.announce("evt-too-many", nil, on: instance) }
            let now = stage.harness.clock.now()
            try await stage.harness.database.write { session in
                try MarketplaceTable.save(.init(id: "travel", name: "travel"), at: now, in: session)
            }
            #expect(try await stage.announce("evt-2000", nil, on: instance) == .ignored)
        }
    }

    @Test("is fetched by one of two instances that look at once", arguments: DatabaseEngine.allCases)
    func leases(engine: DatabaseEngine) async throws {
        try await Stage.with(engine) { stage in
            let instances = [try stage.instance("one"), try stage.instance("two")]
            let id = try await instances[0].driving { try await stage.begun(on: instances[0]) }
            for number in 1...5 {
                try await stage.announce("evt-\(number)", Stage.card("111\(number)", "12/29"), on: instances[0])
            }
            await withTaskGroup { group in
                for instance in instances { group.addTask { _ = await instance.gateway.pullMerchantTokens() } }
            }
            #expect(stage.twin.book.fetched.count == 5)
            #expect(Set(stage.twin.book.fetched).count == 5)
            #expect(try await stage.desk.stored(id).method?.last4 == "1115")
        }
    }

    @Test(
        "whenever an instance dies over it, another one applies it once",
        arguments: DatabaseEngine.allCases,
        [
            InstanceLife.Death.beforeWrite(1), .afterWrite(1), .beforeCall(1), .afterCall(1), .beforeWrite(2),
            .afterWrite(2),
        ]
    )
    func death(engine: DatabaseEngine, death: InstanceLife.Death) async throws {
        try await Stage.with(engine) { stage in
            let (first, desk) = (try stage.instance("first"), stage.desk)
            let id = try await first.driving { try await stage.begun(on: first) }
            try await stage.announce("evt-1", Stage.unlink(), on: first)
            let mortal = try stage.instance("mortal", endingAt: death)
            let pulling = Task { await mortal.gateway.pullMerchantTokens() }
            try await stage.wait { mortal.life.isDead }
            await mortal.database.drain()
            let heir = try stage.instance("heir")
            if death != .beforeWrite(1), death != .afterWrite(2) {
                // It is in the dead one's hand.
                #expect(await heir.gateway.pullMerchantTokens() == 0)
                #expect(try await desk.stored(id).state == .active)
            }
            stage.harness.clock.advance(milliseconds: 60_000)
            await stage.pull(on: heir)
            #expect(try await stage.state(of: "evt-1") == .applied)
            #expect(try await desk.stored(id).suspension == .methodUnlinked)
            #expect(try await desk.told() == ["agreement.active", "agreement.suspended"])
            pulling.cancel()
        }
    }
}

extension MerchantTokenStage {
    /// Waits until something is so, not longer than a test's patience.
    func wait(until condition: () async throws -> Bool) async throws {
        let end = ContinuousClock.now + .patience
        while try await !condition() {
            guard ContinuousClock.now < end else { throw HarnessFailure.neverAsked("what was waited for") }
            try await Task.sleep(for: .milliseconds(20))
        }
    }
}
