import Domain
import Testing

@Suite("Refusing an order")
struct RefusingTests {
    /// Waits for the next try of an undoing, sends it, and lets it succeed.
    private static func succeedNextTry(of kind: Operation.Kind, _ story: inout Story) throws {
        story.sleep(milliseconds: 3_600_000)
        let isClaimed = story.claim(try #require(story.last(kind, 0)).id)
        #expect(isClaimed)
        try story.succeed(kind, 0)
    }

    @Test("voids what is held as soon as one payment of an all-or-nothing order is declined, and fails")
    func voidsOnDecline() throws {
        var story = try Story(Checkout(amounts: [300, 200, 100]))
        story.approve(0)
        story.decline(1)
        #expect(story.order.decision.state == .refused)
        #expect(story.order.decision.reason == .policyUnsatisfiable)
        #expect(story.order.decision.countsOn.isEmpty)
        #expect(story.states == [.voiding, .declined, .authorizing])
        #expect(story.order.status == .compensating)
        try story.succeed(.void, 0)
        #expect(story.order.status == .compensating)
        story.decline(2)
        #expect(story.order.status == .failed)
        #expect(story.states == [.voided, .declined, .declined])
        #expect(story.count(.capture) == 0)
    }

    @Test("voids a late authorization, whenever it surfaces")
    func voidsLateAuthorizations() throws {
        var story = try Story()
        story.decline(0)
        story.authorize(1, .timedOut)
        #expect(story.states[1] == .unresolved)
        #expect(story.order.status == .compensating)
        story.sleep(milliseconds: 3_600_000)
        story.approve(1)
        #expect(story.order.decision.state == .refused)
        #expect(story.states[1] == .voiding)
        try story.succeed(.void, 1)
        #expect(story.order.status == .failed)
    }

    @Test("refunds a late one-call sale")
    func refundsLateSales() throws {
        var story = try Story()
        story.decline(0)
        story.authorize(1, .succeeded(Success(reference: "psp-1", amount: 200, capturedAmount: 200)))
        #expect(story.order.captured == 200)
        #expect(story.last(.refund, 1)?.amount == 200)
        try story.succeed(.refund, 1)
        #expect(story.order.status == .failed)
        #expect(story.order.refunded == 200)
        #expect(story.books.balances.isEmpty)
    }

    @Test(
        "takes a void answered alreadyVoided or expired for done",
        arguments: [Rejection.Reason.alreadyVoided, .expired]
    )
    func takesVoidsForDone(_ reason: Rejection.Reason) throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(reason))
        #expect(story.states[0] == .voided)
        #expect(story.order.status == .failed)
        #expect(story.order.attention.isEmpty)
    }

    @Test(
        "refunds what a void finds already captured: what the PSP tells of it, or all that was held",
        arguments: [(nil, 300), (0, 300), (120, 120), (300, 300)] as [(Int64?, Int64)]
    )
    func refundsWhenAlreadyCaptured(told: Int64?, captured: Int64) throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        let rejection = Rejection(.alreadyCaptured, code: "captured", message: "It is captured.", captured: told)
        try story.answer(.void, 0, .rejected(rejection))
        #expect(story.order.captured == captured)
        #expect(story.last(.refund, 0)?.amount == captured)
        #expect(story.told("payment.captured_by_psp") == 1)
        try story.succeed(.refund, 0)
        #expect(story.order.status == .failed)
        #expect(story.books.balances.isEmpty)
        #expect(story.order.attention.isEmpty)
    }

    @Test("reverses the whole capture when a refund finds it not settled yet")
    func reversesUnsettledCaptures() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        #expect(story.last(.reverse, 0)?.amount == 300)
        #expect(story.count(.refund) == 1)
        #expect(story.order.attention.isEmpty)
        try story.succeed(.reverse, 0)
        #expect(story.order.status == .failed)
        #expect(story.order.refunded == 300)
        #expect(story.books.balances.isEmpty)
    }

    @Test("takes a reversal for the whole capture, whatever amount the PSP names")
    func reversesAll() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        try story.answer(.reverse, 0, .approved(0))
        #expect(story.order.refunded == 300)
        #expect(story.order.status == .failed)
    }

    @Test("waits for settlement when the reversal is refused as well, a step longer each time")
    func waitsForSettlement() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        try story.answer(.reverse, 0, .refusedByPSP(.unsupported))
        #expect(story.order.attention.map(\.reason) == [.compensationRefused])
        #expect(story.order.attention.first?.amountAtRisk == 300)
        let pauses: [Int64] = [1000, 5000, 30_000, 120_000, 600_000, 3_600_000, 3_600_000]
        for pause in pauses {
            let refund = try #require(story.last(.refund, 0))
            #expect(refund.leasedBy == nil && refund.sendings == 0)
            #expect(refund.dueAt == story.now.adding(milliseconds: pause))
            let isEarly = story.claim(refund.id)
            story.sleep(milliseconds: pause)
            let isInTime = story.claim(refund.id)
            #expect(!isEarly)
            #expect(isInTime)
            try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        }
        #expect(story.count(.reverse) == 1)
        try Self.succeedNextTry(of: .refund, &story)
        #expect(story.order.status == .failed)
        #expect(story.order.attention.isEmpty)
    }

    @Test("tells a person once of a void that is refused again and again")
    func tellsOnceOfRefusedVoids() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        for _ in 0..<3 {
            try story.answer(.void, 0, .refusedByPSP(.configuration))
            story.sleep(milliseconds: 3_600_000)
            let isClaimed = story.claim(try #require(story.last(.void, 0)).id)
            #expect(isClaimed)
        }
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        #expect(story.order.attention.map(\.reason) == [.compensationRefused])
        #expect(story.told("order.attention_required") == 1)
        try Self.succeedNextTry(of: .void, &story)
        #expect(story.order.attention.isEmpty)
    }

    @Test(
        "tries a void again that is refused without a reason we know, and tells a person",
        arguments: [Outcome.refusedByPSP(.configuration), .refusedByIssuer]
    )
    func retriesRefusedVoids(_ refusal: Outcome) throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, refusal)
        #expect(story.order.status == .compensating)
        let attention = try #require(story.order.attention.first)
        #expect(attention.reason == .compensationRefused)
        #expect(attention.amountAtRisk == 300)
        // What a PSP refused without making anything is begun anew; what it declined is replaced.
        #expect(story.count(.void) == (refusal == .refusedByIssuer ? 2 : 1))
        #expect(story.last(.void, 0)?.dueAt == story.now.adding(milliseconds: 1000))
        try Self.succeedNextTry(of: .void, &story)
        #expect(story.order.status == .failed)
        #expect(story.order.attention.isEmpty)
    }

    @Test("takes a PSP that does not show an authorized payment yet for doubt, and asks again before a person is told")
    func notShownYet() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(.notFound))
        #expect(story.last(.void, 0)?.state == .unknown(reason: "the PSP has no trace of it"))
        #expect(story.order.attention.isEmpty && story.order.status == .compensating)
        try story.succeed(.void, 0)
        #expect(story.order.status == .failed && story.count(.void) == 1)
        let manual = try Story.accepted(Checkout(amounts: [300]))
        var capturing = manual
        try capturing.capture()
        try capturing.answer(.capture, 0, .refusedByPSP(.notFound))
        #expect(capturing.states == [.capturing] && capturing.order.attention.isEmpty)
        try capturing.succeed(.capture, 0)
        #expect(capturing.order.status == .paid)
    }

    @Test("refunds again, later, what a refund left over, and tells a person")
    func refundsTheRest() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        try story.answer(.refund, 0, .approved(100))
        #expect(story.order.refunded == 100)
        #expect(story.order.attention.map(\.reason) == [.amountMismatch])
        #expect(story.last(.refund, 0)?.amount == 200)
        #expect(story.last(.refund, 0)?.dueAt == story.now.adding(milliseconds: 1000))
        try story.succeed(.refund, 0)
        #expect(story.order.status == .failed)
        #expect(story.books.balances.isEmpty)
    }

    @Test("is not answered before each void has had a first reply, but at most for the grace")
    func answersAfterVoids() throws {
        var story = try Story(Checkout(amounts: [300, 200, 100]))
        story.approve(0, 1)
        story.decline(2)
        #expect(!story.order.isAnswerable(at: story.now, graceMilliseconds: 2000))
        try story.answer(.void, 0, .timedOut)
        #expect(!story.order.isAnswerable(at: story.now, graceMilliseconds: 2000))
        let later = story.now.adding(milliseconds: 2000)
        #expect(story.order.isAnswerable(at: later, graceMilliseconds: 2000))
        try story.succeed(.void, 1)
        #expect(story.order.isAnswerable(at: story.now, graceMilliseconds: 2000))
    }

    @Test("is answered once") func answersOnce() throws {
        var story = try Story(Checkout(amounts: [300]))
        var answers: [Bool] = []
        story.step { answers.append($0.answer()) }
        story.decline(0)
        story.step { answers.append($0.answer()) }
        story.step { answers.append($0.answer()) }
        #expect(answers == [false, true, false])
        #expect(story.order.isAnswered)
    }
}
