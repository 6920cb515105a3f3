import AdapterKit
import Domain
import Gateway
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
        let dollars = try TestCheckout.dollars(1).currency
        let draft = AgreementDraft(
            externalIdentifier: "\(twin)",
            terms: AgreementTerms(type: .recurring, currency: dollars, bound: .maximum(20_000), description: "Lounge")
        )
        let id = try #require(try await agreements.create(draft, of: "travel")).id
        var orders = [try await first(of: id, at: twin, on: stage)]
        let begun = try #require(try await agreements.find(id, of: "travel")).agreement
        #expect(orders[0].status == .paid, "\(twin): \(HarnessFailure.text(orders[0]))")
        #expect(begun.state == .active && begun.method != nil, "\(twin): \(begun.state)")
        for number in 1...5 {
            let order = try await charge(id, 10_000, .recurring, key: "\(twin) \(number)", on: stage)
            #expect(order.status == .paid, "\(twin), charge \(number): \(HarnessFailure.text(order))")
            orders.append(order)
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
        let end = ContinuousClock.now + .seconds(60)
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

    /// Has the buyer pay under an agreement.
    private static func first(of id: AgreementID, at twin: PSPTwin, on stage: TwinStage) async throws -> Order {
        // A profile is left by a token of Accept's only.
        let isToken = "\(twin)" == "authorize-net"
        let credential = isToken ? .pspToken(Secret("tok_approve")) : twin.credential(0)
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
    private static func charge(
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
