import Domain
import Testing

@Suite("Doubt")
struct DoubtTests {
    @Test("is never a decline: an unknown authorization keeps the order undecided")
    func isNotADecline() throws {
        var story = try Story()
        story.approve(0)
        story.authorize(1, .timedOut)
        #expect(story.order.decision == .pending)
        #expect(story.states[1] == .unresolved)
        #expect(story.told("payment.unresolved") == 1)
    }

    @Test("is asked after in 1 s, 5 s, 30 s, 2 min, 10 min, 1 h and then hourly")
    func isAskedAfterOnSchedule() throws {
        var story = try Story(Checkout(amounts: [300], onDeadline: .continue, decideByMilliseconds: 86_400_000))
        let authorization = story.order.payments[0].attempt.authorization.id
        story.authorize(0, .timedOut)
        for pause: Int64 in [1000, 5000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000, 3_600_000] {
            let operation = story.order.payments[0].attempt.authorization
            #expect(operation.dueAt == story.now.adding(milliseconds: pause))
            #expect(operation.leasedBy == nil)
            story.sleep(milliseconds: pause - 1)
            let isEarly = story.claim(authorization)
            #expect(!isEarly)
            story.sleep(milliseconds: 1)
            let isInTime = story.claim(authorization)
            #expect(isInTime)
            story.authorize(0, .timedOut)
        }
        story.approve(0)
        #expect(story.order.payments[0].attempt.authorization.dueAt == nil)
    }

