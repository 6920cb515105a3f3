import Domain
import Testing

/// A hold of which a part is captured, and the rest kept.
@Suite("Partly captured holds")
struct PartlyCapturedTests {
    /// 300 held, 100 captured, 200 kept.
    private static func story() throws -> Story {
        var story = try Story.accepted(Checkout(amounts: [300], policy: .bestEffort))
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.succeed(.capture, 0)
        #expect(story.order.payments[0].held == 200)
        return story
    }

    @Test("are not voided to give an unsettled capture back, which would release the rest instead") func unsettled()
        throws
    {
        var story = try Self.story()
        try story.refund(.all)
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        #expect(story.count(.reverse) == 0)
        #expect(story.last(.refund, 0)?.retries == 1 && story.last(.refund, 0)?.state == .open)
    }

    @Test("whose rest has lapsed at the PSP were not captured by it") func lapsed() throws {
        var story = try Self.story()
        story.wait(milliseconds: 604_800_000)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.captured == 100)
        #expect(story.order.payments[0].held == 0)
        #expect(story.order.status == .partiallyPaid)
    }

    @Test("are not closed by a final capture while another one is under way") func overtaken() throws {
        var story = try Story.accepted(Checkout(amounts: [300], policy: .bestEffort))
        try story.capture(story.items([(0, 100)], isFinal: false))
        let final = story.items([(0, 50)])
        let refusal = story.refusal { (it) throws(RequestRefusal) in try it.capture(final) { _ in Story.anyAbility } }
        #expect(refusal?.code == .captureInProgress)
        try story.capture(story.items([(0, 200)], isFinal: false))
        #expect(story.last(.capture, 0)?.isFinal == false)
    }

    @Test("whose second capture is refused want somebody to look, until one succeeds") func secondRefused() throws {
        var story = try Self.story()
        try story.capture(story.items([(0, 150)], isFinal: false))
        try story.answer(.capture, 0, .refusedByIssuer)
        #expect(story.reasons == [.captureFailed])
        try story.capture(story.items([(0, 150)]))
        try story.succeed(.capture, 0)
        #expect(story.reasons.isEmpty)
    }

    @Test("cannot be canceled while a capture may still succeed, although nothing seems to be held") func cancel()
        throws
    {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        let isMatched = story.notice(0, .lapsed)
        #expect(isMatched)
        let refusal = story.refusal { (it) throws(RequestRefusal) in try it.cancel() }
        #expect(refusal?.code == .captureInProgress)
    }

    @Test("answer at once although a refund waits for its settlement") func waiting() throws {
        var story = try Self.story()
        try story.refund(.all)
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        #expect(story.order.hasFirstReplies)
    }
}
