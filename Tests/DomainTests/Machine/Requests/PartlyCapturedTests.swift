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

    @Test(
        "of which two parts were under way at a time tell of each that is refused, until it is captured after all",
        arguments: [[0, 1], [1, 0], [0], [1]]
    )
    func refusedBesides(_ refused: [Int]) throws {
        var story = try Story.accepted(Checkout(amounts: [300], policy: .bestEffort))
        for amount: Int64 in [100, 150] {
            try story.capture(story.items([(0, amount)], isFinal: false))
            try story.answer(.capture, 0, .inProgress)
        }
        let parts = story.order.payments[0].attempt.all(.capture)
        for index in refused { story.report(.refusedByIssuer, of: parts[index].id) }
        for index in [0, 1] where !refused.contains(index) {
            story.report(.approved(parts[index].amount, "cap_\(index)"), of: parts[index].id)
        }
        let told = Set(story.order.attention.filter { $0.reason == .captureFailed }.map(\.operation))
        #expect(told == Set(refused.map { parts[$0].id }))
        #expect(story.toldMerchant(0).count { $0 == .paymentCaptureFailed } == refused.count)
        try story.capture(story.items([(0, nil)]))
        try story.succeed(.capture, 0)
        #expect(story.reasons.isEmpty && story.order.status == .paid)
    }

    @Test("tell of a refused part no more once another was asked for since, though others were under way then")
    func replacedBesides() throws {
        var story = try Story.accepted(Checkout(amounts: [300], policy: .bestEffort))
        var parts: [OperationID] = []
        for amount: Int64 in [100, 150, 150] {
            try story.capture(story.items([(0, amount)], isFinal: false))
            try story.answer(.capture, 0, .inProgress)
            parts.append(try #require(story.last(.capture, 0)?.id))
            if parts.count == 2 { story.report(.refusedByIssuer, of: parts[0]) }
        }
        #expect(story.reasons == [.captureFailed])
        for part in parts.dropFirst() { story.report(.approved(150, "cap_\(part)"), of: part) }
        #expect(story.order.captured == 300 && story.reasons.isEmpty)
    }
}
