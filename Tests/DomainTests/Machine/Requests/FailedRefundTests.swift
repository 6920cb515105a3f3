import Domain
import Testing

@Suite("A refund that was asked for and came to nothing")
struct FailedRefundTests {
    /// What comes to be left to give back behind it.
    enum Left: CaseIterable {
        case captured, portalFailed
    }

    /// Several captures are possible, and 100 of 200 are captured; the refund of 100 finds nothing left.
    private static func short(_ left: Left) throws -> Story {
        var story = try Story.accepted(Checkout(amounts: [200], capture: .manual))
        try story.capture(story.items([(0, 100)], isFinal: left != .captured))
        try story.succeed(.capture, 0)
        try story.refund(.amount(100))
        try story.answer(.refund, 0, .refusedByPSP(.amountTooLarge))
        let isTold = story.notice(0, .outcome(.refund, .approved(100, "re_portal")), object: "re_portal")
        #expect(isTold)
        #expect(story.order.status(of: story.order.refunds[0]) == .failed)
        return story
    }

    @Test("stays failed, whatever comes to be left to give back since", arguments: Left.allCases)
    func stays(_ left: Left) throws {
        var story = try Self.short(left)
        let tries = story.count(.refund)
        switch left {
        case .captured:
            try story.capture(story.items([(0, 100)], isFinal: true))
            try story.succeed(.capture, 0)
        case .portalFailed:
            let isTold = story.notice(0, .reversed(.refund, .later), object: "re_portal")
            #expect(isTold)
        }
        story.wait(milliseconds: 86_400_000)
        #expect(story.count(.refund) == tries && story.order.payments[0].attempt.openOperations.isEmpty)
        #expect(story.order.status(of: story.order.refunds[0]) == .failed)
        #expect(story.order.payments[0].refunded == (left == .captured ? 100 : 0))
        try story.refund(.amount(100))
        try story.succeed(.refund, 0)
        #expect(story.order.status(of: story.order.refunds[1]) == .succeeded)
    }

    private static func resolve(_ story: inout Story, _ id: OperationID, _ word: ManualOutcome) throws {
        try story.request { (it) throws(RequestRefusal) in
            try it.resolve(id, word, OrderRequest.Evidence(evidence: "portal", reason: "no reply", by: "ada"))
        }
    }

    @Test(
        "by an operator's word is not sent again, and a person is told until one asked for since makes up for it",
        arguments: [ManualOutcome.notSent, .failed]
    )
    func resolved(_ word: ManualOutcome) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(30))
        try story.answer(.refund, 0, .timedOut)
        try Self.resolve(&story, try #require(story.last(.refund, 0)).id, word)
        #expect(story.order.status(of: story.order.refunds[0]) == .failed && story.reasons == [.refundFailed])
        story.wait(milliseconds: 86_400_000)
        #expect(story.count(.refund) == 1)
        try story.refund(.amount(30))
        try story.succeed(.refund, 0)
        #expect(story.order.refunded == 30 && story.reasons.isEmpty)
    }

    @Test("is not what another refund of ours made, whatever an operator says")
    func known() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(40))
        try story.answer(.refund, 0, .approved(40, "re_1"))
        try story.refund(.amount(40))
        try story.answer(.refund, 0, .timedOut)
        let second = try #require(story.last(.refund, 0)).id
        let refusal = story.refusal { (it) throws(RequestRefusal) in
            let word = ManualOutcome.succeeded(amount: nil, reference: "re_1")
            try it.resolve(second, word, OrderRequest.Evidence(evidence: "portal", reason: "r", by: "ada"))
        }
        #expect(refusal?.code == .referenceKnown && story.order.refunded == 40)
        try Self.resolve(&story, second, .succeeded(amount: nil, reference: "re_2"))
        #expect(story.order.refunded == 80)
    }
}
