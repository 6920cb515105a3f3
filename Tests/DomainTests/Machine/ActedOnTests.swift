import Domain
import Testing

@Suite("A payment that somebody else did something to before its approval was heard")
struct ActedOnTests {
    private static let timings = ReportTimings(repetitionDelayMilliseconds: 1000)

    /// What was told of the payment `psp-1` of 300 before anything else was heard of it, and what is held of it by then.
    struct Told: CustomTestStringConvertible {
        let testDescription: String
        let notices: [Notice.Happening]
        let captured: Int64
        let held: Int64
        var isInDoubt = true
    }

    private static let told: [Told] = [
        Told(
            testDescription: "a capture of a part",
            notices: [.outcome(.capture, .approved(100, "cap_1"))],
            captured: 100,
            held: 200
        ),
        Told(
            testDescription: "a capture that failed after all",
            notices: [.outcome(.capture, .approved(100, "cap_1")), .reversed(.capture, .later)],
            captured: 0,
            held: 300
        ),
    ]

    private static let voided = Told(
        testDescription: "a void",
        notices: [.outcome(.void, .approved(300, "cap_1"))],
        captured: 0,
        held: 0,
        isInDoubt: false
    )
    private static let disputed = Told(
        testDescription: "a dispute",
        notices: [.dispute(DisputeNotice(state: .opened, amount: 300))],
        captured: 0,
        held: 300
    )

    /// An order of one payment whose authorization was sent twice, and of which something else was told.
    private static func story(_ told: Told) throws -> (story: Story, id: OperationID) {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        let id = story.sendAuthorizationTwice(of: 0)
        for happening in told.notices {
            let about = Notice.Subject(
                attempt: story.order.payments[0].attempt.id.text,
                payment: "psp-1",
                object: "cap_1"
            )
            story.step { machine in
                let isMatched = machine.hear(
                    Notice(about: about, happening),
                    timings: timings,
                    severalCaptures: true
                )
                #expect(isMatched)
            }
        }
        return (story, id)
    }

    @Test("is in doubt, not lost, where its PSP does not show it", arguments: told + [disputed])
    func unseen(told: Told) throws {
        var (story, id) = try Self.story(told)
        story.report(.refusedByPSP(.notFound), of: id)
        let authorization = story.order.payments[0].attempt.authorization
        #expect(authorization.state == .unknown(reason: "the PSP has no trace of it"))
    }

    @Test(
        "stays the order's where a repetition made another one, which a search finds",
        arguments: told + [voided, disputed]
    )
    func repeated(told: Told) throws {
        var (story, id) = try Self.story(told)
        story.step { $0.hear(Report(operation: id, outcome: .approved(300, "psp-2"), timings: Self.timings)) }
        let payment = story.order.payments[0]
        #expect(payment.attempt.pspReference == "psp-1" && payment.attempt.captured == told.captured)
        #expect(payment.attempt.authorization.isOpen == told.isInDoubt && payment.attempts.count == 1)
        var own = Success(reference: "psp-1", amount: 300)
        own.capturedAmount = told.captured
        if told.isInDoubt {
            story.step { $0.hear(Report(operation: id, outcome: .succeeded(own), timings: Self.timings)) }
        }
        let attempt = story.order.payments[0].attempt
        #expect(attempt.captured == told.captured && attempt.held == told.held)
        story.sleep(milliseconds: story.rules.leaseMilliseconds + 1000)
        let isClaimed = story.claim(id)
        #expect(isClaimed)
        own.surplus = [SurplusPayment(reference: "psp-2")]
        story.step { machine in
            let lease = machine.order.payments[0].attempt.authorization.leases
            machine.hear(
                Report(operation: id, outcome: .succeeded(own), timings: Self.timings, isOfSearch: true, lease: lease)
            )
        }
        let surplus = story.order.payments[0].attempts.filter(\.isSurplus)
        #expect(surplus.map(\.pspReference) == ["psp-2"])
        #expect(surplus.flatMap { $0.all(.void) }.map(\.amount) == [300])
        #expect(story.order.payments[0].attempt.captured == told.captured)
    }

    @Test(
        "is not the one that the answer to a repetition says to be under way",
        arguments: [
            Outcome.pending(Progress(reference: "psp-2")),
            .actionRequired(NextAction(kind: .redirect, url: "https://psp.example"), Progress(reference: "psp-2")),
        ]
    )
    func underWay(outcome: Outcome) throws {
        var (story, id) = try Self.story(Self.told[0])
        story.report(outcome, of: id)
        let payment = story.order.payments[0]
        #expect(payment.attempt.pspReference == "psp-1" && payment.attempts.count == 1)
        #expect(payment.attempt.authorization.state.name == "unknown")
    }

    @Test("has none of what a later answer says of another one that the same request made")
    func approved() throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        let id = story.sendAuthorizationTwice(of: 0)
        story.report(.approved(300, "psp-1"), of: id)
        var other = Success(reference: "psp-2", amount: 300, capturedAmount: 100)
        other.surplus = [SurplusPayment(reference: "psp-1")]
        story.step { $0.hear(Report(operation: id, outcome: .succeeded(other), severalCaptures: true)) }
        let attempts = story.order.payments[0].attempts
        #expect(attempts.map(\.pspReference) == ["psp-1", "psp-2"])
        #expect(attempts.map(\.captured) == [0, 100] && attempts.map(\.held) == [300, 200])
    }

    /// What failed after it had approved a payment alone, and what comes of that.
    struct Failure {
        let policy: Policy
        let of: Notice.Action
        let decision: Decision.State
        let reasons: [Attention.Reason]
    }

    @Test(
        "refuses an order that needs it, and is left out of another, once the capture fails that alone approved it",
        arguments: [
            Failure(policy: .allOrNothing, of: .capture, decision: .refused, reasons: [.captureFailed]),
            Failure(policy: .required(["m0"]), of: .capture, decision: .cleared, reasons: [.captureFailed]),
            // A refund that failed had been made of something.
            Failure(policy: .allOrNothing, of: .refund, decision: .cleared, reasons: []),
        ]
    )
    func failed(_ row: Failure) throws {
        var story = try Story(Checkout(policy: row.policy))
        story.approve(0)
        let attempt = story.order.payments[1].attempt
        story.report(.timedOut, of: attempt.authorization.id)
        let captured = story.notice(
            1,
            .outcome(row.of, .approved(attempt.authorization.amount, "cap_1")),
            object: "cap_1"
        )
        #expect(captured && story.order.decision.state == .cleared)
        let failed = story.notice(1, .reversed(row.of, .later), object: "cap_1")
        #expect(failed && story.order.decision.state == row.decision)
        #expect(story.order.decision.countsOn.contains(story.order.payments[1].id) == (row.of == .refund))
        #expect(story.reasons == row.reasons)
    }
}
