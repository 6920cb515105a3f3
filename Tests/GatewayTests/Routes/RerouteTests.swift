import AdapterKit
import Domain
import Gateway
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Another route", .timeLimit(.minutes(10)))
struct RerouteTests {
    private static let number = "4111111111111111"

    /// A checkout of the airline's that a network token pays; the airline can be served by `sim-a` and `sim-b`.
    private static func draft(_ credential: Credential) throws -> OrderDraft {
        OrderDraft(
            amount: try TestCheckout.dollars(10_000),
            policy: .allOrNothing,
            contexts: [
                OrderDraft.Context(
                    externalIdentifier: "airline",
                    amount: try TestCheckout.dollars(10_000),
                    payment: .init(credential: credential)
                )
            ]
        )
    }

    private static let networkToken = Credential.networkToken(
        NetworkToken(
            number: Secret(number),
            expiryMonth: 12,
            expiryYear: 2031,
            cryptogram: Secret("AgAAAAAABk4DWZ4C28yUQAAAAAA="),
            eci: nil,
            source: .network
        )
    )

    private static func place(
        _ credential: Credential,
        _ behaviours: ScriptedBehaviour...,
        token: String = number,
        in harness: GatewayHarness
    ) async throws -> Order {
        try await harness.database.write { session in
            var airline = try #require(try MerchantTable.find(["airline"], of: "travel", in: session).first)
            airline.routes = [Merchant.Route(pspAccount: "sim-a"), Merchant.Route(pspAccount: "sim-b")]
            try MerchantTable.save(airline, at: harness.clock.now(), in: session)
        }
        for behaviour in behaviours { await harness.psp.script(token, .authorize, behaviour) }
        let instance = harness.instance("one")
        return try await instance.driving {
            let answer = try await instance.gateway.place(try draft(credential), under: TestCheckout.use("k"))
            return try await harness.orderAtRest(answer.order)
        }
    }

    @Test("is taken if nothing left for the first one", arguments: DatabaseEngine.allCases)
    func notSent(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let order = try await Self.place(Self.networkToken, .neverLeft, in: harness)
            #expect(order.status == .paid)
            #expect(order.payments[0].attempts.map(\.route.pspAccount) == ["sim-a", "sim-b"])
            #expect(order.payments[0].attempts[0].authorization.state.name == "not_sent")
            let events = try await harness.database.read { session in
                try OrderSteps.events(of: order.id, after: 0, limit: 100, in: session)
            }
            #expect(events.count { $0.type == "payment.rerouted" } == 1)
            #expect(try await harness.complaints() == [])
        }
    }

    @Test(
        "is not taken if an issuer may have seen the cryptogram",
        arguments: [ScriptedBehaviour.requestLost, .replyLost, .refuse, .decline]
    )
    func doubtful(behaviour: ScriptedBehaviour) async throws {
        try await GatewayHarness.with(.sqlite) { harness in
            let order = try await Self.place(Self.networkToken, behaviour, in: harness)
            #expect(order.payments[0].attempts.count == 1)
            #expect(try await harness.complaints() == [])
        }
    }

    @Test("is not taken with a token that belongs to one PSP")
    func bound() async throws {
        try await GatewayHarness.with(.sqlite) { harness in
            let order = try await Self.place(.pspToken(Secret("tok_x")), .neverLeft, token: "tok_x", in: harness)
            #expect(order.payments[0].attempts.count == 1)
            #expect(order.status == .failed)
        }
    }
}
