import Domain
import Testing

@Suite("Canceling payments of an order")
struct CancelPaymentTests {
    private static let able = CaptureAbility(partial: true, multiple: true, releasesRest: true)

    private func cancel(
        _ story: inout Story,
        _ indices: Int...,
        ability: CaptureAbility = able
    ) throws(RequestRefusal) {
        let ids = indices.map { story.order.payments[$0].id }
        try story.request { (it) throws(RequestRefusal) in try it.cancel(ids) { _ in ability } }
    }

    private func refusal(_ story: inout Story, _ indices: Int..., ability: CaptureAbility = able) -> RequestRefusal? {
        let ids = indices.map { story.order.payments[$0].id }
        return story.refusal { (it) throws(RequestRefusal) in try it.cancel(ids) { _ in ability } }
    }

    private func accepted(_ policy: Policy, _ amounts: [Int64] = [300, 200]) throws -> Story {
        try Story.accepted(Checkout(amounts: amounts, policy: policy))
    }

    @Test("releases what it holds before anything is captured, and the others go on") func before() throws {
        var story = try accepted(.bestEffort)
        try cancel(&story, 1)
        #expect(story.order.payments[1].canceledAt == story.now && story.last(.void, 1)?.amount == 200)
        #expect(story.order.decision.state == .accepted && story.order.status == .authorized)
        try story.succeed(.void, 1)
        #expect(story.states == [.authorized, .voided])
        #expect(story.toldMerchant(1).last == .paymentVoided)
        try story.capture()
        #expect(story.count(.capture) == 1)
        try story.succeed(.capture, 0)
        #expect(story.order.status == .partiallyPaid && story.order.captured == 300)
        #expect(story.books.balances[.held(pspAccount: "sim-a")] == nil && story.reasons.isEmpty)
    }

    @Test("releases what it holds after another payment's capture, which no cancel of the order does any more")
    func after() throws {
        var story = try accepted(.required([Checkout.name(0), Checkout.name(1)]), [30_000, 35_000])
        try story.capture(story.items([(0, nil)]))
        try story.succeed(.capture, 0)
        let whole = story.refusal { (it) throws(RequestRefusal) in try it.cancel() }
        #expect(whole?.code == .alreadyCaptured)
        try cancel(&story, 1)
        try story.succeed(.void, 1)
        #expect(story.states == [.captured, .voided] && story.order.status == .partiallyPaid)
        let again = refusal(&story, 1)
        #expect(again?.code == .notCancelable)
    }

    @Test("is refused if the order's policy would not accept what is left, before anything is captured")
    func policies() throws {
        let policies: [Policy] = [.allOrNothing, .required([Checkout.name(1)]), .minimum(301)]
        for policy in policies {
            var story = try accepted(policy)
            let refused = refusal(&story, 1)
            #expect(refused?.code == .policyUnsatisfied, "\(policy)")
            #expect(refused?.payment == story.order.payments[1].id)
            #expect(story.count(.void) == 0)
        }
        for policy in [Policy.bestEffort, .required([Checkout.name(0)]), .minimum(300)] {
            var story = try accepted(policy)
            try cancel(&story, 1)
            #expect(story.count(.void) == 1, "\(policy)")
        }
    }

    @Test("of all that is left calls the order off, under every policy") func all() throws {
        for policy in [Policy.allOrNothing, .bestEffort, .minimum(500)] {
            var story = try accepted(policy)
            try cancel(&story, 0, 1)
            #expect(story.order.decision.state == .canceled && story.order.decision.reason == .requested)
            try story.succeed(.void, 0)
            try story.succeed(.void, 1)
            #expect(story.order.status == .canceled && story.books.balances.isEmpty)
        }
        var story = try accepted(.bestEffort)
        try cancel(&story, 0)
        try cancel(&story, 1)
        #expect(story.order.decision.state == .canceled)
    }

    @Test("and capturing exclude one another, whichever is first") func eitherOr() throws {
        var canceling = try accepted(.bestEffort)
        try cancel(&canceling, 1)
        let capture = canceling.items([(1, 200)])
        let late = canceling.refusal { (it) throws(RequestRefusal) in try it.capture(capture) { _ in Self.able } }
        #expect(late?.code == .notCapturable)
        try canceling.answer(.void, 1, .timedOut)
        let doubtful = canceling.refusal { (it) throws(RequestRefusal) in try it.capture(capture) { _ in Self.able } }
        #expect(doubtful?.code == .notCapturable)
        var capturing = try accepted(.bestEffort)
        try capturing.capture(capturing.items([(1, 200)]))
        let early = refusal(&capturing, 1)
        #expect(early?.code == .captureInProgress)
        try capturing.answer(.capture, 1, .timedOut)
        let unknown = refusal(&capturing, 1)
        #expect(unknown?.code == .captureInProgress)
        try capturing.succeed(.capture, 1)
        let done = refusal(&capturing, 1)
        #expect(done?.code == .alreadyCaptured && done?.available == 0)
    }

