import Domain
import Testing

@Suite("Order status")
struct OrderStatusTests {
    /// Every state a payment can be in, with each shape of amounts that it can have.
    static let payments: [OrderStatus.Input] = [
        waiting(.created), waiting(.authorizing), waiting(.requiresAction), waiting(.pending), waiting(.unresolved),
        resting(.authorized, held: 5), waiting(.capturing, held: 5), waiting(.voiding, held: 5),
        resting(.declined), resting(.rejected), resting(.notSent), resting(.voided), resting(.expired),
        resting(.captureFailed, held: 5), resting(.captureFailed),
        resting(.captured, captured: 5), resting(.captured, captured: 5, refunded: 2),
        resting(.captured, captured: 5, refunded: 5),
        resting(.captured, held: 3, captured: 2), resting(.captured, captured: 2),
        OrderStatus.Input(state: .captured, amount: 5, held: 0, captured: 5, refunded: 0, isUnresolved: true),
    ]

    private static func waiting(_ state: PaymentState, held: Int64 = 0) -> OrderStatus.Input {
        OrderStatus.Input(state: state, amount: 5, held: held, captured: 0, refunded: 0, isUnresolved: true)
    }

    private static func resting(
        _ state: PaymentState,
        held: Int64 = 0,
        captured: Int64 = 0,
        refunded: Int64 = 0
    ) -> OrderStatus.Input {
        OrderStatus.Input(
            state: state,
            amount: 5,
            held: held,
            captured: captured,
            refunded: refunded,
            isUnresolved: false
        )
    }

    /// Every vector of one to three payments, and of four every one that is not the same but for their order.
    private static let vectors: [[OrderStatus.Input]] = (1...4).flatMap { count in
        (0..<count).reduce([[Int]()]) { vectors, _ in
            vectors.flatMap { vector in
                payments.indices.filter { count <= 3 || $0 >= vector.last ?? 0 }.map { vector + [$0] }
            }
        }.map { $0.map { payments[$0] } }
    }

    @Test("covers every state of a payment") func coversStates() {
        #expect(Set(Self.payments.map(\.state)) == Set(PaymentState.allCases))
    }

    @Test(
        "is what the table says for every vector of up to four payments, under both capture modes",
        arguments: Decision.State.allCases
    )
    func isWhatTheTableSays(_ decision: Decision.State) {
        var (count, mistakes) = (0, 0)
        for payments in Self.vectors {
            let expected = StatusTable.status(decision, payments)
            for capture in OrderTerms.Capture.allCases {
                count += 1
                let status = OrderStatus(capture: capture, decision: decision, payments: payments)
                guard status != expected else { continue }
                mistakes += 1
                if mistakes <= 5 {
                    Issue.record("\(payments.map(\.state)) is \(status), expected \(String(describing: expected))")
                }
            }
        }
        #expect(mistakes == 0)
        #expect(count == 2 * (21 + 21 * 21 + 21 * 21 * 21 + 10_626))
    }

    @Test("is paid only once every payment is captured in full: less than that, with nothing to come, is a part")
    func fullOrPart() {
        let (full, part) = (Self.resting(.captured, captured: 5), Self.resting(.captured, captured: 2))
        let kept = Self.resting(.captured, held: 3, captured: 2)
        func status(_ payments: OrderStatus.Input...) -> OrderStatus {
            OrderStatus(capture: .manual, decision: .accepted, payments: payments)
        }
        #expect(status(full, full) == .paid)
        #expect(status(full, part) == .partiallyPaid)
        #expect(status(part) == .partiallyPaid)
        #expect(status(full, kept) == .partiallyCaptured)
    }

    @Test("reaches every status") func reachesEveryStatus() {
        var seen: Set<OrderStatus> = []
        for payments in Self.vectors where payments.count <= 2 {
            for decision in Decision.State.allCases {
                seen.insert(OrderStatus(capture: .automatic, decision: decision, payments: payments))
            }
        }
        #expect(seen == Set(OrderStatus.allCases))
    }

    @Test("lets a reference be used again only once nothing will come of the order")
    func freesReferences() {
        let freeing = OrderStatus.allCases.filter(\.freesReference)
        #expect(freeing == [.failed, .canceled])
    }
}
