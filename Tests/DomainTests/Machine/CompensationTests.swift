import Domain
import Testing

/// What a PSP keeps refusing to release or to give back.
@Suite("A compensation that a PSP keeps refusing")
struct CompensationTests {
    private static let hour: Int64 = 3_600_000

    /// A refused order whose first payment has to be released, or given back.
    private static func refused(_ kind: Operation.Kind) throws -> Story {
        var story = try Story()
        if kind == .void {
            story.approve(0)
        } else {
            story.authorize(0, .succeeded(Success(reference: "psp-0", amount: 300, capturedAmount: 300)))
        }
        story.decline(1)
        return story
    }

    /// Lets the PSP refuse until nothing is tried any more, and answers how often it was asked.
    private static func refuse(
        _ kind: Operation.Kind,
        _ outcome: Outcome,
        in story: inout Story,
        atMost limit: Int = 200
    ) throws -> Int {
        var count = 0
        while count < limit, let open = story.order.payments[0].attempt.openOperations.last {
            story.sleep(milliseconds: hour)
            if open.leasedBy == nil { _ = story.claim(open.id) }
            try story.answer(open.kind, 0, outcome)
            count += 1
        }
        return count
    }

    @Test(
        "is tried ten times, then rests with one attention item",
        arguments: [Operation.Kind.void, .refund],
        [Outcome.refusedByPSP(.configuration), .refusedByPSP(.unsupported), .refusedByIssuer]
    )
    func rests(kind: Operation.Kind, outcome: Outcome) throws {
        var story = try Self.refused(kind)
        let asked = try Self.refuse(kind, outcome, in: &story)
        #expect(asked == 10)
        #expect(story.order.status == .compensating)
        #expect(story.order.attention.map(\.reason) == [.compensationRefused])
        #expect(story.order.attention.map(\.amountAtRisk) == [300])
        #expect(story.told("order.attention_required") == 1)
        #expect(story.count(kind) == (outcome == .refusedByIssuer ? 10 : 1))
        for _ in 0..<48 { story.wait(milliseconds: Self.hour) }
        #expect(story.order.payments[0].attempt.openOperations.isEmpty)
    }

    @Test("that waits for settlement is tried for days, and rests then too")
    func settlement() throws {
        var story = try Self.refused(.refund)
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        try story.answer(.reverse, 0, .refusedByPSP(.unsupported))
        let asked = try Self.refuse(.refund, .refusedByPSP(.notSettledYet), in: &story)
        #expect(asked == 124)
        #expect(story.count(.refund) == 1 && story.count(.reverse) == 1)
        #expect(story.order.attention.map(\.reason) == [.compensationRefused])
    }

    @Test("that was given back and failed after all, time and again, is bounded alike, and told once")
    func reversed() throws {
        var story = try Self.refused(.refund)
        for _ in 0..<40 {
            guard let refund = story.order.payments[0].attempt.openOperations.last else { break }
            story.sleep(milliseconds: Self.hour)
            if refund.leasedBy == nil { _ = story.claim(refund.id) }
            let name = "re-\(refund.id)"
            try story.answer(.refund, 0, .approved(300, name))
            let attempt = story.order.payments[0].attempt.id.text
            let rejection = Rejection(.unsupported, code: "closed", message: "The account is closed.")
            _ = story.hear(Notice(about: .init(attempt: attempt, object: name), .reversed(.refund, rejection)))
        }
        #expect(story.count(.refund) == 10)
        let reasons = Set(story.order.attention.map(\.reason))
        #expect(reasons.isSubset(of: [.refundFailed, .compensationRefused]))
        #expect(story.order.attention.count == reasons.count)
    }

