import AdapterKit
import Domain
import Gateway
import PSPSimulator
import Simulation
import Testing
import TributaryTestKit
import Wiring

/// What was held or taken at seven PSPs is released or given back, whatever one of them does meanwhile.
@Suite("Undoing an order at seven PSPs", .timeLimit(.minutes(20)), .serialized)
struct UndoingTests {
    /// How a void goes wrong, by the code in the table of amounts and numbers.
    static let voids = [
        ("timeout before", 412), ("timeout after", 413), ("500 before", 415), ("500 after", 416),
        ("closed before", 417), ("closed after", 418), ("malformed", 419), ("answered twice", 420),
        ("taken on and forgotten", 441),
    ]

    /// How a refund goes wrong.
    static let refunds = [
        ("done later", 502), ("timeout before", 512), ("timeout after", 513), ("500 before", 515), ("500 after", 516),
        ("closed before", 517), ("closed after", 518), ("malformed", 519), ("answered twice", 520),
        ("taken on and forgotten", 541),
    ]

    /// The PSPs that a fault can strike: only one that answers before it is done can forget what it answered.
    ///
    /// Checkout.com names what it takes on, and Adyen has no inquiry: there a person has to ask.
    private static func able(_ code: Int, _ action: Notice.Action) -> [Int] {
        let all = Array(PSPTwin.all.indices)
        guard code % 100 == 41 else { return all }
        return all.filter { place in
            let twin = PSPTwin.all[place]
            return twin.answersLater.contains(action) && ![.checkout, .adyen].contains(twin.dialect)
        }
    }

    @Test("releases every hold, though one void goes wrong", arguments: DatabaseEngine.allCases)
    func voids(engine: DatabaseEngine) async throws {
        try await TwinStage.with(engine) { stage in
            let cases = Self.voids.enumerated().flatMap { number, fault in
                TwinStage.places(ofFault: number, among: Self.able(fault.1, .void)).map { (fault: fault, place: $0) }
            }
            // Another PSP's issuer says no, so that all others have to let go.
            let codes = cases.map { [$0.place: $0.fault.1, ($0.place + 1) % stage.twins.count: 10] }
            let policies = cases.map { _ in Policy.allOrNothing }
            let (orders, complaints) = try await stage.settle(codes, policies: policies)
            for (one, order) in zip(cases, orders) {
                let isUndone = order.payments.allSatisfy { $0.held == 0 && $0.net == 0 }
                guard order.decision.state == .refused, isUndone else {
                    let text = "\(one.fault.0) at \(stage.twins[one.place]): \(HarnessFailure.text(order))"
                    Issue.record("\(text)\n\(try await stage.history(of: order))")
                    continue
                }
            }
            #expect(complaints == [])
        }
    }

    @Test(
        "releases by our reference what a PSP held that cannot be asked and never told of it",
        arguments: DatabaseEngine.allCases
    )
    func silent(engine: DatabaseEngine) async throws {
        try await TwinStage.with(engine) { stage in
            let mute = try #require(
                stage.twins.firstIndex {
                    AdapterCatalog.psps["\($0)"]?.capabilities.undoByReference == true
                }
            )
            // It holds without a word, and another PSP's issuer says no before it is asked again.
            let codes = [mute: 131, (mute + 1) % stage.twins.count: 10]
            let (orders, complaints) = try await stage.settle([codes], policies: [.allOrNothing])
            let order = try #require(orders.first)
            #expect(order.status == .failed, "\(HarnessFailure.text(order))")
            let history = try await stage.history(of: order)
            #expect(order.payments[mute].state == .voided, "\(history)")
            #expect(order.payments[mute].attempt.all(.void).count == 1)
            #expect(complaints == [])
        }
    }

    @Test("gives everything back, though one refund goes wrong", arguments: DatabaseEngine.allCases)
    func refunds(engine: DatabaseEngine) async throws {
        try await TwinStage.with(engine) { stage in
            let cases = Self.refunds.enumerated().flatMap { number, fault in
                TwinStage.places(ofFault: number, among: Self.able(fault.1, .refund)).map { (fault: fault, place: $0) }
            }
            let codes = cases.map { [$0.place: $0.fault.1] }
            let policies = cases.map { _ in Policy.allOrNothing }
            let (orders, complaints) = try await stage.settle(codes, policies: policies) { orders in
                for order in orders {
                    #expect(order.status == .paid, "\(HarnessFailure.text(order))")
                    _ = try await stage.gateway.request(
                        .refund(RefundRequest(.all)),
                        of: .init(order.id, of: order.marketplace)
                    )
                }
            }
            for (one, order) in zip(cases, orders) where order.status != .refunded {
                // What a PSP takes on and then has no trace of has failed: whoever asked may ask again.
                let isTold = order.attention.contains { $0.reason == .refundFailed }
                if one.fault.1 == 541, isTold, order.payments[one.place].refunded == 0 { continue }
                let text = "\(one.fault.0) at \(stage.twins[one.place]): \(HarnessFailure.text(order))"
                Issue.record("\(text)\n\(try await stage.history(of: order))")
            }
            #expect(complaints == [])
        }
    }
}
