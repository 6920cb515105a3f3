import Domain
import Testing

@Suite("Holds that lapse by themselves")
struct LapseTests {
    @Test("are released and show as expired, earlier than we had been told") func lapse() throws {
        var story = try Story.accepted(Checkout(policy: .bestEffort))
        for _ in 0..<2 {
            let isMatched = story.notice(0, .lapsed)
            #expect(isMatched)
        }
        #expect(story.states == [.expired, .authorized])
        #expect(story.order.payments[0].held == 0)
        #expect(story.count(.void) == 1)
        let refusal = story.refusal { (it) throws(RequestRefusal) in
            try it.capture(.items([CaptureRequest.Item(payment: it.order.payments[0].id)])) { _ in Story.anyAbility }
        }
        #expect(refusal?.code == .authorizationExpired)
        let isMatched = story.notice(1, .lapsed)
        #expect(isMatched)
        #expect(story.order.status == .canceled)
        #expect(story.order.decision.reason == .expired)
        #expect(story.books.balances.isEmpty)
    }

    @Test("call off an all-or-nothing order, whose others are voided") func wholeOrders() throws {
        var story = try Story.accepted(Checkout())
        let isMatched = story.notice(0, .lapsed)
        #expect(isMatched)
        #expect(story.order.decision.state == .canceled)
        #expect(story.states == [.expired, .voiding])
        try story.succeed(.void, 1)
        #expect(story.states == [.expired, .voided])
        #expect(story.order.status == .canceled)
    }

    @Test("while a capture is on its way wait for its answer", arguments: [true, false])
    func duringCaptures(_ succeeds: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        let isMatched = story.notice(0, .lapsed)
        #expect(isMatched)
        #expect(story.states == [.capturing])
        #expect(story.order.decision.state == .accepted)
        try story.answer(.capture, 0, succeeds ? .approved(300) : .refusedByPSP(.expired))
        #expect(story.states == [succeeds ? .captured : .captureFailed])
        #expect(story.order.captured == (succeeds ? 300 : 0))
    }

    @Test("at their time are voided in earnest, and capturing them is refused before") func atTheirTime() throws {
        var story = try Story.accepted(Checkout(amounts: [300], policy: .bestEffort))
        story.wait(milliseconds: 604_800_000)
        #expect(story.states == [.voiding])
        #expect(story.last(.void, 0)?.leasedBy == "one")
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        #expect(story.reasons == [.compensationRefused])
        #expect(story.last(.void, 0)?.dueAt == story.now.adding(milliseconds: 1000))
        story.sleep(milliseconds: 1000)
        let isClaimed = story.claim(try #require(story.last(.void, 0)).id)
        #expect(isClaimed)
        try story.succeed(.void, 0)
        #expect(story.states == [.expired])
        #expect(story.order.decision.state == .canceled)
        #expect(story.reasons.isEmpty)
    }
}