    @Test("keeps nothing from being given back, if it is the release of what else is held")
    func givenBackBesideAHold() throws {
        var story = try Story.accepted(Checkout(policy: .bestEffort))
        let payment = story.order.payments[0]
        try story.request { (it) throws(RequestRefusal) in try it.cancel([payment.id]) { _ in Story.anyAbility } }
        let capture = Notice(
            about: .init(attempt: payment.attempt.id.text, object: "cap_9"),
            .outcome(.capture, .approved(100, "cap_9"))
        )
        let isMatched = story.hear(capture, severalCaptures: true)
        #expect(isMatched && story.order.payments[0].held == 200)
        let asked = try Self.refuse(.void, .refusedByPSP(.configuration), in: &story, atMost: 10)
        #expect(asked == 10 && story.last(.void, 0)?.isOpen == false && story.last(.refund, 0)?.amount == 100)
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        #expect(story.count(.reverse) == 0)
        story.sleep(milliseconds: Self.hour)
        let isClaimed = story.claim(try #require(story.last(.refund, 0)).id)
        #expect(isClaimed)
        try story.succeed(.refund, 0)
        #expect(story.order.payments[0].net == 0 && story.order.payments[0].held == 200)
        #expect(story.order.payments[0].attempt.openOperations.isEmpty && story.reasons.contains(.compensationRefused))
    }

    @Test("is tried once more when a person asks for it, under another key, and rests again if it is refused again")
    func retried() throws {
        var story = try Self.refused(.void)
        _ = try Self.refuse(.void, .refusedByPSP(.configuration), in: &story)
        let rested = try #require(story.last(.void, 0))
        try story.request { (it) throws(RequestRefusal) in try it.retry(nil, by: "ada") }
        let again = try #require(story.last(.void, 0))
        #expect(again.id == rested.id && again.retries == rested.retries + 1)
        #expect(again.leasedBy == "one" && again.sendings == 1)
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        #expect(story.order.payments[0].attempt.openOperations.isEmpty)
        #expect(story.order.attention.count == 1)
        try story.request { (it) throws(RequestRefusal) in try it.retry(rested.id, by: "ada") }
        try story.succeed(.void, 0)
        #expect(story.order.status == .failed)
        #expect(story.order.attention.isEmpty)
    }

    @Test("releases what is held by then when a person asks for it, also if that is less than was refused")
    func retriedForLess() throws {
        var story = try Self.refused(.void)
        _ = try Self.refuse(.void, .refusedByPSP(.configuration), in: &story)
        let attempt = story.order.payments[0].attempt.id.text
        let capture = Notice(
            about: .init(attempt: attempt, object: "cap_9"),
            .outcome(.capture, .approved(100, "cap_9"))
        )
        let isMatched = story.hear(capture, severalCaptures: true)
        #expect(isMatched)
        try story.succeed(.refund, 0)
        #expect(story.order.payments[0].held == 200 && story.order.payments[0].attempt.openOperations.isEmpty)
        try story.request { (it) throws(RequestRefusal) in try it.retry(nil, by: "ada") }
        #expect(story.last(.void, 0)?.amount == 200)
        try story.succeed(.void, 0)
        #expect(story.order.status == .failed && story.order.attention.isEmpty)
    }

    @Test("ends by an operator's word as well")
    func resolved() throws {
        var story = try Self.refused(.void)
        _ = try Self.refuse(.void, .refusedByPSP(.configuration), in: &story)
        let void = try #require(story.last(.void, 0))
        try story.request { (it) throws(RequestRefusal) in
            try it.resolve(void.id, .succeeded(), .init(evidence: "dashboard", reason: "released there", by: "ada"))
        }
        #expect(story.order.status == .failed)
        #expect(!story.order.attention.contains { $0.reason == .compensationRefused })
    }

    @Test("leaves nothing to retry once nothing rests")
    func nothingToRetry() throws {
        var story = try Self.refused(.void)
        let inFlight = story.refusal { (it) throws(RequestRefusal) in
            try it.retry(it.order.payments[0].attempt.all(.void)[0].id, by: "ada")
        }
        #expect(inFlight?.code == .operationInFlight)
        try story.succeed(.void, 0)
        let nothing = story.refusal { (it) throws(RequestRefusal) in try it.retry(nil, by: "ada") }
        #expect(nothing?.code == .nothingToRetry)
    }

    @Test("is replaced by one over what is left when the PSP says that so much is not")
    func replaced() throws {
        var story = try Self.refused(.refund)
        try story.answer(.refund, 0, .timedOut)
        let attempt = story.order.payments[0].attempt.id.text
        let dispute = DisputeNotice(state: .opened, amount: 120)
        _ = story.hear(Notice(about: .init(attempt: attempt, object: "dp_1"), .dispute(dispute)))
        try story.answer(.refund, 0, .refusedByPSP(.amountTooLarge))
        #expect(story.count(.refund) == 2)
        #expect(story.last(.refund, 0)?.amount == 180)
        try story.succeed(.refund, 0)
        #expect(story.order.payments[0].refunded == 180)
        #expect(story.order.status == .failed)
    }

    @Test("a refund that somebody asked for gives the buyer what a dispute left of it")
    func askedFor() throws {
        var story = try Story.captured()
        try story.refund(story.shares((0, 300)))
        try story.answer(.refund, 0, .timedOut)
        let attempt = story.order.payments[0].attempt.id.text
        let dispute = DisputeNotice(state: .opened, amount: 120)
        _ = story.hear(Notice(about: .init(attempt: attempt, object: "dp_1"), .dispute(dispute)))
        try story.answer(.refund, 0, .refusedByPSP(.amountTooLarge))
        #expect(story.last(.refund, 0)?.amount == 180)
        try story.succeed(.refund, 0)
        #expect(story.order.payments[0].refunded == 180)
        #expect(story.order.attention.isEmpty)
    }

    @Test("that waits for settlement goes on over what is left, however long it waited, if a dispute takes a part")
    func lessAfterSettlement() throws {
        var story = try Self.refused(.refund)
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        try story.answer(.reverse, 0, .refusedByPSP(.unsupported))
        let asked = try Self.refuse(.refund, .refusedByPSP(.notSettledYet), in: &story, atMost: 20)
        #expect(asked == 20)
        let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "dp_1")
        let isMatched = story.hear(Notice(about: about, .dispute(DisputeNotice(state: .opened, amount: 100))))
        #expect(isMatched)
        let next = try #require(story.last(.refund, 0))
        #expect(next.isOpen && next.amount == 200)
        story.sleep(milliseconds: Self.hour)
        let isClaimed = story.claim(next.id)
        #expect(isClaimed)
        story.report(.approved(200, "re_1"), of: next.id)
        #expect(story.order.refunded == 200 && story.reasons.isEmpty)
    }

