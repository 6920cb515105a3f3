import Domain
import Testing

/// Books that were restored behind an order's cutoff know less of it than its PSPs.
@Suite("A restored order")
struct RestoredTests {
    /// What the second of two PSPs says at last, and what the order comes to.
    struct Ending: Sendable {
        let outcome: Outcome
        let decision: Decision.State
        let reason: Decision.Reason?
    }

    /// An order whose authorizations are out, restored behind its deadline.
    private static func restored(_ checkout: Checkout = Checkout(), after milliseconds: Int64 = 30_000) throws -> Story
    {
        var story = try Story(checkout)
        story.sleep(milliseconds: milliseconds)
        story.step(by: "recovery") { $0.distrustBooks() }
        return story
    }

    @Test(
        "is not decided for time before its PSPs have had their word, listed or asked for",
        arguments: [
            Ending(outcome: .approved(200), decision: .cleared, reason: .policySatisfied),
            Ending(outcome: .refusedByIssuer, decision: .refused, reason: .policyUnsatisfiable),
            // Absence that was proven.
            Ending(outcome: .refusedByPSP(.notFound), decision: .refused, reason: .policyUnsatisfiable),
            Ending(outcome: .timedOut, decision: .pending, reason: nil),
        ]
    )
    func awaited(ending: Ending) throws {
        var story = try Self.restored()
        story.wait(milliseconds: 1000)
        #expect(story.order.decision == .pending)
        story.approve(0)
        #expect(story.order.decision == .pending)
        #expect(story.count(.void) == 0)
        story.authorize(1, ending.outcome)
        #expect(story.order.decision.state == ending.decision)
        #expect(story.order.decision.reason == ending.reason)
    }

    @Test("wakes with its operations, not again and again for its cutoff, and waits for no more than a day")
    func patience() throws {
        var story = try Self.restored()
        let end = story.now.adding(milliseconds: 86_400_000)
        #expect(OrderMachine.wakeAt(of: story.order, at: story.now, story.rules) == end)
        story.wait(milliseconds: 86_399_999)
        #expect(story.order.decision == .pending)
        story.wait(milliseconds: 1)
        #expect(story.order.decision.state == .refused)
        #expect(story.order.decision.reason == .decideBy)
    }

    @Test("waits no longer than that day because it is sent again each hour, as where a PSP refuses our key")
    func patienceOnce() throws {
        var story = try Self.restored(Checkout(amounts: [300]))
        let end = story.now.adding(milliseconds: 86_400_000)
        let id = story.order.payments[0].attempt.authorization.id
        while let due = story.order.payments[0].attempt.authorization.dueAt, due < end {
            story.sleep(milliseconds: max(0, due.milliseconds(since: story.now)))
            let isClaimed = story.claim(id)
            try #require(isClaimed)
            let lease = story.order.payments[0].attempt.authorization.leases
            story.step { _ = $0.recordSending(of: id, underLease: lease, isAnew: false) }
            story.report(.unknown(reason: "the PSP refused a replay: 010"), of: id)
        }
        #expect(story.order.decision == .pending)
        #expect(story.order.payments[0].attempt.authorization.sendings > 20)
        story.wait(milliseconds: end.milliseconds(since: story.now))
        #expect(story.order.decision.state == .refused)
        #expect(story.order.decision.reason == .decideBy)
    }

    @Test("is refused at its deadline like any other if it was restored before")
    func inTime() throws {
        var story = try Self.restored(after: 10_000)
        story.approve(0)
        story.wait(milliseconds: 10_000)
        #expect(story.order.decision.reason == .deadline)
    }

    @Test("decides on nothing while more is to be heard, and is due at once for whoever looks next")
    func deferred() throws {
        var story = try Story()
        story.sleep(milliseconds: 30_000)
        for index in 0...1 {
            let id = story.order.payments[index].attempt.authorization.id
            let amount = story.order.payments[index].amount
            var wakeAt: Timestamp?
            story.step(by: "recovery") { machine in
                do { try machine.apply(.deferFollowUp) } catch { Issue.record(error) }
                machine.hear(Report(operation: id, outcome: .approved(amount)))
                wakeAt = machine.finish().wakeAt
            }
            #expect(story.order.decision == .pending)
            #expect(try #require(wakeAt) <= story.now)
        }
        #expect(story.count(.capture) == 0)
        story.wait(milliseconds: 0)
        #expect(story.order.decision.state == .cleared)
        #expect(story.count(.capture) == 2)
    }

    @Test("is due at once though time decides nothing of it, as long as nobody followed up")
    func owed() throws {
        var story = try Story(Checkout(amounts: [300]))
        let id = story.order.payments[0].attempt.authorization.id
        story.step(by: "recovery") { machine in
            do { try machine.apply(.deferFollowUp) } catch { Issue.record(error) }
            machine.hear(Report(operation: id, outcome: .approved(300)))
        }
        #expect(OrderMachine.dueAt(of: story.order, at: story.now, story.rules) == story.now)
        story.wait(milliseconds: 0)
        #expect(story.order.decision.state == .cleared)
        #expect(OrderMachine.dueAt(of: story.order, at: story.now, story.rules) != story.now)
    }

    @Test("releases what nobody wants even while more is to be heard")
    func unwanted() throws {
        var story = try Story()
        story.decline(0)
        #expect(story.order.decision.state == .refused)
        let id = story.order.payments[1].attempt.authorization.id
        story.step(by: "recovery") { machine in
            do { try machine.apply(.deferFollowUp) } catch { Issue.record(error) }
            machine.hear(Report(operation: id, outcome: .approved(200)))
        }
        #expect(story.count(.void) == 1)
    }
}
