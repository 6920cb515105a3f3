import AdapterKit
import Domain
import Gateway
import PSPSimulator
import Simulation
import Storage
import Testing
import TributaryTestKit

/// Agreements at seven PSPs, each in its own wire format: a first payment, charges without the buyer, a decline, and the end.
@Suite("An agreement at each of seven PSPs", .timeLimit(.minutes(10)), .serialized)
struct AgreementsTests {
    @Test(
        "is paid, charged five times, declined, charged again and ended, in all books alike",
        arguments: DatabaseEngine.allCases
    )
    func life(engine: DatabaseEngine) async throws {
        try await TwinStage.with(engine, pspTimeoutMilliseconds: 8000) { stage in
            var orders: [Order] = []
            // One after another: each lets days pass.
            for twin in stage.twins { orders += try await Self.live(twin, on: stage) }
            #expect(orders.count == 8 * stage.twins.count)
            let complaints = try await stage.settled(orders.map(\.id)).complaints
            #expect(complaints == [])
        }
    }

    /// An agreement's life at one PSP; answers its orders.
    private static func live(_ twin: PSPTwin, on stage: TwinStage) async throws -> [Order] {
        let agreements = stage.gateway.agreements
        let id = try await make(at: twin, on: stage)
        var orders = [try await first(of: id, at: twin, on: stage)]
        let begun = try #require(try await agreements.find(id, of: "travel")).agreement
        #expect(orders[0].status == .paid, "\(twin): \(HarnessFailure.text(orders[0]))")
        #expect(begun.state == .active && begun.method != nil, "\(twin): \(begun.state)")
        for number in 1...5 {
            let order = try await charge(id, 10_000, .recurring, key: "\(twin) \(number)", on: stage)
            #expect(order.status == .paid, "\(twin), charge \(number): \(HarnessFailure.text(order))")
            orders.append(order)
        }
        // These twins show another card behind the token than the number that first paid.
        if ["stripe", "checkout"].contains("\(twin)") {
            let method = try await agreements.find(id, of: "travel")?.agreement.method
            #expect(
                method?.last4 == "4242" && method?.id == begun.method?.id && begun.method?.last4 != "4242",
                "\(twin)"
            )
        }
        // The amount asks the twin for a decline.
        let declined = try await charge(id, 10_001, .recurring, key: "\(twin) declined", on: stage)
        #expect(declined.status == .failed, "\(twin): \(HarnessFailure.text(declined))")
        orders.append(declined)
        // Each PSP, and each card network, says in its own way when the next try may be.
        let tries = try #require(try await agreements.find(id, of: "travel")).agreement.tries
        let next = try #require(tries.notBefore, "\(twin): \(tries)")
        stage.clock.advance(milliseconds: next.milliseconds(since: stage.clock.now()) + 1)
        let again = try await charge(id, 10_000, .resubmission, key: "\(twin) again", on: stage)
        #expect(again.status == .paid, "\(twin): \(HarnessFailure.text(again))")
        orders.append(again)
        _ = try await agreements.end(id, of: "travel", by: .instance("test"))
        let end = ContinuousClock.now + .patience
        while let found = try await agreements.find(id, of: "travel"), found.agreement.state != .ended {
            guard ContinuousClock.now < end else {
                throw HarnessFailure.neverCame("\(twin) forgets: \(found.failures)")
            }
            try await Task.sleep(for: .milliseconds(50))
        }
        let ended = try await agreements.find(id, of: "travel")?.agreement
        #expect(ended?.method == nil, "\(twin)")
        return orders
    }

    @Test(
        "is charged although the reply to its first payment was lost: the PSP is asked what it kept",
        arguments: DatabaseEngine.allCases
    )
    func lost(engine: DatabaseEngine) async throws {
        try await TwinStage.with(engine, pspTimeoutMilliseconds: 8000) { stage in
            var orders: [Order] = []
            // Worldpay stores nothing of a payment, and what the scheme calls it is lost with its reply.
            for twin in stage.twins where "\(twin)" != "worldpay" {
                let id = try await Self.make(at: twin, on: stage)
                // The connection is closed once the PSP has acted.
                let first = try await Self.first(of: id, at: twin, on: stage, code: 208)
                #expect(first.status == .paid, "\(twin): \(HarnessFailure.text(first))")
                let end = ContinuousClock.now + .patience
                while let found = try await stage.gateway.agreements.find(id, of: "travel")?.agreement,
                    found.state != .active
                {
                    guard ContinuousClock.now < end else { throw HarnessFailure.neverCame("\(twin): \(found)") }
                    // A twin shows what happened nearly as late as its PSP may, to who asks for a method, too.
                    stage.clock.advance(milliseconds: 600_000)
                    try await Task.sleep(for: .milliseconds(250))
                }
                let charged = try await Self.charge(id, 10_000, .recurring, key: "\(twin) charge", on: stage)
                #expect(charged.status == .paid, "\(twin): \(HarnessFailure.text(charged))")
                orders += [first, charged]
            }
            #expect(try await stage.settled(orders.map(\.id)).complaints == [])
        }
    }

    /// Makes an agreement with the merchant at a PSP.
    static func make(at twin: PSPTwin, on stage: TwinStage) async throws -> AgreementID {
        let dollars = try TestCheckout.dollars(1).currency
        let draft = AgreementDraft(
            externalIdentifier: "\(twin)",
            terms: AgreementTerms(type: .recurring, currency: dollars, bound: .maximum(20_000), description: "Lounge")
        )
        return try #require(try await stage.gateway.agreements.create(draft, of: "travel")).id
    }

    /// Has the buyer pay under an agreement, so that the PSP does what a code says.
    static func first(
        of id: AgreementID,
        at twin: PSPTwin,
        on stage: TwinStage,
        code: Int = 0
    ) async throws -> Order {
        // A profile is left by a token of Accept's only.
        let isToken = "\(twin)" == "authorize-net"
        let token = code == 0 ? "tok_approve" : AmountTable.token(forCode: Int64(code))
        let credential = isToken ? .pspToken(Secret(token)) : twin.credential(code)
        let amount = try TestCheckout.dollars(10_000)
        var context = OrderDraft.Context(
            externalIdentifier: "\(twin)",
            amount: amount,
            payment: .init(credential: credential, pspAccount: "\(twin)")
        )
        context.agreement = id
        let draft = OrderDraft(
            reference: "\(twin) first",
            amount: amount,
            policy: .allOrNothing,
            capture: .automatic,
            deadlineMilliseconds: 1000,
            decideBy: .after(milliseconds: 86_400_000),
            onDeadline: .continue,
            contexts: [context]
        )
        let order = try await stage.gateway.place(draft, under: TestCheckout.use("\(twin) first")).order
        return try #require(try await stage.atRest([order], waitingForCalls: .seconds(30)).first)
    }

    /// Charges under an agreement.
    static func charge(
        _ id: AgreementID,
        _ cents: Int64,
        _ reason: ChargeReason,
        key: String,
        on stage: TwinStage
    ) async throws -> Order {
        let draft = ChargeDraft(amount: try TestCheckout.dollars(cents), reason: reason)
        let answer = try await stage.gateway.charge(draft, under: id, under: TestCheckout.use(key))
        let order = try #require(answer).order
        return try #require(try await stage.atRest([order], waitingForCalls: .seconds(30)).first)
    }
}
