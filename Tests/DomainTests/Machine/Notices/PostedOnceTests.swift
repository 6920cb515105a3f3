import Domain
import Testing

/// Every step of a story is held to what `ledger verify` demands.
@Suite("What is posted stays where it was posted")
struct PostedOnceTests {
    @Test("as the release by a hold that lapses while our void is out") func lapse() throws {
        for ending in [Outcome.approved(300, "vd_1"), .refusedByPSP(.expired), .refusedByPSP(.alreadyVoided)] {
            var story = try Story.accepted(Checkout(amounts: [300]))
            try story.request { (it) throws(RequestRefusal) in try it.cancel() }
            let isMatched = story.notice(0, .lapsed)
            #expect(isMatched)
            try story.report(ending, of: #require(story.order.payments[0].attempt.all(.void).first).id)
            #expect(story.order.payments[0].attempt.all(.void).map(\.doneAmount) == [0, 300])
            #expect(story.books.entries.map(\.kind) == [.authorization, .release])
            #expect(story.books.balances.isEmpty)
        }
    }

    @Test("as a release of which a capture is told later, and a capture that left something before a release")
    func capturesAndReleases() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        _ = story.notice(0, .lapsed)
        _ = story.notice(0, .outcome(.capture, .approved(300, "cap_9")), object: "cap_9")
        #expect(story.order.captured == 300)
        var partial = try Story.accepted(Checkout(amounts: [300]))
        _ = partial.notice(0, .outcome(.capture, .approved(200, "cap_9")), object: "cap_9")
        _ = partial.notice(0, .lapsed)
        #expect(partial.order.captured == 200 && partial.order.payments[0].held == 0)
        #expect(partial.books.entries.map(\.kind) == [.authorization, .capture])
    }

    @Test("as a capture that a refund implies, which is one of its own until a capture explains it")
    func impliedCaptures() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        _ = story.notice(0, .outcome(.refund, .approved(300, "re_9")), object: "re_9")
        #expect(story.order.captured == 300 && story.order.refunded == 300)
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture, .refund])
        #expect(story.order.payments[0].attempt.operations.map(\.kind) == [.authorize, .capture, .refund])
        _ = story.notice(0, .outcome(.capture, .approved(300, "cap_9")), object: "cap_9")
        #expect(story.order.captured == 300)
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture, .refund])
        #expect(story.order.payments[0].attempt.all(.capture).map(\.reference) == ["cap_9"])
        #expect(story.reasons.isEmpty)
        var partial = try Story.accepted(Checkout(amounts: [300]))
        for (amount, name) in [(Int64(70), "re_8"), (60, "re_9")] {
            _ = partial.notice(0, .outcome(.refund, .approved(amount, name)), object: name)
        }
        #expect(partial.order.captured == 130 && partial.order.payments[0].held == 170)
        _ = partial.notice(0, .outcome(.capture, .approved(250, "cap_9")), object: "cap_9")
        #expect(partial.order.captured == 250 && partial.order.payments[0].held == 0)
        let captures = partial.order.payments[0].attempt.all(.capture)
        #expect(captures.map(\.doneAmount) == [250, 0] && captures[0].isFinal)
    }

    @Test("as a capture at the PSP that turns out to be ours") func takenOver() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture()
        let capture = try #require(story.last(.capture, 0))
        story.report(.refusedByIssuer, of: capture.id)
        _ = story.notice(0, .outcome(.capture, .approved(300, "cap_1")), object: "cap_1")
        #expect(story.order.captured == 300)
        story.report(.approved(300, "cap_1"), of: capture.id)
        #expect(story.order.captured == 300)
        let captures = story.order.payments[0].attempt.all(.capture)
        #expect(captures.map(\.doneAmount) == [300, 0])
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture, .reversal, .capture])
    }
}
