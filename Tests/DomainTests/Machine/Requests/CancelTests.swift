import Domain
import Testing

@Suite("Canceling on request")
struct CancelTests {
    private func code(_ story: inout Story) -> RequestRefusal.Code? {
        story.refusal { (it) throws(RequestRefusal) in try it.cancel() }?.code
    }

    @Test("releases what is held of an accepted order") func accepted() throws {
        var story = try Story.accepted(Checkout())
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        #expect(story.order.decision.state == .canceled)
        #expect(story.order.decision.reason == .requested)
        #expect(story.order.status == .compensating)
        try story.succeed(.void, 0)
        try story.succeed(.void, 1)
        #expect(story.order.status == .canceled)
        #expect(story.states == [.voided, .voided])
        #expect(story.books.balances.isEmpty)
        #expect(code(&story) == .notCancelable)
    }

    @Test("refuses an order that is not decided yet, and undoes what surfaces") func pending() throws {
        var story = try Story()
        story.approve(0)
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        #expect(story.order.decision.state == .refused)
        #expect(story.order.decision.reason == .requested)
        story.approve(1)
        try story.succeed(.void, 0)
        try story.succeed(.void, 1)
        #expect(story.order.status == .failed)
        #expect(code(&story) == .notCancelable)
    }

    @Test("is refused while captures are under way, and after them") func capturing() throws {
        var cleared = try Story()
        cleared.approve(0, 1)
        #expect(cleared.order.decision.state == .cleared)
        #expect(code(&cleared) == .captureInProgress)
        var story = try Story.accepted(Checkout())
        try story.capture()
        #expect(code(&story) == .captureInProgress)
        try story.succeed(.capture, 0)
        #expect(code(&story) == .alreadyCaptured)
        var paid = try Story.captured()
        #expect(code(&paid) == .alreadyCaptured)
    }

    @Test("and capturing exclude one another, whichever is first") func eitherOr() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        let refusal = story.refusal { (it) throws(RequestRefusal) in try it.capture(.whole) { _ in Story.anyAbility } }
        #expect(refusal?.code == .notCapturable)
        #expect(story.count(.capture) == 0)
    }

    @Test("is possible after a capture that failed for good") func afterFailure() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        try story.answer(.capture, 0, .refusedByIssuer)
        #expect(story.reasons == [.captureFailed])
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        #expect(story.reasons.isEmpty)
        try story.succeed(.void, 0)
        #expect(story.order.status == .canceled && story.reasons.isEmpty)
    }

    @Test("gives back what turns out to have been captured") func surfacing() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.status == .compensating)
        try story.succeed(.refund, 0)
        #expect(story.order.status == .canceled)
        #expect(story.books.balances.isEmpty)
    }
}