    @Test("releases the rest of one that is captured in part, where the PSP lets go of it") func rest() throws {
        var story = try accepted(.bestEffort)
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.succeed(.capture, 0)
        let unable = refusal(&story, 0, ability: Story.anyAbility)
        #expect(unable?.code == .releaseUnsupported)
        try cancel(&story, 0)
        #expect(story.last(.void, 0)?.amount == 200 && story.order.payments[0].canceledAt == nil)
        let busy = refusal(&story, 0)
        #expect(busy?.code == .releaseInProgress)
        try story.succeed(.void, 0)
        #expect(story.order.payments[0].held == 0 && story.order.captured == 100)
        try story.refund(.items([Refund.Item(payment: story.order.payments[0].id, amount: 100)]))
        try story.succeed(.refund, 0)
        #expect(story.order.refunded == 100)
    }

    @Test("takes no refused capture for done where another one explains that the rest is gone") func phantom() throws {
        var story = try accepted(.bestEffort, [300])
        for (amount, outcome) in [(100, Outcome.approved(100)), (150, .refusedByIssuer)] as [(Int64, Outcome)] {
            try story.capture(story.items([(0, amount)], isFinal: false))
            try story.answer(.capture, 0, outcome)
        }
        let refused = try #require(story.last(.capture, 0))
        try cancel(&story, 0)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.captured == 100 && story.order.payments[0].held == 0)
        #expect(story.books.balances[.held(pspAccount: "sim-a")] == nil)
        story.report(.approved(150, "late"), of: refused.id)
        #expect(story.order.captured == 250 && story.reasons.contains(.successAfterRefusal))
    }

    @Test("says that nothing is held any more where the capture was final") func final() throws {
        var story = try accepted(.bestEffort)
        try story.capture(story.items([(0, 100)]))
        try story.succeed(.capture, 0)
        let empty = refusal(&story, 0)
        #expect(empty?.code == .nothingHeld)
        #expect(empty?.detail.contains("100 of 300 are captured") == true, "\(empty?.detail ?? "")")
    }

    @Test("tries to release a rest again that the PSP refused to, until it does") func restRefused() throws {
        var story = try accepted(.bestEffort)
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.succeed(.capture, 0)
        try cancel(&story, 0)
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        #expect(story.reasons == [.compensationRefused])
        let void = try #require(story.last(.void, 0))
        #expect(void.state == .open && void.retries == 1 && void.dueAt != nil)
        story.sleep(milliseconds: 60_000)
        let isClaimed = story.claim(void.id)
        #expect(isClaimed)
        try story.succeed(.void, 0)
        #expect(story.reasons.isEmpty && story.order.payments[0].held == 0)
    }

    @Test("gives back what turns out to have been captured") func surfacing() throws {
        var story = try accepted(.bestEffort)
        try cancel(&story, 1)
        try story.answer(.void, 1, .refusedByPSP(.alreadyCaptured))
        #expect(story.order.payments[1].captured == 200 && story.last(.refund, 1)?.amount == 200)
        try story.succeed(.refund, 1)
        #expect(story.order.status == .authorized && story.order.payments[1].net == 0)
        try story.capture()
        try story.succeed(.capture, 0)
        #expect(story.order.status == .partiallyPaid)
    }

    @Test("hears of a void in the PSP's portal beside its own once, and of a lapse too") func besideOthers() throws {
        var story = try accepted(.bestEffort)
        try cancel(&story, 1)
        let isMatched = story.notice(1, .outcome(.void, .approved(200, "portal")))
        #expect(isMatched)
        try story.succeed(.void, 1)
        #expect(story.states[1] == .voided && story.books.balances[.held(pspAccount: "sim-a")] == 300)
        var lapsing = try accepted(.bestEffort)
        try cancel(&lapsing, 1)
        _ = lapsing.notice(1, .lapsed)
        try lapsing.answer(.void, 1, .refusedByPSP(.expired))
        #expect(lapsing.order.payments[1].held == 0 && lapsing.order.status == .authorized)
    }

    @Test("gives up a capture that failed, so that nobody has to look at it") func failedCapture() throws {
        var story = try accepted(.bestEffort)
        try story.capture()
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .refusedByIssuer)
        #expect(story.reasons == [.captureFailed])
        try cancel(&story, 1)
        #expect(story.reasons.isEmpty)
        try story.succeed(.void, 1)
        #expect(story.order.status == .partiallyPaid && story.order.payments[1].held == 0)
    }

    @Test("once something is captured is refused to who may not release what is held") func scope() throws {
        var story = try accepted(.bestEffort, [300, 200, 100])
        let ids = story.order.payments.map(\.id)
        try story.request { (it) throws(RequestRefusal) in
            try it.cancel([ids[2]], mayRelease: false) { _ in Self.able }
        }
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.succeed(.capture, 0)
        for id in ids[..<2] {
            let refused = story.refusal { (it) throws(RequestRefusal) in
                try it.cancel([id], mayRelease: false) { _ in Self.able }
            }
            #expect(refused?.code == .insufficientScope)
        }
        try cancel(&story, 0, 1)
        #expect(story.count(.void) == 3)
    }

    @Test("leaves another one held whose capture failed and can be tried again") func recapturable() throws {
        for policy in [Policy.bestEffort, .required([Checkout.name(0)])] {
            var story = try accepted(policy)
            try story.capture(story.items([(0, 300)]))
            try story.answer(.capture, 0, .refusedByPSP(.configuration))
            #expect(story.states == [.captureFailed, .authorized])
            try cancel(&story, 1)
            #expect(story.order.decision.state == .accepted && story.count(.void) == 1, "\(policy)")
            try story.succeed(.void, 1)
            #expect(story.order.payments.map(\.held) == [300, 0] && story.reasons == [.captureFailed])
            try story.capture()
            try story.succeed(.capture, 0)
            #expect(story.order.status == .partiallyPaid && story.reasons.isEmpty)
        }
        var both = try accepted(.allOrNothing)
        try both.capture()
        for index in 0...1 { try both.answer(.capture, index, .refusedByPSP(.configuration)) }
        let refused = refusal(&both, 1)
        #expect(refused?.code == .policyUnsatisfied && both.order.payments.map(\.held) == [300, 200])
    }

    @Test("lets go of a part of an all-or-nothing order once the others are given back") func allOrNothing() throws {
        var story = try accepted(.allOrNothing)
        try story.capture()
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .refusedByIssuer)
        let refused = refusal(&story, 1)
        #expect(refused?.code == .policyUnsatisfied)
        try story.refund(.all)
        try story.succeed(.refund, 0)
        try cancel(&story, 1)
        try story.succeed(.void, 1)
        #expect(story.order.status == .refunded && story.order.payments[1].held == 0)
    }

    @Test("of an order that is not decided has it decided without them, and undoes what surfaces") func pending() throws
    {
        var story = try Story(Checkout(policy: .bestEffort))
        story.approve(0)
        try cancel(&story, 1)
        #expect(story.order.decision.state == .cleared)
        #expect(story.order.decision.countsOn == [story.order.payments[0].id])
        story.approve(1)
        #expect(story.last(.void, 1)?.amount == 200)
        try story.succeed(.void, 1)
        try story.succeed(.capture, 0)
        #expect(story.states == [.captured, .voided] && story.toldMerchant(1).isEmpty)
        var strict = try Story(Checkout(policy: .allOrNothing))
        strict.approve(0)
        let refused = refusal(&strict, 1)
        #expect(refused?.code == .policyUnsatisfied)
        var single = try Story(Checkout(amounts: [300]))
        try cancel(&single, 0)
        #expect(single.order.decision.state == .refused && single.order.decision.reason == .requested)
    }

    @Test("ends a buyer's step that nobody waits for any more") func step() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.approve(0)
        story.authorize(1, .buyerHasToAct())
        #expect(story.order.status == .requiresAction)
        try cancel(&story, 1)
        #expect(story.order.decision.state == .cleared && story.order.status == .processing)
        #expect(story.last(.void, 1)?.amount == 200)
        let id = story.order.payments[1].id
        let done = story.refusal { (it) throws(RequestRefusal) in try it.complete(id) }
        #expect(done?.code == .actionNotRequired)
        try story.succeed(.void, 1)
        #expect(story.states[1] == .declined)
        try story.succeed(.capture, 0)
        #expect(story.order.status == .partiallyPaid)
    }

    @Test("is refused precisely") func refusals() throws {
        var story = try accepted(.bestEffort)
        let twice = refusal(&story, 1, 1)
        #expect(twice?.code == .repeatedPayment)
        let none = refusal(&story)
        #expect(none?.code == .invalidAmount)
        let stranger = try Story(Checkout(amounts: [1, 2, 3])).order.payments[2].id
        let unknown = story.refusal { (it) throws(RequestRefusal) in try it.cancel([stranger]) { _ in Self.able } }
        #expect(unknown?.code == .unknownPayment)
        var cleared = try Story(Checkout(policy: .bestEffort))
        cleared.approve(0, 1)
        let clearing = refusal(&cleared, 1)
        #expect(clearing?.code == .captureInProgress)
        var declined = try Story(Checkout(policy: .bestEffort))
        declined.decline(1)
        let gone = refusal(&declined, 1)
        #expect(gone?.code == .notCancelable)
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        let over = refusal(&story, 1)
        #expect(over?.code == .notCancelable)
    }
}
