import Domain
import SeededRandom
import Testing

@Suite("Lapsing holds")
struct ExpiryTests {
    private func accepted(_ policy: Policy, lapses: [Int64] = [50_000_000, 60_000_000]) throws -> Story {
        var story = try Story(Checkout(policy: policy, capture: .manual))
        for (index, lapse) in lapses.enumerated() {
            let success = Success(
                reference: "psp-\(index)",
                amount: story.order.payments[index].amount,
                expiresAt: story.now.adding(milliseconds: lapse)
            )
            story.authorize(index, .succeeded(success))
        }
        return story
    }

    @Test("live from when they were asked for, where the PSP tells no end, however late they are heard of")
    func heardLate() throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        let asked = story.now
        story.sleep(milliseconds: 10_000)
        let id = story.order.payments[0].attempt.authorization.id
        story.step {
            let timings = ReportTimings(authorizationLifeMilliseconds: 604_800_000)
            $0.hear(Report(operation: id, outcome: .approved(300), timings: timings))
        }
        #expect(story.order.payments[0].attempt.expiresAt == asked.adding(milliseconds: 604_800_000))
        // What the PSP worked on was held later than it was asked for.
        var worked = try Story(Checkout(amounts: [300], capture: .manual))
        worked.authorize(0, .inProgress)
        worked.sleep(milliseconds: 10_000)
        worked.authorize(0, .approved(300))
        #expect(worked.order.payments[0].attempt.expiresAt == worked.now.adding(milliseconds: 604_800_000))
    }

    @Test(
        "of which the PSP told that it works on them live from when it says that they were made, at most from when they are heard of",
        arguments: [
            // When it happened, when it was taken in, and what counts, each in milliseconds behind the request.
            (5000, nil, 5000), (nil, 6000, 6000), (5000, 6000, 5000), (nil, nil, 10_000), (20_000, nil, 10_000),
            (-5000, nil, 0),
        ] as [(Int64?, Int64?, Int64)]
    )
    func workedOn(_ row: (happened: Int64?, received: Int64?, lived: Int64)) throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        let asked = story.now
        story.authorize(0, .inProgress)
        story.sleep(milliseconds: 10_000)
        let id = story.order.payments[0].attempt.id.text
        let isMatched = story.hear(
            Notice(
                about: .init(attempt: id),
                .outcome(.authorize, .approved(300)),
                at: row.happened.map { asked.adding(milliseconds: $0) }
            ),
            receivedAt: row.received.map { asked.adding(milliseconds: $0) }
        )
        #expect(isMatched)
        #expect(
            story.order.payments[0].attempt.expiresAt == asked.adding(milliseconds: 604_800_000 + row.lived)
        )
    }

    @Test("cancel an accepted all-or-nothing order when the first of them passes, and void everything")
    func cancel() throws {
        var story = try accepted(.allOrNothing)
        #expect(story.order.decision.state == .accepted)
        #expect(story.wake == 25_000_000)
        story.wait(milliseconds: 25_000_000)
        #expect(story.wake == 50_000_000)
        story.wait(milliseconds: 24_999_999)
        #expect(story.order.decision.state == .accepted)
        story.wait(milliseconds: 1)
        #expect(story.order.decision.state == .canceled)
        #expect(story.order.decision.reason == .expired)
        #expect(story.order.status == .compensating)
        #expect(story.states == [.voiding, .voiding])
        try story.answer(.void, 0, .refusedByPSP(.expired))
        try story.succeed(.void, 1)
        #expect(story.order.status == .canceled)
        #expect(story.books.balances.isEmpty)
        #expect(story.told("order.canceled") == 1)
        story.wait(milliseconds: 10_000_000)
        #expect(story.told("order.canceled") == 1)
    }

    @Test(
        "release what has lapsed of any other order, and cancel it once nothing is left",
        arguments: [Policy.bestEffort, .minimum(100), .required(["m0"])]
    )
    func releaseTheRest(_ policy: Policy) throws {
        var story = try accepted(policy)
        story.wait(milliseconds: 50_000_000)
        #expect(story.order.decision.state == .accepted)
        #expect(story.states == [.voiding, .authorized])
        #expect(story.wake == 60_000_000)
        try story.succeed(.void, 0)
        #expect(story.states == [.expired, .authorized])
        #expect(story.order.captureBefore == story.now.adding(milliseconds: 10_000_000))
        story.wait(milliseconds: 10_000_000)
        #expect(story.order.decision.state == .accepted)
        try story.answer(.void, 1, .refusedByPSP(.expired))
        #expect(story.states == [.expired, .expired])
        #expect(story.order.decision.state == .canceled)
        #expect(story.order.decision.reason == .expired)
        #expect(story.order.status == .canceled)
        #expect(story.books.balances.isEmpty)
    }

    @Test("wake the order all the same if a step after the lapse looked at something else")
    func otherStep() throws {
        var story = try accepted(.bestEffort)
        let start = story.now
        story.wait(milliseconds: 25_000_000)
        let now = start.adding(milliseconds: 55_000_000)
        var ids = IdentifierSource(random: SeededRandom(seed: 7))
        let webhook: WebhookID = ids.make(at: now)
        var machine = OrderMachine(story.order, at: now, by: "two", rules: story.rules, ids: ids)
        try machine.apply(
            .webhookDismissal(webhook, .init(evidence: "portal", reason: "nothing of ours", by: "ada"))
        )
        let step = machine.finish()
        #expect(!step.isEmpty)
        #expect(step.wakeAt == start.adding(milliseconds: 50_000_000))
        var next = OrderMachine(step.order, at: now, by: "two", rules: story.rules, ids: ids)
        try next.apply(.tick)
        let woken = next.finish()
        #expect(woken.order.payments.map(\.state) == [.voiding, .authorized])
        #expect(woken.wakeAt == start.adding(milliseconds: 60_000_000))
    }

    @Test("are released although the order is not decided yet") func releaseUndecided() throws {
        var story = try Story(Checkout(policy: .bestEffort, onDeadline: .continue))
        let lapse = story.now.adding(milliseconds: 60_000)
        story.authorize(0, .succeeded(Success(reference: "psp-0", amount: 300, expiresAt: lapse)))
        #expect(story.wake == 60_000)
        story.wait(milliseconds: 60_000)
        try story.succeed(.void, 0)
        #expect(story.states[0] == .expired)
        story.decline(1)
        #expect(story.order.decision.reason == .policyUnsatisfiable)
    }

    @Test("are told of once, ahead, half a life before if they do not live longer than that", arguments: [0, 1, 2])
    func tellAhead(_ times: Int) throws {
        var story = try accepted(
            .bestEffort,
            lapses: times == 0 ? [172_800_000, 400_000_000] : [7_200_000, 50_000_000]
        )
        let warning: Int64 = times == 0 ? 86_400_000 : 3_600_000
        #expect(story.wake == warning)
        story.wait(milliseconds: warning - 1)
        #expect(story.told("order.authorization_expiring") == 0)
        for _ in 0...times { story.wait(milliseconds: 1) }
        #expect(story.told("order.authorization_expiring") == 1)
        #expect(story.order.isExpiryTold)
    }

    @Test("do not cancel an order of which something is captured or being captured")
    func doNotCancelCapturedOrders() throws {
        var story = try Story()
        story.approve(0, 1)
        story.wait(milliseconds: 2000)
        #expect(story.order.decision.state == .accepted)
        story.wait(milliseconds: 604_800_000)
        #expect(story.order.decision.state == .accepted)
        #expect(story.wake == nil)
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .refusedByIssuer)
        story.wait(milliseconds: 604_800_000)
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.status == .partiallyPaid)
    }

    @Test("refund what a canceled order's void finds captured") func refundWhatWasCaptured() throws {
        var story = try accepted(.allOrNothing)
        story.wait(milliseconds: 50_000_000)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        try story.succeed(.void, 1)
        #expect(story.order.status == .compensating)
        #expect(story.states == [.captured, .voided])
        try story.succeed(.refund, 0)
        #expect(story.order.status == .canceled)
    }
}
