import Domain
import Testing

@Suite("Others are told")
struct AnnouncementTests {
    @Test("nothing of an order that is being authorized but the marketplace of its holds")
    func undecided() throws {
        var story = try Story()
        #expect(story.announcements.isEmpty)
        story.approve(0)
        #expect(story.toldMarketplace == [.paymentAuthorized])
        #expect(story.toldMerchant(0).isEmpty)
    }

    @Test("merchants of what was captured, once the order is accepted and not before")
    func automatic() throws {
        var story = try Story()
        story.approve(0, 1)
        try story.succeed(.capture, 0)
        #expect(story.toldMerchant(0).isEmpty)
        try story.succeed(.capture, 1)
        #expect(story.toldMerchant(0) == [.paymentCaptured])
        #expect(story.toldMerchant(1) == [.paymentCaptured])
        let marketplace: [Announcement.Kind] = [
            .paymentAuthorized, .paymentAuthorized, .paymentCaptured, .orderAccepted, .orderPaid, .paymentCaptured,
        ]
        #expect(story.toldMarketplace == marketplace)
    }

    @Test("merchants of holds if capturing is left to the marketplace, and of each capture")
    func manual() throws {
        var story = try Story(Checkout(capture: .manual))
        story.approve(0, 1)
        #expect(story.toldMerchant(0) == [.paymentAuthorized])
        #expect(story.toldMarketplace == [.paymentAuthorized, .orderAccepted, .paymentAuthorized])
        #expect(story.announcements.map(\.sequence) == [1, 2, 1, 3, 1])
    }

    @Test("the marketplace alone of an order that is refused")
    func refused() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.succeed(.void, 0)
        #expect(story.toldMarketplace == [.paymentAuthorized, .orderRefused, .paymentVoided])
        #expect(story.toldMerchant(0).isEmpty && story.toldMerchant(1).isEmpty)
    }

    @Test("that the buyer has to act")
    func action() throws {
        var story = try Story()
        story.authorize(0, .buyerHasToAct())
        #expect(story.toldMarketplace == [.orderRequiresAction])
    }

    @Test("merchants of nothing the order does not count on")
    func leftOut() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.approve(0)
        story.decline(1)
        try story.succeed(.capture, 0)
        #expect(story.order.decision.state == .accepted)
        #expect(story.toldMerchant(0) == [.paymentCaptured])
        #expect(story.toldMerchant(1).isEmpty)
    }

    @Test("each thing once, however often it is heard")
    func twice() throws {
        var story = try Story()
        story.approve(0, 1)
        for _ in 0..<2 {
            try story.succeed(.capture, 0)
            try story.succeed(.capture, 1)
        }
        let count = story.announcements.count
        story.wait(milliseconds: 60_000)
        #expect(story.announcements.count == count)
        #expect(story.toldMerchant(0) == [.paymentCaptured])
    }

    @Test("that a capture failed after the order was accepted, that its hold is gone, and that a person should look")
    func captureFailed() throws {
        var story = try Story()
        story.approve(0, 1)
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .inProgress)
        story.wait(milliseconds: 3000)
        #expect(story.order.decision.state == .accepted)
        let id = try #require(story.last(.capture, 1)).id
        story.report(.refusedByPSP(.expired), of: id)
        #expect(story.toldMerchant(1) == [.paymentCaptureFailed, .paymentVoided])
        #expect(story.toldMarketplace.contains(.orderAttentionRequired))
        #expect(story.toldMarketplace.suffix(2) == [.paymentCaptureFailed, .paymentVoided])
    }

    @Test("that a refund they were told of failed after all, once, and of the next one")
    func refundFailed() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(100))
        try story.succeed(.refund, 0)
        for _ in 0..<2 {
            let isMatched = story.notice(0, .reversed(.refund, .later), object: "refund-0")
            #expect(isMatched)
        }
        #expect(story.toldMerchant(0) == [.paymentCaptured, .paymentRefunded, .paymentRefundFailed])
        #expect(story.toldMarketplace.suffix(2) == [.orderAttentionRequired, .paymentRefundFailed])
        #expect(story.toldMarketplace.count { $0 == .orderPaid } == 1)
        try story.refund(.amount(100))
        try story.succeed(.refund, 0)
        #expect(story.toldMerchant(0).suffix(2) == [.paymentRefundFailed, .paymentRefunded])
    }
}
