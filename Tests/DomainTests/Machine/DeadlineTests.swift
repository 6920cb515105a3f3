import Domain
import Testing

@Suite("Deadlines")
struct DeadlineTests {
    @Test("abandon: refuse at the deadline if the policy is not satisfied by then")
    func abandonRefuses() throws {
        var story = try Story()
        story.approve(0)
        #expect(story.wake == 20_000)
        story.wait(milliseconds: 19_999)
        #expect(story.order.decision == .pending)
        story.wait(milliseconds: 1)
        #expect(story.order.decision.state == .refused)
        #expect(story.order.decision.reason == .deadline)
        #expect(story.states == [.voiding, .authorizing])
        story.approve(1)
        #expect(story.states == [.voiding, .voiding])
        try story.succeed(.void, 0)
        try story.succeed(.void, 1)
        #expect(story.order.status == .failed)
    }

    @Test("abandon: accept at the deadline what satisfies the policy, and undo what surfaces later")
    func abandonAccepts() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.approve(0)
        story.wait(milliseconds: 20_000)
        #expect(story.order.decision.state == .cleared)
        #expect(story.order.decision.reason == .policySatisfiedInTime)
        #expect(story.order.decision.countsOn == [story.order.payments[0].id])
        try story.succeed(.capture, 0)
        #expect(story.order.status == .partiallyPaid)
        story.approve(1)
        #expect(story.order.decision.countsOn == [story.order.payments[0].id])
        #expect(story.states == [.captured, .voiding])
        #expect(story.order.status == .partiallyPaid)
        try story.succeed(.void, 1)
        #expect(story.order.status == .partiallyPaid)
        #expect(story.order.captured == 300)
    }

    @Test("continue: go on behind the deadline and decide when everything is definite")
    func continueGoesOn() throws {
        var story = try Story(Checkout(onDeadline: .continue))
        story.approve(0)
        #expect(story.wake == 900_000)
        story.wait(milliseconds: 500_000)
        #expect(story.order.decision == .pending)
        story.approve(1)
        #expect(story.order.decision.state == .cleared)
    }

    @Test("continue: decide at decide_by at the latest")
    func continueEnds() throws {
        var refused = try Story(Checkout(onDeadline: .continue))
        refused.approve(0)
        refused.wait(milliseconds: 899_999)
        #expect(refused.order.decision == .pending)
        refused.wait(milliseconds: 1)
        #expect(refused.order.decision.state == .refused)
        #expect(refused.order.decision.reason == .decideBy)

        var accepted = try Story(Checkout(policy: .bestEffort, onDeadline: .continue))
        accepted.approve(0)
        accepted.wait(milliseconds: 900_000)
        #expect(accepted.order.decision.state == .cleared)
        #expect(accepted.order.decision.reason == .policySatisfiedInTime)
    }

    @Test("are met by a report that comes after them, before it is looked at")
    func reportsAfterTheDeadlineAreLate() throws {
        var story = try Story()
        story.approve(0)
        story.sleep(milliseconds: 20_000)
        story.authorize(1, .timedOut)
        #expect(story.order.decision.reason == .deadline)
    }

    @Test("are ordered with a late outcome by commit: whichever step is first decides")
    func commitDecides() throws {
        var outcomeFirst = try Story()
        outcomeFirst.approve(0)
        outcomeFirst.sleep(milliseconds: 20_001)
        outcomeFirst.approve(1)
        #expect(outcomeFirst.order.decision.state == .cleared)
        var deadlineFirst = try Story()
        deadlineFirst.approve(0)
        deadlineFirst.wait(milliseconds: 20_001)
        deadlineFirst.approve(1)
        #expect(deadlineFirst.order.decision.state == .refused)
    }

    @Test("do not run while the buyer has something to do")
    func stopWhileTheBuyerActs() throws {
        var story = try Story()
        story.approve(0)
        story.wait(milliseconds: 5000)
        story.authorize(1, .buyerHasToAct())
        #expect(story.order.status == .requiresAction)
        #expect(story.order.isAnswerable(at: story.now, graceMilliseconds: 2000))
        #expect(story.told("order.requires_action") == 1)
        story.wait(milliseconds: 300_000)
        #expect(story.order.decision == .pending)
        story.authorize(1, .inProgress)
        #expect(story.order.status == .processing)
        #expect(story.wake == 320_000)
        story.wait(milliseconds: 14_999)
        #expect(story.order.decision == .pending)
        story.wait(milliseconds: 1)
        #expect(story.order.decision.reason == .deadline)
    }

    @Test("stop for actions of several payments as long as one is left")
    func stopForSeveralActions() throws {
        var story = try Story()
        story.authorize(0, .buyerHasToAct())
        story.wait(milliseconds: 10_000)
        story.authorize(1, .buyerHasToAct())
        story.approve(0)
        #expect(story.told("order.requires_action") == 1)
        story.wait(milliseconds: 50_000)
        story.authorize(1, .inProgress)
        #expect(story.wake == 80_000)
    }

    @Test("end even an open action at decide_by")
    func decideByEndsActions() throws {
        var story = try Story()
        story.approve(0)
        story.authorize(1, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 5_000_000)))
        story.wait(milliseconds: 900_000)
        #expect(story.order.decision.reason == .decideBy)
        #expect(story.count(.void) == 2)
    }
}
