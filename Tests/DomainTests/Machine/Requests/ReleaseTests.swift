import Domain
import Testing

@Suite("Letting go of what captures left")
struct ReleaseTests {
    private static let able = CaptureAbility(partial: true, multiple: true, releasesRest: true)
    private static let unable = CaptureAbility(partial: true, multiple: true)

    private func release(
        _ story: inout Story,
        _ request: ReleaseRequest = .whole,
        _ ability: CaptureAbility = able
    ) throws(RequestRefusal) {
        try story.request { (it) throws(RequestRefusal) in try it.release(request) { _ in ability } }
    }

    private func refusal(
        _ story: inout Story,
        _ request: ReleaseRequest = .whole,
        _ ability: CaptureAbility = able
    ) -> RequestRefusal? {
        story.refusal { (it) throws(RequestRefusal) in try it.release(request) { _ in ability } }
    }

    /// Two holds, of the first of which 100 are captured and the rest is kept.
    private func partly(_ policy: Policy = .bestEffort) throws -> Story {
        var story = try Story.accepted(Checkout(amounts: [300, 200], policy: policy))
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.succeed(.capture, 0)
        #expect(story.order.payments.map(\.held) == [200, 200])
        return story
    }

    @Test("voids what is held beyond what is captured, and nothing else") func rest() throws {
        var story = try partly()
        try release(&story, .payments([story.order.payments[0].id]))
        #expect(story.last(.void, 0)?.amount == 200)
        try story.succeed(.void, 0)
        #expect(story.order.payments.map(\.held) == [0, 200])
        #expect(story.order.payments.map(\.captured) == [100, 0])
        #expect(story.books.balances[.held(pspAccount: "sim-a")] == 200)
        #expect(story.order.attention == [])
        let again = refusal(&story, .payments([story.order.payments[0].id]))
        #expect(again?.code == .nothingHeld)
    }

    @Test("without payments is of all that is held") func whole() throws {
        var story = try partly()
        try release(&story)
        try story.succeed(.void, 0)
        try story.succeed(.void, 1)
        #expect(story.order.payments.allSatisfy { $0.held == 0 } && story.order.captured == 100)
        #expect(story.order.decision.state == .accepted)
        let refused1 = refusal(&story)
        #expect(refused1?.code == .nothingHeld)
    }

    @Test("is refused precisely") func refusals() throws {
        var story = try partly()
        let ids = story.order.payments.map(\.id)
        let lapse = try #require(story.order.payments[0].attempt.expiresAt)
        let unable = refusal(&story, .payments([ids[0]]), Self.unable)
        #expect(unable?.code == .releaseUnsupported && unable?.payment == ids[0])
        #expect(unable?.detail.contains("\(lapse)") == true, "\(unable?.detail ?? "")")
        let refused2 = refusal(&story, .payments([]))
        #expect(refused2?.code == .invalidAmount)
        let refused3 = refusal(&story, .payments([ids[1], ids[1]]))
        #expect(refused3?.code == .repeatedPayment)
        let refused4 = refusal(&story, .payments([try Story(Checkout(amounts: [1, 2, 3])).order.payments[2].id]))
        #expect(refused4?.code == .unknownPayment)
        try story.capture(story.items([(0, 50)], isFinal: false))
        let busy = refusal(&story)
        #expect(busy?.code == .captureInProgress && busy?.payment == ids[0])
        try story.succeed(.capture, 0)
        try release(&story, .payments([ids[0]]))
        let refused5 = refusal(&story, .payments([ids[0]]))
        #expect(refused5?.code == .releaseInProgress)
        var paid = try Story.captured()
        let refused6 = refusal(&paid)
        #expect(refused6?.code == .notReleasable)
        var strict = try Story.accepted(Checkout())
        let refused7 = refusal(&strict)
        #expect(refused7?.code == .notReleasable)
    }

    @Test("of a whole hold that the PSP refused is not asked again once a capture turns out to have succeeded")
    func lateCapture() throws {
        var story = try Story.accepted(Checkout(policy: .bestEffort))
        try story.capture(story.items([(0, 100)], isFinal: false))
        let capture = try #require(story.last(.capture, 0)).id
        try story.answer(.capture, 0, .refusedByIssuer)
        story.sleep(milliseconds: 1000)
        try release(&story, .payments([story.order.payments[0].id]), Self.unable)
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        story.sleep(milliseconds: 1000)
        story.report(.approved(100, "late"), of: capture)
        #expect(story.order.payments[0].captured == 100 && story.order.payments[0].held == 200)
        #expect(story.order.payments[0].attempt.openOperations.isEmpty && story.count(.void) == 1)
    }

    @Test("is tried again after a refusal by the PSP, and not after an operator's word that it was refused")
    func word() throws {
        for isOperator in [false, true] {
            var story = try partly()
            try release(&story, .payments([story.order.payments[0].id]))
            let void = try #require(story.last(.void, 0)).id
            if isOperator {
                try story.answer(.void, 0, .timedOut)
                try story.request { (it) throws(RequestRefusal) in
                    try it.resolve(void, .failed, .init(evidence: "dashboard", reason: "refused there", by: "ada"))
                }
            } else {
                try story.answer(.void, 0, .refusedByPSP(.configuration))
            }
            #expect(story.order.payments[0].attempt.openOperations.isEmpty == isOperator)
        }
    }

    @Test("of a payment that nothing is captured of needs no ability but a void") func untouched() throws {
        var story = try partly()
        try release(&story, .payments([story.order.payments[1].id]), Self.unable)
        try story.succeed(.void, 1)
        #expect(story.states[1] == .voided)
    }

    @Test("is still done when the hold lapses, if nobody asked for it") func lapse() throws {
        var story = try partly()
        let end = try #require(story.order.payments[0].attempt.expiresAt)
        story.wait(milliseconds: end.milliseconds(since: Checkout.placedAt))
        #expect(story.last(.void, 0) != nil)
    }

    @Test("done after all, while what it released is being captured, is kept and tells a person until that is refused")
    func doneBesideACapture() throws {
        var story = try Story.accepted(Checkout(amounts: [300], policy: .bestEffort))
        let request = ReleaseRequest.payments([story.order.payments[0].id])
        try story.request { (it) throws(RequestRefusal) in try it.release(request) { _ in Story.anyAbility } }
        try story.answer(.void, 0, .timedOut)
        let void = try #require(story.last(.void, 0))
        story.sleep(milliseconds: 3_600_000)
        try story.request { (it) throws(RequestRefusal) in
            try it.resolve(void.id, .failed, .init(evidence: "dashboard", reason: "refused there", by: "ada"))
        }
        try story.capture(story.items([(0, nil)]))
        try story.answer(.capture, 0, .inProgress)
        let about = Notice.Subject(operation: void.id.text, object: "vd_1")
        let isMatched = story.hear(Notice(about: about, .outcome(.void, .approved(300, "vd_1"))))
        #expect(isMatched && story.reasons.contains(.overCaptured))
        try story.answer(.capture, 0, .refusedByPSP(.alreadyVoided))
        #expect(!story.reasons.contains(.overCaptured))
        #expect(story.order.captured == 0 && story.order.payments[0].held == 0)
    }
}
