import Domain
import SQL
import SeededRandom
import Storage
import Testing
import TributaryTestKit

/// What PSPs say and answer, in random orders, with repetitions: each step is stored, and `ledger verify` is content.
@Suite("Facts in random orders keep the books", .timeLimit(.minutes(10)))
struct FactsInRandomOrderTests {
    /// What may be said of an order that is approved, or is about to be.
    private enum Fact {
        case notice(Notice)
        /// The answer to the last operation of a kind, if there is one.
        case answer(Operation.Kind, Outcome)
        case request(Request)

        enum Request {
            case capture, captureOfPart, cancel, cancelPayment
            case refund(Refund.Bearer)
        }
    }

    private static func facts(of order: Order) -> [Fact] {
        let attempt = order.payments[0].attempt
        func notice(_ happening: Notice.Happening, _ object: String?) -> Fact {
            .notice(Notice(about: .init(attempt: attempt.id.text, object: object), happening))
        }
        func done(_ amount: Int64, _ name: String, captured: Int64 = 0) -> Outcome {
            .succeeded(Success(reference: name, amount: amount, capturedAmount: captured))
        }
        let no = Rejection(.unsupported, code: "no", message: "No.")
        func approval(_ captured: Int64) -> Outcome { done(10_000, "auth", captured: captured) }
        return [
            .answer(.authorize, approval(0)), .answer(.authorize, approval(0)),
            notice(.outcome(.authorize, approval(10_000)), nil), notice(.outcome(.authorize, approval(4_000)), nil),
            .request(.capture), .request(.captureOfPart), .request(.cancel), .request(.cancelPayment),
            .request(.refund(.merchant)), .request(.refund(.marketplace)),
            .answer(.capture, done(10_000, "cap_1")), .answer(.capture, done(4_000, "cap_2")),
            .answer(.capture, .rejected(no)), .answer(.void, done(10_000, "vd_1")),
            .answer(.void, .rejected(Rejection(.expired, code: "gone", message: "Gone."))),
            .answer(.void, .rejected(Rejection(.alreadyCaptured, code: "taken", message: "Taken."))),
            .answer(.refund, done(3_000, "re_1")), .answer(.refund, done(5_000, "re_2")),
            notice(.outcome(.capture, done(10_000, "cap_1")), "cap_1"),
            notice(.outcome(.capture, done(4_000, "cap_2")), "cap_2"),
            notice(.outcome(.capture, done(6_000, "cap_2")), "cap_2"),
            notice(.outcome(.capture, .rejected(no)), "cap_9"), notice(.reversed(.capture, no), "cap_1"),
            notice(.outcome(.void, done(10_000, "vd_1")), "vd_1"), notice(.outcome(.void, done(10_000, "auth")), nil),
            notice(.reversed(.void, no), "vd_1"), notice(.lapsed, nil), notice(.lapsed, nil),
            notice(.outcome(.refund, done(3_000, "re_1")), "re_1"),
            notice(.outcome(.refund, done(10_000, "re_9")), "re_9"),
            notice(.outcome(.refund, done(2_000, "re_8")), "re_8"), notice(.reversed(.refund, no), "re_9"),
            notice(.dispute(DisputeNotice(state: .opened, amount: 2_500)), "dp_1"),
            notice(.dispute(DisputeNotice(state: .won, amount: 2_500)), "dp_1"),
        ]
    }

    /// Tells a fact, and answers whether something came of it.
    private static func tell(_ fact: Fact, _ machine: inout OrderMachine, severalCaptures: Bool) -> Bool {
        switch fact {
        case .notice(let notice): return machine.hear(notice, severalCaptures: severalCaptures)
        case .answer(let kind, let outcome):
            guard let last = machine.order.payments[0].attempt.all(kind).last(where: { $0.origin == .gateway }) else {
                return false
            }
            machine.hear(Report(operation: last.id, outcome: outcome))
            return true
        case .request(let request):
            do throws(RequestRefusal) {
                switch request {
                case .capture: try machine.capture(.whole) { _ in CaptureAbility(partial: true, multiple: true) }
                case .captureOfPart:
                    let part = CaptureRequest.Item(payment: machine.order.payments[0].id, amount: 4_000, isFinal: false)
                    try machine.capture(.items([part])) { _ in CaptureAbility(partial: true, multiple: true) }
                case .cancel: try machine.cancel()
                case .cancelPayment:
                    let ability = CaptureAbility(partial: true, multiple: true, releasesRest: true)
                    try machine.cancel([machine.order.payments[0].id]) { _ in ability }
                case .refund(let bearer): try machine.refund(RefundRequest(.amount(3_000), borneBy: bearer))
                }
                return true
            } catch { return false }
        }
    }

    private static func live(_ seed: UInt64, in session: any Session) throws {
        var random = SeededRandom(seed: seed)
        var sample = OrderSample()
        var order = try sample.order()
        var ids = IdentifierSource()
        var time = sample.now
        func step(_ body: (inout OrderMachine) -> Bool) throws -> Bool {
            var machine = OrderMachine(order, at: time, by: "test", rules: OrderTimings(), ids: ids)
            guard body(&machine) else { return false }
            ids = machine.ids
            let made = machine.finish()
            #expect(OrderRules.violations(of: made.order).isEmpty, "seed \(seed)")
            try OrderWriter.update(
                made.order,
                from: order,
                made.record,
                answer: made.answer,
                wakeAt: made.wakeAt,
                in: session
            )
            order = made.order
            return true
        }
        try OrderWriter.insert(order, .init(), wakeAt: nil, in: session)
        _ = try step {
            $0.place()
            return true
        }
        var facts = Self.facts(of: order).shuffled(using: &random).prefix(Int.random(in: 3...14, using: &random)) + []
        facts += facts.shuffled(using: &random).prefix(3)
        if Bool.random(using: &random) { facts.insert(Self.facts(of: order)[0], at: 0) }
        var left = Array(facts)
        for _ in 0..<3 {
            var parked: [Fact] = []
            for fact in left {
                time = time.adding(milliseconds: 1)
                let isTold = try step { Self.tell(fact, &$0, severalCaptures: seed.isMultiple(of: 2)) }
                if !isTold { parked.append(fact) }
            }
            left = parked
        }
    }

    @Test("as the audit of all that is stored says", arguments: DatabaseEngine.allCases)
    func audited(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .migrated) { database in
            for first in stride(from: UInt64(1), to: 241, by: 24) {
                let findings = try await database.write { session in
                    for seed in first..<first + 24 { try Self.live(seed, in: session) }
                    return try LedgerAudit(of: "travel").findings(in: session)
                }
                #expect(findings.map { "\($0.rule.rawValue) \($0.subject): \($0.found), not \($0.expected)" } == [])
                guard findings.isEmpty else { return }
            }
        }
    }
}
