import Domain
import Testing

/// Orders that it takes a long life to become, where a walk goes on.
enum DeepLives {
    private static let bestEffort = Checkout(
        policy: .bestEffort,
        capture: .manual,
        onDeadline: .continue,
        decideByMilliseconds: 400_000_000
    )

    /// Each of them.
    static func all() throws -> [Story] {
        [
            try failedCapture(), try leftOut(.automatic), try leftOut(.manual), try leftOutBesideHalf(),
            try leftOutBesideRefund(of: 100), try leftOutBesideRefund(of: 300), try calledOffBeside(),
            try calledOffInDoubt(), try calledOffAndCaptured(), try heldThoughCalledOff(), try heldThoughRefused(),
            try takenThoughRefused(),
            try heldThoughLeftOut(three: false),
            try heldThoughLeftOut(three: true), try takenThoughLeftOut(three: true),
            try takenThoughLeftOut(three: false),
            try takenThoughRefunded(),
        ]
    }

    /// One payment captured, the capture of the other refused, what it holds still there.
    private static func failedCapture() throws -> Story {
        var story = try Story.accepted(bestEffort)
        try story.capture()
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .refusedByPSP(.configuration))
        return story
    }

    /// A payment that the order does not count on waits for its buyer.
    private static func leftOut(_ capture: OrderTerms.Capture) throws -> Story {
        var checkout = bestEffort
        checkout.capture = capture
        var story = try Story(checkout)
        story.approve(0)
        story.authorize(1, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 2_000_000_000)))
        story.wait(milliseconds: 400_000_000)
        if capture == .automatic { try story.succeed(.capture, 0) }
        return story
    }

    /// A payment that the order does not count on waits for its buyer, and half of the other is captured.
    private static func leftOutBesideHalf() throws -> Story {
        var story = try leftOut(.manual)
        try story.capture(story.items([(0, 150)], isFinal: false))
        try story.succeed(.capture, 0)
        return story
    }

    /// A payment that the order does not count on waits for its buyer, and of the other so much was captured and given back.
    private static func leftOutBesideRefund(of amount: Int64) throws -> Story {
        var story = try leftOut(.automatic)
        try story.refund(story.shares((0, amount)))
        try story.succeed(.refund, 0)
        return story
    }

    /// A payment that the order does not count on waits for its buyer, and the order is called off.
    private static func calledOffBeside() throws -> Story {
        var story = try leftOut(.manual)
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        return story
    }

    /// Called off, and nobody knows whether what was held is released.
    private static func calledOffInDoubt() throws -> Story {
        var story = try Story.accepted(bestEffort)
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        try story.answer(.void, 0, .timedOut)
        return story
    }

    /// Called off, captured at the PSP all the same, and not given back by any try.
    private static func calledOffAndCaptured() throws -> Story {
        var story = try Story.accepted(bestEffort)
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        let isTold = story.notice(0, .outcome(.capture, .approved(300)), object: "cap_1")
        #expect(isTold)
        try story.refuse(.refund, 0)
        return story
    }

    /// Called off, and what is held is not released by any try.
    private static func heldThoughCalledOff() throws -> Story {
        var story = try Story.accepted(bestEffort)
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        try story.refuse(.void, 0)
        return story
    }

    /// Refused, captured at the PSP all the same, and not given back by any try.
    private static func takenThoughRefused() throws -> Story {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        let isTold = story.notice(0, .outcome(.capture, .approved(300)), object: "cap_1")
        #expect(isTold)
        try story.refuse(.refund, 0)
        return story
    }

    /// Refused, and what is held is not released by any try.
    private static func heldThoughRefused() throws -> Story {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.refuse(.void, 0)
        return story
    }

    /// Half an approval that the PSP does not let go of, beside a payment that is captured, and one that waits for its buyer.
    private static func heldThoughLeftOut(three: Bool) throws -> Story {
        var checkout = bestEffort
        checkout.capture = .automatic
        if three { checkout.amounts = [300, 200, 100] }
        var story = try Story(checkout)
        story.authorize(1, .approved(100, "psp-1"))
        try story.refuse(.void, 1)
        if three {
            story.authorize(2, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 2_000_000_000)))
        }
        story.approve(0)
        if three { story.wait(milliseconds: 400_000_000) }
        return story
    }

    /// The same, captured at the PSP and not given back by any try.
    private static func takenThoughLeftOut(three: Bool) throws -> Story {
        var checkout = bestEffort
        if three { (checkout.capture, checkout.amounts) = (.automatic, [300, 200, 100]) }
        var story = try Story(checkout)
        story.authorize(1, .approved(100, "psp-1"))
        let isTold = story.notice(1, .outcome(.capture, .approved(100)), object: "cap_1")
        #expect(isTold)
        try story.refuse(.refund, 1)
        if three {
            story.authorize(2, .buyerHasToAct(expiresAt: story.now.adding(milliseconds: 2_000_000_000)))
        }
        story.approve(0)
        if three { story.wait(milliseconds: 400_000_000) }
        return story
    }

    /// The same, and all that is sold was given back.
    private static func takenThoughRefunded() throws -> Story {
        var story = try takenThoughLeftOut(three: false)
        try story.capture(story.items([(0, nil)]))
        try story.succeed(.capture, 0)
        try story.refund(.items([.init(payment: story.order.payments[0].id, amount: 300)]))
        try story.succeed(.refund, 0)
        return story
    }
}

extension Story {
    /// Has the PSP refuse an operation of a kind for good, as often as it is tried.
    fileprivate mutating func refuse(_ kind: Operation.Kind, _ index: Int) throws {
        for _ in 0..<40 {
            guard let last = last(kind, index), last.isOpen else { return }
            if last.leasedBy == nil {
                sleep(milliseconds: 4_000_000)
                guard claim(last.id) else { continue }
            }
            report(.refusedByPSP(.unsupported), of: last.id)
        }
    }
}
