import Domain
import Testing

@Suite("Taking operations in hand")
struct ClaimTests {
    @Test("begins with the placing, which leases every authorization to its instance for 120 s")
    func placingLeases() throws {
        let story = try Story()
        for payment in story.order.payments {
            #expect(payment.attempt.authorization.leasedBy == "one")
            #expect(payment.attempt.authorization.leases == 1)
            #expect(payment.attempt.authorization.dueAt == story.now.adding(milliseconds: 120_000))
        }
    }

    @Test("is refused while another instance's lease runs, and what was ever leased counts as unknown afterwards")
    func leasesRunOut() throws {
        var story = try Story(Checkout(amounts: [300], onDeadline: .continue))
        let id = story.order.payments[0].attempt.authorization.id
        story.sleep(milliseconds: 119_999)
        let isEarly = story.claim(id, by: "two")
        #expect(!isEarly)
        #expect(story.states == [.authorizing])
        story.sleep(milliseconds: 1)
        let isInTime = story.claim(id, by: "two")
        #expect(isInTime)
        let operation = story.order.payments[0].attempt.authorization
        #expect(operation.leasedBy == "two")
        #expect(operation.leases == 2)
        #expect(operation.dueAt == story.now.adding(milliseconds: 120_000))
        #expect(story.states == [.unresolved])
        #expect(story.told("payment.unresolved") == 1)
        let isSecond = story.claim(id, by: "three")
        #expect(!isSecond)
    }

    @Test("is refused for what is finished or does not exist") func finishedIsNotClaimed() throws {
        var story = try Story()
        story.decline(0)
        story.sleep(milliseconds: 1_000_000)
        let isFinished = story.claim(story.order.payments[0].attempt.authorization.id)
        #expect(!isFinished)
        let other = try Story(Checkout(amounts: [1, 2, 3]))
        let before = story.order
        let isUnknown = story.claim(try #require(other.order.payments.last).attempt.authorization.id)
        #expect(!isUnknown)
        #expect(story.order == before)
    }

    @Test("leaves what was never leased open: nobody can have sent it")
    func firstLeaseStaysOpen() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        let retry = try #require(story.last(.void, 0))
        #expect(retry.sendings == 0 && retry.leasedBy == nil)
        story.sleep(milliseconds: 1000)
        let isClaimed = story.claim(retry.id)
        #expect(isClaimed)
        #expect(story.last(.void, 0)?.state == .open)
    }

    @Test("lasts although something is heard elsewhere, until the holder reports")
    func webhooksDoNotEndLeases() throws {
        var story = try Story(Checkout(amounts: [300]))
        let id = story.order.payments[0].attempt.authorization.id
        story.report(.inProgress, of: id, by: "two")
        #expect(story.states == [.pending])
        #expect(story.order.payments[0].attempt.authorization.leasedBy == "one")
        #expect(story.order.payments[0].attempt.authorization.dueAt == story.now.adding(milliseconds: 120_000))
        story.report(.timedOut, of: id, by: "one")
        #expect(story.order.payments[0].attempt.authorization.leasedBy == nil)
        #expect(story.order.payments[0].attempt.authorization.dueAt == story.now.adding(milliseconds: 5000))
    }

    @Test("ends with a definite outcome, wherever it is heard") func definiteOutcomesEndLeases() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.report(.refusedByIssuer, of: story.order.payments[0].attempt.authorization.id, by: "two")
        #expect(story.order.payments[0].attempt.authorization.leasedBy == nil)
        #expect(story.order.payments[0].attempt.authorization.dueAt == nil)
    }

    @Test("of what a step starts belongs to the instance that made the step")
    func followUpsAreLeased() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.report(.approved(300), of: story.order.payments[0].attempt.authorization.id, by: "two")
        let capture = try #require(story.last(.capture, 0))
        #expect(capture.leasedBy == "two")
        #expect(capture.leases == 1)
    }
}
