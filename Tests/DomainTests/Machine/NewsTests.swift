import Domain
import Testing

@Suite("News that comes twice, late or in another order")
struct NewsTests {
    @Test("changes nothing when it comes twice")
    func duplicatesChangeNothing() throws {
        var story = try Story()
        let reports: [(Int, Outcome)] = [
            (0, .inProgress), (0, .approved(300, "psp-0")), (1, .approved(200, "psp-1")),
        ]
        for (index, outcome) in reports { story.authorize(index, outcome) }
        try story.succeed(.capture, 0)
        try story.succeed(.capture, 1)
        let (order, entries, events) = (story.order, story.books.entries, story.events)
        for (index, outcome) in reports { story.authorize(index, outcome) }
        for index in 0...1 {
            try story.succeed(.capture, index)
            try story.answer(.capture, index, .inProgress)
            try story.answer(.capture, index, .timedOut)
        }
        #expect(story.order == order)
        #expect(story.books.entries == entries)
        #expect(story.events == events)
        #expect(story.facts.count == 5 + 9)
    }

    @Test("leads to the same end in every order of arrival")
    func orderDoesNotMatter() throws {
        let news: [Outcome] = [.timedOut, .inProgress, .buyerHasToAct(), .refusedByIssuer, .approved(300)]
        for order in permutations(of: Array(news.indices)) {
            var story = try Story(Checkout(policy: .bestEffort, capture: .manual))
            for index in order { story.authorize(0, news[index]) }
            #expect(story.states[0] == .authorized, "after \(order)")
            #expect(story.order.payments[0].authorized == 300)
            #expect(story.books.entries.count == 1)
            story.approve(1)
            #expect(story.order.status == .authorized)
        }
        for order in permutations(of: [0, 1, 2, 3]) {
            var story = try Story(Checkout(policy: .bestEffort, capture: .manual))
            for index in order { story.authorize(0, news[index]) }
            #expect(story.states[0] == .declined, "after \(order)")
            #expect(story.order.decision == .pending)
        }
    }

    @Test("does not turn one refusal into another") func refusalsStay() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.authorize(0, .notSent(reason: "no connection"))
        story.decline(0)
        story.authorize(0, .refusedByPSP(.configuration))
        #expect(story.states[0] == .notSent)
        #expect(story.facts.map(\.kind) == ["not_sent", "declined", "rejected"])
    }

    @Test("does not bring back an old version of the PSP's own state")
    func oldStateStaysOld() throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        story.authorize(0, .pending(Progress(reference: "pi_1", state: "v1")))
        story.authorize(0, .succeeded(Success(reference: "pi_1", amount: 300, state: "v2")))
        story.authorize(0, .pending(Progress(reference: "pi_0", state: "v1")))
        #expect(story.order.payments[0].attempt.pspState == "v2")
        #expect(story.order.payments[0].attempt.pspReference == "pi_1")
    }

    @Test("that contradicts what was heard before changes nothing else, but tells a person, whichever came first")
    func contradictionsAreTold() throws {
        var refusedFirst = try Story(Checkout(policy: .bestEffort, capture: .manual))
        refusedFirst.decline(0)
        refusedFirst.approve(0)
        var approvedFirst = try Story(Checkout(policy: .bestEffort, capture: .manual))
        approvedFirst.approve(0)
        approvedFirst.decline(0)
        for story in [refusedFirst, approvedFirst] {
            #expect(story.states[0] == .authorized)
            #expect(story.order.attention.map(\.reason) == [.successAfterRefusal])
        }
    }

    @Test("fills in what was not known before") func oldNewsFillsGaps() throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        story.authorize(0, .succeeded(Success(reference: nil, amount: 300)))
        story.authorize(0, .pending(Progress(reference: "pi_1", state: "v1")))
        #expect(story.order.payments[0].attempt.pspReference == "pi_1")
        #expect(story.order.payments[0].attempt.pspState == "v1")
    }

    @Test("about an operation of another order is ignored") func othersNewsIsIgnored() throws {
        var story = try Story()
        let other = try Story(Checkout(amounts: [1, 2, 3]))
        let before = story.order
        story.report(.refusedByIssuer, of: try #require(other.order.payments.last).attempt.authorization.id)
        #expect(story.order == before)
        #expect(story.facts.isEmpty)
    }

    @Test("never changes a decision once it is made")
    func decisionsStand() throws {
        var accepted = try Story(Checkout(policy: .bestEffort, capture: .manual))
        accepted.decline(0)
        accepted.approve(1)
        let decision = accepted.order.decision
        accepted.approve(0)
        accepted.wait(milliseconds: 1_000_000)
        #expect(accepted.order.decision == decision)
        #expect(accepted.states[0] == .voiding)
        var refused = try Story()
        refused.decline(0)
        let refusal = refused.order.decision
        refused.approve(0)
        refused.approve(1)
        refused.wait(milliseconds: 1_000_000)
        #expect(refused.order.decision == refusal)
    }

    private func permutations(of items: [Int]) -> [[Int]] {
        guard items.count > 1 else { return [items] }
        return items.flatMap { item in permutations(of: items.filter { $0 != item }).map { [item] + $0 } }
    }
}