    @Test("of a day needs a person, with the amount at risk, until it is resolved")
    func needsAPersonAfterADay() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .timedOut)
        story.wait(milliseconds: 86_399_999)
        story.authorize(0, .timedOut)
        #expect(story.order.attention.isEmpty)
        story.wait(milliseconds: 1)
        story.authorize(0, .timedOut)
        story.authorize(0, .timedOut)
        #expect(story.order.attention.map(\.reason) == [.unknownOutcome])
        #expect(story.order.attention.first?.amountAtRisk == 300)
        #expect(story.order.attention.first?.since == story.now)
        story.decline(0)
        #expect(story.order.attention.isEmpty)
        #expect(story.order.status == .failed)
    }

    @Test(
        "of a day needs a person, too, where nobody who had it in hand reported, and not where somebody did",
        arguments: [false, true]
    )
    func holdersDie(hasReported: Bool) throws {
        var story = try Story(Checkout(amounts: [300], onDeadline: .continue))
        let authorization = story.order.payments[0].attempt.authorization.id
        if hasReported { story.authorize(0, .timedOut) }
        story.sleep(milliseconds: 86_399_999)
        var isClaimed = story.claim(authorization, by: "two")
        #expect(isClaimed && story.order.attention.isEmpty)
        if hasReported { story.report(.timedOut, of: authorization, by: "two") }
        story.sleep(milliseconds: 3_600_000)
        isClaimed = story.claim(authorization, by: "three")
        #expect(isClaimed && story.reasons == (hasReported ? [] : [.unknownOutcome]))
        story.decline(0)
        #expect(story.order.attention.isEmpty)
    }

    @Test("of a day is over when the PSP works on it, or it is withdrawn: nobody is told any longer")
    func isOver() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(200))
        let refund = try #require(story.last(.refund, 0)).id
        var isUnsent = story
        story.report(.timedOut, of: refund)
        story.sleep(milliseconds: 86_400_000)
        story.report(.timedOut, of: refund)
        #expect(story.reasons == [.unknownOutcome])
        story.sleep(milliseconds: 3_600_000)
        let isTaken = story.claim(refund, by: "two")
        #expect(isTaken)
        story.report(.inProgress, of: refund)
        #expect(!story.reasons.contains(.unknownOutcome))
        for _ in 0..<2 {
            isUnsent.report(.notSent(reason: "no connection"), of: refund)
            isUnsent.sleep(milliseconds: 86_400_000)
            let isClaimed = isUnsent.claim(refund)
            #expect(isClaimed)
        }
        isUnsent.report(.notSent(reason: "no connection"), of: refund)
        #expect(isUnsent.reasons == [.unknownOutcome])
        let isHeard = isUnsent.notice(0, .outcome(.refund, .approved(300, "re_9")), object: "re_9")
        #expect(isHeard && isUnsent.reasons == [] && isUnsent.last(.refund, 0)?.origin == .psp)
    }

    @Test("is over when the PSP has no trace of what it had said it works on: it came to nothing")
    func pendingIsGone() throws {
        var story = try Story(Checkout(amounts: [300], policy: .bestEffort))
        story.approve(0)
        try story.answer(.capture, 0, .timedOut)
        let capture = try #require(story.last(.capture, 0)).id
        story.report(.refusedByPSP(.notFound), of: capture)
        #expect(story.last(.capture, 0)?.isOpen == true)
        story.report(.inProgress, of: capture)
        story.report(.refusedByPSP(.notFound), of: capture)
        #expect(story.states == [.captureFailed])
    }

    @Test("is not what pending is: that is polled as the adapter declares")
    func pendingIsPolled() throws {
        var story = try Story(Checkout(amounts: [300]))
        let authorization = story.order.payments[0].attempt.authorization.id
        let timings = ReportTimings(pollMilliseconds: 7000, expectedWithinMilliseconds: 60_000)
        story.step { $0.hear(Report(operation: authorization, outcome: .inProgress, timings: timings)) }
        #expect(story.states == [.pending])
        #expect(story.order.payments[0].attempt.authorization.dueAt == story.now.adding(milliseconds: 7000))
        story.sleep(milliseconds: 60_000)
        story.step { $0.hear(Report(operation: authorization, outcome: .inProgress, timings: timings)) }
        #expect(story.order.attention.map(\.reason) == [.overdue])
        story.approve(0)
        #expect(story.order.attention.isEmpty)
    }

    @Test("is not what waits for the buyer: a step that may still be taken is not overdue, one that is over is")
    func buyersStepIsNotOverdue() throws {
        var story = try Story(Checkout(amounts: [300], onDeadline: .continue, decideByMilliseconds: 86_400_000))
        let authorization = story.order.payments[0].attempt.authorization.id
        func hear(_ outcome: Outcome, after milliseconds: Int64) {
            story.sleep(milliseconds: milliseconds)
            story.step {
                let timings = ReportTimings(expectedWithinMilliseconds: 60_000)
                $0.hear(Report(operation: authorization, outcome: outcome, timings: timings))
            }
        }
        let end = story.now.adding(milliseconds: 90_000)
        hear(.inProgress, after: 60_000)
        #expect(story.order.attention.map(\.reason) == [.overdue])
        hear(.buyerHasToAct(expiresAt: end), after: 0)
        #expect(story.order.attention.isEmpty)
        hear(.buyerHasToAct(expiresAt: end), after: 29_999)
        #expect(story.order.attention.isEmpty)
        hear(.buyerHasToAct(expiresAt: end), after: 1)
        #expect(story.order.attention.map(\.reason) == [.overdue])
    }

    @Test("ends with not sent only at the first try")
    func notSentAtTheFirstTry() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .notSent(reason: "no connection"))
        #expect(story.states == [.notSent])
        #expect(story.order.decision.reason == .policyUnsatisfiable)
    }

    @Test("remains if a later try was not sent, because the earlier one may have arrived")
    func notSentAtALaterTry() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.sleep(milliseconds: 120_000)
        let isClaimed = story.claim(story.order.payments[0].attempt.authorization.id, by: "two")
        #expect(isClaimed)
        story.report(
            .notSent(reason: "no connection"),
            of: story.order.payments[0].attempt.authorization.id,
            by: "two"
        )
        #expect(story.states == [.unresolved])
        var replayed = try Story(Checkout(amounts: [300]))
        replayed.authorize(0, .timedOut)
        replayed.authorize(0, .notSent(reason: "no connection"))
        #expect(replayed.states == [.unresolved])
    }

    @Test("ends when the PSP provably has no trace of an authorization")
    func notFoundIsNotSent() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .timedOut)
        story.authorize(0, .refusedByPSP(.notFound))
        #expect(story.states == [.notSent])
        #expect(story.order.status == .failed)
    }

    @Test("about a capture, void or refund of which there is no trace leads to another try, and alarms nobody")
    func notFoundIsTriedAgain() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .timedOut)
        try story.answer(.void, 0, .refusedByPSP(.notFound))
        #expect(story.count(.void) == 1)
        #expect(story.last(.void, 0)?.state.name == "unknown")
        #expect(story.order.attention.isEmpty)
        try story.succeed(.void, 0)
        #expect(story.order.status == .failed)
    }

    @Test("about a capture that was not sent leads to another try of the same operation")
    func capturesAreTriedAgain() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        try story.answer(.capture, 0, .notSent(reason: "no connection"))
        #expect(story.count(.capture) == 1)
        let capture = try #require(story.last(.capture, 0))
        #expect(capture.isOpen)
        #expect(capture.dueAt == story.now.adding(milliseconds: 1000))
        story.sleep(milliseconds: 1000)
        let isClaimed = story.claim(capture.id)
        #expect(isClaimed)
        try story.succeed(.capture, 0)
        #expect(story.order.status == .paid)
    }
}