    @Test("is tried once more over what is left when a person asks for it, though somebody else gave back a part")
    func retriedOverTheRest() throws {
        var story = try Self.refused(.refund)
        _ = try Self.refuse(.refund, .refusedByPSP(.configuration), in: &story)
        let about = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "re_9")
        let isMatched = story.hear(Notice(about: about, .outcome(.refund, .approved(100, "re_9"))))
        #expect(isMatched && story.order.payments[0].attempt.openOperations.isEmpty)
        try story.request { (it) throws(RequestRefusal) in try it.retry(nil, by: "ada") }
        let again = try #require(story.last(.refund, 0))
        #expect(again.origin == .gateway && again.isOpen && again.amount == 200)
    }

    @Test("of several refunds that rest claims no more than there is when a person asks for all of them")
    func retriedTogether() throws {
        var story = try Story.captured(Checkout(amounts: [100]))
        for _ in 0..<2 {
            try story.refund(.amount(60))
            _ = try Self.refuse(.refund, .refusedByPSP(.amountTooLarge), in: &story)
        }
        #expect(story.order.payments[0].attempt.openOperations.isEmpty)
        try story.request { (it) throws(RequestRefusal) in try it.retry(nil, by: "ada") }
        #expect(story.order.payments[0].attempt.openOperations.map(\.amount) == [60])
    }
}
