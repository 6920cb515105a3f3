import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Compensation", .timeLimit(.minutes(10)))
struct CompensationTests {
    /// A trip whose hotel is declined, with a PSP that does `prepare` once the others are authorized.
    private static func refuse(
        _ engine: DatabaseEngine,
        _ prepare: (ScriptedSender) async -> Void,
        _ body: (GatewayHarness, Order) async throws -> Void
    ) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .authorize, ScriptedBehaviour(.decline("generic"), .held))
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(.trip, key: "k")
                let id = try await harness.order(placedUnder: "k")
                _ = try await harness.order(id) { $0.payments.count { $0.state == .authorized } == 2 }
                try await harness.psp.arrival(of: .authorize, "tok_hotel")
                await prepare(harness.psp)
                await harness.psp.release("tok_hotel", .authorize)
                _ = try await answer
                let order = try await harness.orderAtRest(id)
                #expect(order.status == .failed)
                try await body(harness, order)
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    @Test("a void that finds the payment captured becomes a refund", arguments: DatabaseEngine.allCases)
    func alreadyCaptured(engine: DatabaseEngine) async throws {
        try await Self.refuse(engine) {
            await $0.captureSilently("tok_airline")
        } _: { harness, order in
            let operations = order.payments[0].attempt.operations
            #expect(operations.map(\.kind) == [.authorize, .void, .capture, .refund])
            #expect(operations.map(\.origin) == [.gateway, .gateway, .psp, .gateway])
            #expect(order.payments[0].refunded == 30_000)
            #expect(order.payments[0].allocation.map(\.refunded) == [26_394, 3_030, 576])
            #expect(await harness.psp.count(.refund) == 1)
        }
    }

    @Test("a void that finds nothing held any more is done", arguments: DatabaseEngine.allCases)
    func alreadyExpired(engine: DatabaseEngine) async throws {
        try await Self.refuse(engine) {
            await $0.expire("tok_airline")
        } _: { _, order in
            #expect(order.payments[0].attempt.operations.map(\.kind) == [.authorize, .void])
            #expect(order.payments[0].state == .voided)
        }
    }

    @Test("a void that is refused is tried again, and a person is told meanwhile", arguments: DatabaseEngine.allCases)
    func refusedVoid(engine: DatabaseEngine) async throws {
        try await Self.refuse(engine) {
            await $0.script("tok_airline", .void, .refuse, .refuse)
        } _: { harness, order in
            #expect(order.payments[0].attempt.all(.void).map(\.state.name) == ["succeeded"])
            #expect(order.payments[0].attempt.all(.void).map(\.retries) == [2])
            #expect(await harness.psp.count(.void, "tok_airline") == 3)
            #expect(order.attention == [])
        }
    }

    @Test("a void that the PSP takes its time for holds nobody", arguments: DatabaseEngine.allCases)
    func pendingVoid(engine: DatabaseEngine) async throws {
        let pending = ScriptedBehaviour(.pending(inquiries: 1))
        try await Self.refuse(engine) {
            await $0.script("tok_airline", .void, pending)
        } _: { harness, order in
            #expect(order.payments[0].state == .voided)
            #expect(await harness.psp.count(.inquire, "tok_airline") == 1)
        }
    }

    @Test("a capture that fails while the order is only cleared refuses it", arguments: DatabaseEngine.allCases)
    func failedCapture(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_airline", .capture, .held)
            await harness.psp.script("tok_hotel", .capture, .decline)
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(.trip, key: "k")
                let id = try await harness.order(placedUnder: "k")
                _ = try await harness.order(id) { $0.decision.state == .refused }
                await harness.psp.release("tok_airline", .capture)
                _ = try await answer
                let order = try await harness.orderAtRest(id)
                #expect(order.status == .failed)
                #expect(order.decision.reason == .captureFailed)
                #expect(order.payments.map(\.refunded) == [30_000, 0, 1_999])
                #expect(order.payments[1].state == .captureFailed)
                #expect(order.payments[1].held == 0)
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    @Test("a capture the policy can do without only narrows the order", arguments: DatabaseEngine.allCases)
    func dispensableCapture(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var checkout = TestCheckout.trip
            checkout.policy = .required(["airline"])
            await harness.psp.script("tok_hotel", .capture, .decline)
            let (answer, order) = try await harness.run(checkout)
            #expect(answer.body == .final(Array("\(order.id) partially_paid".utf8)))
            #expect(order.payments.map(\.state) == [.captured, .captureFailed, .captured])
            #expect(order.payments[1].held == 0)
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }

    private static func trip(_ onCaptureFailure: OrderTerms.OnCaptureFailure) -> TestCheckout {
        var checkout = TestCheckout.trip
        checkout.onCaptureFailure = onCaptureFailure
        return checkout
    }

    /// A trip that is accepted while the hotel's capture is on its way, which then fails.
    private static func failLate(
        _ engine: DatabaseEngine,
        _ onCaptureFailure: OrderTerms.OnCaptureFailure,
        _ body: (GatewayHarness, OrderID) async throws -> Void
    ) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .capture, ScriptedBehaviour(.decline("generic"), .held))
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(Self.trip(onCaptureFailure), key: "k")
                let id = try await harness.order(placedUnder: "k")
                try await harness.psp.arrival(of: .capture, "tok_hotel")
                _ = try await harness.order(id) { $0.payments.count { $0.captured > 0 } == 2 }
                harness.clock.advance(milliseconds: 2000)
                #expect(try await answer.body == .final(Array("\(id) partially_captured".utf8)))
                await harness.psp.release("tok_hotel", .capture)
                try await body(harness, id)
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    @Test("a capture that fails after acceptance asks for attention", arguments: DatabaseEngine.allCases)
    func attention(engine: DatabaseEngine) async throws {
        try await Self.failLate(engine, .attention) { harness, id in
            let order = try await harness.order(id) { !$0.attention.isEmpty }
            #expect(order.decision.state == .accepted)
            #expect(order.status == .partiallyPaid)
            #expect(order.payments.map(\.state) == [.captured, .captureFailed, .captured])
            #expect(order.attention.map(\.reason) == [.captureFailed])
            #expect(order.attention.map(\.amountAtRisk) == [15_000])
        }
    }

    @Test(
        "a capture that fails after acceptance gives its siblings back, if asked to",
        arguments: DatabaseEngine.allCases
    )
    func compensate(engine: DatabaseEngine) async throws {
        try await Self.failLate(engine, .compensate) { harness, id in
            let order = try await harness.order(id) { $0.status == .refunded && $0.isAtRest }
            #expect(order.decision.state == .accepted)
            #expect(order.payments.map(\.refunded) == [30_000, 0, 1_999])
            #expect(order.payments[1].held == 0)
        }
    }
}
