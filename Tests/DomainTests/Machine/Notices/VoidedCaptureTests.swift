import Domain
import Testing

@Suite("A void of a captured payment that has not settled, told by the PSP")
struct VoidedCaptureTests {
    private static func void(_ story: Story, object: String? = nil, _ reference: String? = "trans_1") -> Notice {
        let subject = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: object)
        return Notice(about: subject, .outcome(.void, .succeeded(Success(reference: reference, amount: 300))))
    }

    private static func expectVoided(_ story: Story) {
        #expect(story.order.captured == 300 && story.order.refunded == 300)
        #expect(story.order.status == .refunded)
        #expect(story.reasons == [.captureVoided])
        #expect(story.order.attention.first?.amountAtRisk == 300)
        let reversals = story.order.payments[0].attempt.all(.reverse)
        #expect(reversals.map(\.origin) == [.psp] && reversals.map(\.doneAmount) == [300])
        #expect(story.books.balances.isEmpty)
        #expect(story.books.entries.contains { $0.operation == reversals[0].id && $0.kind == .refund })
        #expect(story.told("payment.refunded_by_psp") == 1)
        #expect(story.toldMarketplace.count { $0 == .paymentRefunded } == 1)
        #expect(story.toldMerchant(0).count { $0 == .paymentRefunded } == 1)
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test("gives everything captured back, once, whether it names itself or not", arguments: [nil, "vd_1"])
    func gives(_ object: String?) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        for _ in 0..<3 {
            let isMatched = story.hear(Self.void(story, object: object))
            #expect(isMatched)
        }
        Self.expectVoided(story)
    }

    @Test("gives everything back although it is told before the capture is answered", arguments: [nil, "vd_1"])
    func beforeTheAnswer(_ object: String?) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        let isMatched = story.hear(Self.void(story, object: object))
        #expect(isMatched)
        try story.succeed(.capture, 0)
        _ = story.hear(Self.void(story, object: object))
        Self.expectVoided(story)
    }

    @Test("gives a sale in one call back, and a capture made at the PSP") func otherCaptures() throws {
        let sale = Checkout(amounts: [300], policy: .bestEffort, onDeadline: .continue)
        var story = try Story(sale)
        story.authorize(0, .succeeded(Success(reference: "trans_1", amount: 300, capturedAmount: 300)))
        _ = story.hear(Self.void(story))
        Self.expectVoided(story)
        var manual = try Story.accepted(Checkout(amounts: [300]))
        _ = manual.hear(Self.void(manual))
        #expect(manual.reasons.isEmpty && manual.states == [.voided])
        _ = manual.notice(0, .outcome(.capture, .approved(300, "cap_9")), object: "cap_9")
        #expect(manual.order.captured == 300 && manual.order.refunded == 300)
        #expect(manual.reasons == [.captureVoided])
    }

    @Test("of what a partial capture left held is a release") func rest() throws {
        for isVoidedFirst in [false, true] {
            var story = try Story.accepted(Checkout(amounts: [300]))
            let subject = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "cap_9")
            let capture = Notice(about: subject, .outcome(.capture, .approved(100, "cap_9")))
            if isVoidedFirst { _ = story.hear(Self.void(story, object: "vd_1"), severalCaptures: true) }
            _ = story.hear(capture, severalCaptures: true)
            if !isVoidedFirst { _ = story.hear(Self.void(story, object: "vd_1"), severalCaptures: true) }
            #expect(story.order.captured == 100 && story.order.refunded == 0)
            #expect(story.order.payments[0].held == 0)
            #expect(story.count(.reverse) == 0 && story.reasons.isEmpty)
        }
    }

    @Test("of what a partial capture left held is a release also before the approval is known")
    func unapproved() throws {
        for isVoidedFirst in [false, true] {
            var story = try Story(Checkout(amounts: [300]))
            let subject = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "cap_9")
            let capture = Notice(about: subject, .outcome(.capture, .approved(100, "cap_9")))
            if isVoidedFirst { _ = story.hear(Self.void(story, object: "vd_1"), severalCaptures: true) }
            _ = story.hear(capture, severalCaptures: true)
            if !isVoidedFirst { _ = story.hear(Self.void(story, object: "vd_1"), severalCaptures: true) }
            #expect(story.told("payment.refunded_by_psp") == 0 && story.order.refunded == 0)
            story.approve(0)
            #expect(story.told("payment.refunded_by_psp") == 0 && story.count(.reverse) == 0)
            #expect(story.order.captured == 100 && story.order.refunded == 0 && story.order.payments[0].held == 0)
        }
    }

    @Test("behind a capture in part that the PSP calls the last gives that back, whichever is told first")
    func lastOfSeveral() throws {
        for isVoidedFirst in [false, true] {
            var story = try Story.accepted(Checkout(amounts: [300]))
            var taken = Success(reference: "cap_9", amount: 100)
            taken.isFinal = true
            let subject = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "cap_9")
            if isVoidedFirst { _ = story.hear(Self.void(story, object: "vd_1"), severalCaptures: true) }
            _ = story.hear(Notice(about: subject, .outcome(.capture, .succeeded(taken))), severalCaptures: true)
            #expect(story.order.payments[0].held == 0)
            if !isVoidedFirst { _ = story.hear(Self.void(story, object: "vd_1"), severalCaptures: true) }
            #expect(story.order.captured == 100 && story.order.refunded == 100)
            #expect(story.count(.reverse) == 1 && story.reasons == [.captureVoided])
        }
    }

    @Test("is none if it is ours: a void, or the void of a capture") func ours() throws {
        var story = try Story.accepted(Checkout(amounts: [300]))
        try story.request { (it) throws(RequestRefusal) in try it.cancel() }
        try story.succeed(.void, 0)
        _ = story.hear(Self.void(story))
        #expect(story.count(.reverse) == 0 && story.order.status == .canceled)
        var refunding = try Story.captured(Checkout(amounts: [300]))
        try refunding.refund(.all)
        try refunding.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        try refunding.answer(.reverse, 0, .timedOut)
        _ = refunding.hear(Self.void(refunding, object: "vd_1"))
        _ = refunding.hear(Self.void(refunding, object: "vd_1"))
        #expect(refunding.count(.reverse) == 1 && refunding.order.status == .refunded)
        #expect(refunding.reasons.isEmpty)
    }

    @Test("is none if the hold had lapsed by itself") func lapsed() throws {
        for isLapsedFirst in [false, true] {
            var story = try Story.accepted(Checkout(amounts: [300]))
            try story.capture()
            if isLapsedFirst { _ = story.notice(0, .lapsed) }
            try story.succeed(.capture, 0)
            if !isLapsedFirst { _ = story.notice(0, .lapsed) }
            #expect(story.order.captured == 300 && story.order.refunded == 0)
            #expect(story.reasons.isEmpty)
        }
    }

    @Test("that failed after all leaves the captures standing") func failed() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        _ = story.hear(Self.void(story, object: "vd_1"))
        _ = story.notice(0, .reversed(.void, .later), object: "vd_1")
        #expect(story.order.refunded == 0 && story.order.status == .paid)
    }

    @Test("of another transaction is the void of a refund that had not settled, or waits for it") func refunds() throws
    {
        var story = try Story.captured(Checkout(amounts: [300]))
        let void = Notice(
            about: .init(attempt: story.order.payments[0].attempt.id.text, payment: "re_9"),
            .outcome(.void, .approved(100, "re_9"))
        )
        let isEarly = story.hear(void)
        _ = story.notice(0, .outcome(.refund, .approved(100, "re_9")), object: "re_9")
        let isLate = story.hear(void)
        #expect(!isEarly && isLate)
        #expect(story.order.captured == 300 && story.order.refunded == 0 && story.order.status == .paid)
        #expect(story.reasons == [.refundFailed])
    }
}
