import Domain
import Gateway
import Testing
import TributaryTestKit

@Suite("Deadlines", .timeLimit(.minutes(10)))
struct DeadlineTests {
    private static let deadline: Int64 = 20_000

    /// Places a trip whose hotel the PSP approves without saying so, and waits until the others are authorized.
    private static func waitForHotel(
        _ engine: DatabaseEngine,
        _ checkout: TestCheckout,
        _ body: (GatewayHarness, OrderID, Task<Gateway.Answer, any Error>) async throws -> Void
    ) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .authorize, .held)
            let instance = harness.instance("one")
            try await instance.driving {
                let answer = Task { try await instance.place(checkout, key: "k") }
                let id = try await harness.order(placedUnder: "k")
                _ = try await harness.order(id) { $0.payments.count { $0.state == .authorized } == 2 }
                try await harness.psp.arrival(of: .authorize, "tok_hotel")
                try await body(harness, id, answer)
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    private static func trip(
        _ policy: Policy = .allOrNothing,
        _ onDeadline: OrderTerms.OnDeadline
    ) -> TestCheckout {
        var checkout = TestCheckout.trip
        checkout.policy = policy
        checkout.onDeadline = onDeadline
        return checkout
    }

    @Test("abandon: the order is refused, and what surfaces later is voided", arguments: DatabaseEngine.allCases)
    func abandon(engine: DatabaseEngine) async throws {
        try await Self.waitForHotel(engine, Self.trip(.allOrNothing, .abandon)) { harness, id, answer in
            harness.clock.advance(milliseconds: Self.deadline)
            #expect(try await answer.value.body == .final(Array("\(id) compensating".utf8)))
            let refused = try await harness.order(id)
            #expect(refused.decision.state == .refused)
            #expect(refused.decision.reason == .deadline)
            _ = try await harness.order(id) { $0.payments.count { $0.state == .voided } == 2 }
            #expect(await harness.psp.count(.void, "tok_hotel") == 0)
            await harness.psp.release("tok_hotel", .authorize)
            let order = try await harness.orderAtRest(id)
            #expect(order.status == .failed)
            #expect(order.payments.map(\.state) == [.voided, .voided, .voided])
            #expect(await harness.psp.count(.capture) == 0)
        }
    }

    @Test("abandon: what is there in time is enough for best effort", arguments: DatabaseEngine.allCases)
    func bestEffort(engine: DatabaseEngine) async throws {
        try await Self.waitForHotel(engine, Self.trip(.bestEffort, .abandon)) { harness, id, answer in
            harness.clock.advance(milliseconds: Self.deadline)
            #expect(try await answer.value.body == .final(Array("\(id) partially_paid".utf8)))
            await harness.psp.release("tok_hotel", .authorize)
            let order = try await harness.orderAtRest(id)
            #expect(order.decision.reason == .policySatisfiedInTime)
            #expect(order.decision.countsOn == [order.payments[0].id, order.payments[2].id])
            #expect(order.payments.map(\.state) == [.captured, .voided, .captured])
            #expect(order.status == .partiallyPaid)
        }
    }

    @Test(
        "continue: the checkout is told \"not yet\", and a repeat what came of it",
        arguments: DatabaseEngine.allCases
    )
    func `continue`(engine: DatabaseEngine) async throws {
        try await Self.waitForHotel(engine, Self.trip(.allOrNothing, .continue)) { harness, id, answer in
            harness.clock.advance(milliseconds: Self.deadline)
            guard case .undecided(let order) = try await answer.value.body else {
                Issue.record("answered although undecided")
                return
            }
            #expect(order.status == .processing)
            await harness.psp.release("tok_hotel", .authorize)
            let paid = try await harness.orderAtRest(id)
            #expect(paid.status == .paid)
            let again = try await harness.instance("two").place(Self.trip(.allOrNothing, .continue), key: "k")
            #expect(again.body == .final(Array("\(id) paid".utf8)))
        }
    }

    @Test("continue: the order is refused once it has to be decided", arguments: DatabaseEngine.allCases)
    func decideBy(engine: DatabaseEngine) async throws {
        try await Self.waitForHotel(engine, Self.trip(.allOrNothing, .continue)) { harness, id, answer in
            harness.clock.advance(milliseconds: Self.deadline)
            _ = try await answer.value
            harness.clock.advance(milliseconds: harness.settings.decideByMilliseconds - Self.deadline)
            let refused = try await harness.order(id) { $0.decision.state == .refused }
            #expect(refused.decision.reason == .decideBy)
            await harness.psp.release("tok_hotel", .authorize)
            #expect(try await harness.orderAtRest(id).payments.map(\.state) == [.voided, .voided, .voided])
        }
    }

    @Test("a checkout may set a deadline of its own", arguments: DatabaseEngine.allCases)
    func ownDeadline(engine: DatabaseEngine) async throws {
        var checkout = Self.trip(.allOrNothing, .abandon)
        checkout.deadlineMilliseconds = 15_000
        try await Self.waitForHotel(engine, checkout) { harness, id, answer in
            harness.clock.advance(milliseconds: 15_000)
            _ = try await answer.value
            #expect(try await harness.order(id).decision.reason == .deadline)
            await harness.psp.release("tok_hotel", .authorize)
            _ = try await harness.orderAtRest(id)
        }
    }

    @Test("an order that nobody waits for any more goes on all the same", arguments: DatabaseEngine.allCases)
    func canceledCheckout(engine: DatabaseEngine) async throws {
        try await Self.waitForHotel(engine, Self.trip(.allOrNothing, .abandon)) { harness, id, answer in
            answer.cancel()
            await #expect(throws: CancellationError.self) { try await answer.value }
            await harness.psp.release("tok_hotel", .authorize)
            let order = try await harness.orderAtRest(id)
            #expect(order.status == .paid)
        }
    }

    @Test("captures that do not answer hold the buyer two seconds at most", arguments: DatabaseEngine.allCases)
    func captureGrace(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .capture, .held)
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(.trip, key: "k")
                let id = try await harness.order(placedUnder: "k")
                try await harness.psp.arrival(of: .capture, "tok_hotel")
                _ = try await harness.order(id) { $0.payments.count { $0.captured > 0 } == 2 }
                #expect(try await harness.order(id).decision.state == .cleared)
                harness.clock.advance(milliseconds: 2000)
                #expect(try await answer.body == .final(Array("\(id) partially_captured".utf8)))
                await harness.psp.release("tok_hotel", .capture)
                #expect(try await harness.orderAtRest(id).status == .paid)
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    @Test("voids that do not answer hold the buyer two seconds at most", arguments: DatabaseEngine.allCases)
    func voidGrace(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_hotel", .authorize, ScriptedBehaviour(.decline("generic"), .held))
            await harness.psp.script("tok_airline", .void, .held)
            let instance = harness.instance("one")
            try await instance.driving {
                async let answer = instance.place(.trip, key: "k")
                let id = try await harness.order(placedUnder: "k")
                _ = try await harness.order(id) { $0.payments.count { $0.state == .authorized } == 2 }
                try await harness.psp.arrival(of: .authorize, "tok_hotel")
                await harness.psp.release("tok_hotel", .authorize)
                _ = try await harness.order(id) { $0.payments[2].state == .voided }
                #expect(try await !harness.order(id).isAnswered)
                harness.clock.advance(milliseconds: 2000)
                #expect(try await answer.body == .final(Array("\(id) compensating".utf8)))
                try await harness.psp.arrival(of: .void, "tok_airline")
                await harness.psp.release("tok_airline", .void)
                #expect(try await harness.orderAtRest(id).status == .failed)
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }
}
