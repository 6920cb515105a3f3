import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("A refund that the marketplace bears", .timeLimit(.minutes(10)))
struct BorneRefundTests {
    @Test(
        "is audited as it is posted beside what compensation gives back, though a commission stays on refunds",
        arguments: DatabaseEngine.allCases
    )
    func besideCompensation(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            let (order, findings) = try await database.write { session in
                var sample = OrderSample()
                var (order, ids) = (try sample.order(["airline", "hotel"]), IdentifierSource())
                func step(_ body: (inout OrderMachine) throws -> Void) throws {
                    var machine = OrderMachine(order, at: sample.now, by: "test", rules: OrderTimings(), ids: ids)
                    try body(&machine)
                    ids = machine.ids
                    let made = machine.finish()
                    try OrderWriter.update(
                        made.order,
                        from: order,
                        made.record,
                        answer: made.answer,
                        wakeAt: made.wakeAt,
                        in: session
                    )
                    order = made.order
                }
                func answer(_ kind: Operation.Kind, _ payment: Int, refusing refusal: Rejection? = nil) throws {
                    let operation = try #require(order.payments[payment].attempt.all(kind).last { $0.isOpen })
                    let done = Success(reference: "\(kind)-\(payment)-\(operation.amount)", amount: operation.amount)
                    let outcome: Outcome = refusal.map { .rejected($0) } ?? .succeeded(done)
                    try step { $0.hear(Report(operation: operation.id, outcome: outcome)) }
                }
                try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
                try step { $0.place() }
                for payment in [0, 1] { try answer(.authorize, payment) }
                try step { try $0.capture(.whole) { _ in CaptureAbility(partial: true, multiple: true) } }
                try answer(.capture, 0)
                let item = Refund.Item(payment: order.payments[0].id, amount: 3_000)
                try step { try $0.refund(RefundRequest(.items([item]), borneBy: .marketplace)) }
                try answer(.refund, 0)
                try answer(.capture, 1, refusing: Rejection(.unsupported, code: "no", message: "No."))
                try answer(.refund, 0)
                return (order, try LedgerAudit(of: "travel").findings(in: session))
            }
            #expect(order.payments.map(\.refunded) == [10_000, 0])
            // Of the 3,000 the commission of 1,500 in 10,000 stays: the merchant's lines give it back.
            #expect(order.payments[0].allocation[0].refunded == 7_000 + 450)
            #expect(findings.map { "\($0.rule.rawValue) \($0.subject): \($0.found), not \($0.expected)" } == [])
        }
    }
}
