import AdapterKit
import Domain
import Gateway
import InMemoryLogging
import Logging
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("Agreements: a network token's number, where the PSP makes no token", .timeLimit(.minutes(10)))
struct NetworkTokenTests {
    private static let number = "4895370012003478"

    @Test(
        "is kept sealed for charges, without its cryptogram, and erased with the end: no byte of it is anywhere",
        arguments: DatabaseEngine.allCases
    )
    func life(engine: DatabaseEngine) async throws {
        try await DatabaseFiles.with(engine) { files in
            let harness = try GatewayHarness(files.database, adapter: TokenlessAdapter.self)
            let log = InMemoryLogHandler()
            let desk = AgreementDesk(harness: harness)
            let instance = harness.instance("one", logger: Logger(label: "gateway") { _ in log })
            let secrets = [Self.number, AgreementDesk.cryptogram].map { Array($0.utf8) }
            // The marketplace's name for the buyer is there, so the search can find what is there.
            let searched = secrets + [Array("buyer-1".utf8)]
            let id = try await instance.driving {
                let id = try await desk.make()
                let draft = try AgreementDesk.first(of: id, paidWithNumber: Self.number)
                let answer = try await instance.gateway.place(draft, under: TestCheckout.use("first"))
                #expect(try await harness.orderAtRest(answer.order).status == .paid)
                let active = try await desk.stored(id)
                #expect(active.state == .active)
                #expect(active.method?.kind == .networkToken && active.method?.last4 == "3478")
                #expect(active.method?.expiryMonth == 12 && active.method?.expiryYear == 2031)
                for charge in 1...2 {
                    #expect(try await desk.charge(id, key: "charge \(charge)", on: instance).status == .paid)
                }
                return id
            }
            #expect(try await desk.secrets(of: id) == 1)
            try await Self.check(harness)
            #expect(try await files.found(searched) == [Array("buyer-1".utf8)])
            let ended = try await instance.gateway.agreements.end(id, of: "travel", by: .instance("test"))
            #expect(ended?.agreement.state == .ended && ended?.agreement.method == nil)
            #expect(try await desk.secrets(of: id) == 0)
            #expect(await instance.gateway.removeMethods() == 0)
            #expect(try await files.found(searched) == [Array("buyer-1".utf8)])
            let logged = log.entries.map { "\($0.message) \($0.metadata) \($0.error.map { "\($0)" } ?? "")" }
            let told = try await Self.callbacks(harness)
            #expect(told.contains { $0.contains("agreement.ended") })
            for text in logged + told {
                #expect(!text.contains(Self.number) && !text.contains(AgreementDesk.cryptogram), "\(text)")
            }
            await harness.end()
        }
    }

    /// The first payment has the cryptogram; the charges have the number alone, and say that the merchant starts them.
    private static func check(_ harness: GatewayHarness) async throws {
        let bodies = try await harness.psp.calls.filter { $0.kind == .authorize }.map { try JSON.parse($0.body) }
        #expect(bodies.count == 3)
        #expect(bodies[0].at("network_token/cryptogram")?.stringValue == AgreementDesk.cryptogram)
        #expect(bodies[0]["initiator"] == nil)
        for body in bodies.dropFirst() {
            #expect(body["initiator"] == "merchant")
            #expect(body.at("network_token/number")?.stringValue == number)
            #expect(body.at("network_token/cryptogram") == nil)
        }
    }

    private static func callbacks(_ harness: GatewayHarness) async throws -> [String] {
        try await harness.database.read { session in
            let all = try CallbackTable.list(CallbackTable.Filter(marketplace: "travel"), limit: 200, in: session)
            return all.map { "\($0.content.type) \($0.content.payload)" }
        }
    }

    @Test("of a first payment that fails is erased with it", arguments: DatabaseEngine.allCases)
    func failure(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: TokenlessAdapter.self) { harness in
            let (desk, instance) = (AgreementDesk(harness: harness), harness.instance("one"))
            try await instance.driving {
                await harness.psp.script(Self.number, .authorize, .decline)
                let id = try await desk.make()
                let draft = try AgreementDesk.first(of: id, paidWithNumber: Self.number)
                let answer = try await instance.gateway.place(draft, under: TestCheckout.use("first"))
                #expect(try await harness.orderAtRest(answer.order).status == .failed)
                let pending = try await desk.stored(id)
                #expect(pending.state == .pending && pending.firstOrder == nil && pending.candidate == nil)
                #expect(try await desk.secrets(of: id) == 0)
            }
        }
    }

    @Test(
        "whenever an instance dies during the first payment, it is kept once, charged, and erased",
        arguments: DatabaseEngine.allCases
    )
    func crash(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: TokenlessAdapter.self) { harness in
            let desk = AgreementDesk(harness: harness)
            let deaths = try await AgreementCrashTests.die { death in
                let id = try await desk.make()
                // Each payment has a number of its own, so that none is taken for another one.
                let digits = String(String(abs("\(death)".hashValue)).prefix(10))
                let number = "489537" + String(repeating: "0", count: 10 - digits.count) + digits
                let draft = try AgreementDesk.first(of: id, paidWithNumber: number)
                return try await AgreementCrashTests.crash(at: death, harness) { instance in
                    try await instance.gateway.place(draft, under: TestCheckout.use("\(death)")).order
                } checking: { order in
                    #expect(order.status == .paid, "\(death)")
                    let agreement = try await desk.stored(id)
                    #expect(agreement.state == .active, "\(death)")
                    #expect(agreement.method?.kind == .networkToken, "\(death)")
                    #expect(agreement.unerased.count == 1, "\(death)")
                    #expect(try await desk.secrets(of: id) == 1, "\(death)")
                    let agreements = Agreements(
                        database: harness.database,
                        clock: harness.clock,
                        presentation: .plain
                    )
                    _ = try await agreements.end(id, of: "travel", by: .instance("test"))
                    #expect(try await desk.stored(id).state == .ended, "\(death)")
                    #expect(try await desk.secrets(of: id) == 0, "\(death)")
                }
            }
            #expect(deaths >= 4, "one for each way to die at least; a busy machine may let an instance live on")
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("whenever an instance dies during a charge, it is charged once", arguments: DatabaseEngine.allCases)
    func chargeCrash(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: TokenlessAdapter.self) { harness in
            let desk = AgreementDesk(harness: harness)
            let first = harness.instance("first")
            let id = try await desk.make()
            try await first.driving {
                let draft = try AgreementDesk.first(of: id, paidWithNumber: Self.number)
                let answer = try await first.gateway.place(draft, under: TestCheckout.use("first"))
                #expect(try await harness.orderAtRest(answer.order).status == .paid)
            }
            first.life.die()
            let deaths = try await AgreementCrashTests.die { death in
                try await AgreementCrashTests.crash(at: death, harness) { instance in
                    let draft = ChargeDraft(amount: try TestCheckout.dollars(2000), reason: .recurring)
                    let answer = try await instance.gateway.charge(
                        draft,
                        under: id,
                        under: TestCheckout.use("\(death)")
                    )
                    guard let answer else { throw HarnessFailure.neverAsked("\(id)") }
                    return answer.order
                } checking: { order in
                    #expect(order.status == .paid, "\(death)")
                }
            }
            #expect(deaths >= 4, "one for each way to die at least; a busy machine may let an instance live on")
            let made = await harness.psp.authorizations.count
            let orders = try await harness.database.read { session in
                try session.rows("SELECT COUNT(*) AS count FROM orders")[0].integer("count")
            }
            #expect(Int64(made) == orders, "every order is one payment at the PSP")
            #expect(try await harness.complaints() == [])
        }
    }
}
