import Domain
import Testing

@Suite("A capture beside somebody else's")
struct CaptureBesideOthersTests {
    @Test("refused for good beside less of somebody else's failed, whichever is heard of first", arguments: 0...2)
    func refusedBesideOthers(_ way: Int) throws {
        var story = try Story.accepted(Checkout(amounts: [300, 100], onCaptureFailure: .compensate))
        if way == 0 { story.tellOfOthers(60, "cap_9") }
        try story.capture()
        try story.succeed(.capture, 1)
        let ours = try #require(story.order.payments[0].attempt.all(.capture).first { $0.origin == .gateway })
        if way == 1 { story.tellOfOthers(60, "cap_9") }
        story.report(.refusedByPSP(.unsupported), of: ours.id)
        if way == 2 { story.tellOfOthers(60, "cap_9") }
        #expect(story.reasons == [.captureFailed])
        #expect(story.order.attention.first?.amountAtRisk == ours.amount)
        #expect(story.last(.refund, 1)?.amount == 100)
        try story.succeed(.refund, 1)
        try story.answer(.void, 0, way == 2 ? .approved(300, "void_1") : .approved(240, "void_1"))
        try story.succeed(.refund, 0)
        #expect(story.order.status == .refunded && story.books.balances.isEmpty)
    }

    @Test("refused for good beside less of somebody else's undoes an order that is not accepted yet")
    func refusedBesideOthersBeforeAcceptance() throws {
        var story = try Story(Checkout(amounts: [300, 100], onCaptureFailure: .compensate))
        story.approve(0, 1)
        let ours = try #require(story.last(.capture, 0))
        story.tellOfOthers(60, "cap_9")
        #expect(story.order.decision.state == .cleared)
        story.report(.refusedByPSP(.unsupported), of: ours.id)
        #expect(story.order.decision.state == .refused && story.order.decision.reason == .captureFailed)
    }

    @Test(
        "refused for good needs nobody once somebody else took as much, and a person while less is taken",
        arguments: [(300, []), (299, [.captureFailed])] as [(Int64, [Attention.Reason])]
    )
    func refusedAndMadeUpFor(_ row: (taken: Int64, reasons: [Attention.Reason])) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        let ours = try #require(story.last(.capture, 0))
        story.tellOfOthers(row.taken, "cap_9")
        story.report(.refusedByPSP(.unsupported), of: ours.id)
        #expect(story.order.decision.state == .accepted && story.reasons == row.reasons)
    }

    @Test("refused for good is not tried again as it was once somebody else took a part", arguments: [true, false])
    func retriedBesideOthers(isTaken: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.answer(.capture, 0, .refusedByPSP(.unsupported))
        if isTaken { story.tellOfOthers(60, "cap_9") }
        #expect(story.reasons == [.captureFailed])
        let refusal = story.refusal { (it) throws(RequestRefusal) in try it.retry(nil, by: "ada") }
        #expect(refusal?.code == (isTaken ? .nothingToRetry : nil))
        #expect(story.order.payments[0].attempt.hasOpenCapture == !isTaken)
    }

    @Test("refused for good is not tried again in an order that is undone for it, whose void is")
    func retriedWhileUndone() throws {
        var story = try Story.accepted(Checkout(amounts: [300, 100], onCaptureFailure: .compensate))
        try story.capture()
        try story.succeed(.capture, 1)
        try story.answer(.capture, 0, .refusedByPSP(.unsupported))
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        try story.request { (it) throws(RequestRefusal) in try it.retry(nil, by: "ada") }
        #expect(story.order.payments[0].attempt.openOperations.map(\.kind) == [.void])
        #expect(story.order.payments[0].attempt.all(.capture).count == 1)
    }

    @Test("refused beside what failed since under another name is told of once", arguments: [true, false])
    func refusedBesideFailed(isFailureFirst: Bool) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        let ours = try #require(story.last(.capture, 0))
        story.report(.timedOut, of: ours.id)
        story.tellOfOthers(300, "cap_9")
        if !isFailureFirst { story.report(.refusedByPSP(.unsupported), of: ours.id) }
        let isMatched = story.notice(0, .reversed(.capture, .later), object: "cap_9")
        #expect(isMatched)
        if isFailureFirst { story.report(.refusedByPSP(.unsupported), of: ours.id) }
        let named = story.order.payments[0].attempt.all(.capture).last?.id
        #expect(story.reasons == [.captureFailed] && story.order.attention.first?.operation == named)
        #expect(story.order.attention.first?.amountAtRisk == 300)
    }
}

extension Story {
    /// Tells of what somebody else captured of the first payment, at a PSP that takes several captures.
    fileprivate mutating func tellOfOthers(_ amount: Int64, _ name: String) {
        let about = Notice.Subject(attempt: order.payments[0].attempt.id.text, object: name, isOthers: true)
        let isMatched = hear(Notice(about: about, .outcome(.capture, .approved(amount, name))), severalCaptures: true)
        #expect(isMatched)
    }
}
