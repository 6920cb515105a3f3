import Domain
import Testing

@testable import Simulation

@Suite("What checks take orders to have said")
struct CheckTests {
    private static let payment = PaymentID(bits: 1)
    private static let moment = Timestamp(seconds: 1_800_000_000)

    /// An event of the payment's, about the operation of that number.
    private static func event(_ type: String, of operation: UInt128 = 1, done: Int64? = nil) -> OrderEvent {
        OrderEvent(
            id: EventID(bits: 1),
            sequence: 1,
            type: type,
            payment: payment,
            operation: OperationID(bits: operation),
            at: moment,
            details: done.map { [.init("done_amount", .integer($0))] } ?? []
        )
    }

    private static let told: [(words: [String], operations: [UInt128], isLost: Bool)] = [
        (["payment.capture_started", "payment.capture_failed"], [1, 1], true),
        (["payment.capture_started", "payment.captured_by_psp", "payment.capture_failed"], [1, 2, 2], false),
        (["payment.captured", "payment.capture_failed"], [1, 1], true),
        (["payment.captured_by_psp", "payment.capture_failed"], [1, 1], true),
        (["payment.capture_failed", "payment.captured"], [1, 1], false),
        (["payment.capture_failed", "payment.captured_by_psp"], [1, 2], false),
        (["payment.captured_by_psp", "payment.captured_by_psp", "payment.capture_failed"], [1, 2, 1], false),
        (["payment.capture_failed", "payment.captured_by_psp", "payment.capture_explained"], [1, 2, 2], true),
        (["order.accepted", "payment.capture_failed"], [1, 1], false),
    ]

    @Test(
        "is that a payment was lost where a capture failed and no other was done or under way by the acceptance",
        arguments: told
    )
    func lostCaptures(row: (words: [String], operations: [UInt128], isLost: Bool)) {
        let events = zip(row.words, row.operations).map { Self.event($0, of: $1) } + [Self.event("order.accepted")]
        #expect(SimulationChecks.lostCaptures(events) == (row.isLost ? [Self.payment] : []))
    }

    @Test("of a refund that failed after all is that so much was given back as was done of it, not as was asked for")
    func refundsThatFailed() {
        var refund = Operation(
            id: OperationID(bits: 1),
            kind: .refund,
            amount: 500,
            origin: .gateway,
            createdAt: Self.moment
        )
        refund.state = .succeeded
        refund.doneAmount = 400
        let events = [Self.event("payment.refunded", done: 400)]
        #expect(SimulationChecks.saidToBeGivenBack(by: [refund], events) == 400)
        refund.state = .reversed(Rejection(.unsupported, code: "closed", message: "The account is closed."))
        refund.doneAmount = 0
        #expect(SimulationChecks.saidToBeGivenBack(by: [refund], events) == 400)
        #expect(SimulationChecks.saidToBeGivenBack(by: [refund], []) == 0)
    }
}
