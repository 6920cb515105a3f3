import Domain
import Foundation
import Gateway
import Storage
import Testing
import TributaryTestKit

/// Two requests about one order, at once, at two instances: exactly one is taken.
@Suite("Two requests at once", .timeLimit(.minutes(10)))
struct RequestRaceTests {
    /// How often each race is run; `TRIBUTARY_RACES` asks for more.
    static let count = ProcessInfo.processInfo.environment["TRIBUTARY_RACES"].flatMap { Int($0) } ?? 12

    /// Two requests of which an order can take one.
    struct Race: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let capture: OrderTerms.Capture
        let requests: @Sendable (Payment) -> [OrderRequest]
    }

    static let races = [
        Race(testDescription: "two refunds of 60 on 100", capture: .automatic) { payment in
            let items = [Refund.Item(payment: payment.id, amount: 60)]
            return [.refund(RefundRequest(.items(items))), .refund(RefundRequest(.items(items)))]
        },
        Race(testDescription: "two captures of 60 on 100", capture: .manual) { payment in
            let items = [CaptureRequest.Item(payment: payment.id, amount: 60, isFinal: false)]
            return [.capture(.items(items)), .capture(.items(items))]
        },
        Race(testDescription: "a capture against a cancel", capture: .manual) { _ in [.capture(.whole), .cancel] },
        Race(testDescription: "a capture against a cancel of its payment", capture: .manual) { payment in
            [.capture(.whole), .cancelPayments([payment.id])]
        },
        Race(testDescription: "two cancels of a payment", capture: .manual) { payment in
            [.cancelPayments([payment.id]), .cancelPayments([payment.id])]
        },
    ]

    @Test("leave exactly one taken", arguments: DatabaseEngine.allCases, races)
    func race(engine: DatabaseEngine, race: Race) async throws {
        try await GatewayHarness.with(engine) { harness in
            let instances = [harness.instance("one"), harness.instance("two")]
            for round in 0..<Self.count {
                var checkout = TestCheckout([.init("airline", 100)])
                checkout.policy = .bestEffort
                checkout.capture = race.capture
                let (answer, order) = try await harness.run(checkout, key: "k\(round)", on: "placer\(round)")
                let requests = race.requests(order.payments[0])
                let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for (instance, request) in zip(instances, requests) {
                        group.addTask {
                            let asked = try? await instance.gateway.request(
                                request,
                                of: .init(answer.order, of: "travel")
                            )
                            return asked != nil
                        }
                    }
                    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
                }
                #expect(taken == 1, "round \(round)")
                let after = try await harness.orderAtRest(answer.order)
                #expect(after.refunded <= after.captured && after.captured <= 100)
            }
            let complaints = try await harness.complaints()
            #expect(complaints == [])
        }
    }
}
