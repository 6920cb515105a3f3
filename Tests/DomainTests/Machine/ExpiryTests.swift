import Domain
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

    @Test("cancel an accepted all-or-nothing order when the first of them passes, and void everything")
    func cancel() throws {
        var story = try accepted(.allOrNothing)
        #expect(story.order.decision.state == .accepted)
        #expect(story.wake == 50_000_000)
        story.wait(milliseconds: 49_999_999)
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

    @Test("leave other policies alone", arguments: [Policy.bestEffort, .minimum(100), .required(["m0"])])
    func leaveOtherPoliciesAlone(_ policy: Policy) throws {
        var story = try accepted(policy)
        #expect(story.wake == nil)
        story.wait(milliseconds: 100_000_000)
        #expect(story.order.decision.state == .accepted)
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
        try story.succeed(.refund, 0)
        #expect(story.order.status == .canceled)
    }
}
