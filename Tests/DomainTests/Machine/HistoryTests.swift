import Domain
import Testing

@Suite("History")
struct HistoryTests {
    @Test("tells a whole order, numbered from 1 without gaps")
    func tellsAWholeOrder() throws {
        var story = try Story()
        story.approve(0)
        story.authorize(1, .timedOut)
        story.approve(1)
        try story.succeed(.capture, 0)
        try story.succeed(.capture, 1)
        #expect(
            story.events.map(\.type) == [
                "order.placed", "payment.routed", "payment.routed", "payment.authorized", "payment.unresolved",
                "payment.authorized", "order.cleared", "payment.capture_started", "payment.capture_started",
                "payment.captured", "payment.captured", "order.accepted", "order.status_changed",
            ]
        )
        #expect(story.events.map(\.sequence) == Array(1...13))
        #expect(story.order.eventSequence == 13)
        #expect(Set(story.events.map(\.id)).count == 13)
        #expect(story.events.map(\.id) == story.events.map(\.id).sorted())
    }

    @Test("gives each decision its reason, policy, inputs and the payments it counts on")
    func explainsDecisions() throws {
        var story = try Story(Checkout(policy: .bestEffort, capture: .manual))
        story.decline(0)
        story.approve(1)
        let accepted = try #require(story.events.first { $0.type == "order.accepted" })
        let details = Dictionary(uniqueKeysWithValues: accepted.details.map { ($0.name, $0.value) })
        #expect(details["reason"] == "policy_satisfied")
        #expect(details["policy"] == "best_effort")
        #expect(details["payments"] == .list(["m0: declined", "m1: authorized"]))
        #expect(details["counts_on"] == .list([story.order.payments[1].id.text]))
    }

    @Test("tells each change of the status, from what to what")
    func tellsStatusChanges() throws {
        var story = try Story()
        story.authorize(0, .buyerHasToAct())
        story.approve(0)
        story.decline(1)
        try story.succeed(.void, 0)
        let changes = story.events.filter { $0.type == "order.status_changed" }.map { $0.details.map(\.value) }
        #expect(
            changes == [
                ["processing", "requires_action"], ["requires_action", "processing"], ["processing", "compensating"],
                ["compensating", "failed"],
            ]
        )
    }

    @Test("tells why a payment was declined or rejected, by category and code, and never the message")
    func tellsWhy() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.decline(0)
        story.authorize(1, .refusedByPSP(.configuration))
        let declined = try #require(story.events.first { $0.type == "payment.declined" })
        #expect(declined.details.map(\.name) == ["amount", "category", "code"])
        #expect(declined.details.map(\.value) == [.integer(300), "generic", "05"])
        let rejected = try #require(story.events.first { $0.type == "payment.rejected" })
        #expect(rejected.details.map(\.value) == [.integer(200), "configuration", "configuration"])
        #expect(rejected.payment == story.order.payments[1].id)
    }

    @Test("keeps every report as a fact, with amount, code and reference")
    func keepsFacts() throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        story.authorize(0, .timedOut)
        story.authorize(0, .inProgress)
        story.authorize(0, .approved(300, "pi_1"))
        #expect(story.facts.map(\.kind) == ["unknown", "pending", "succeeded"])
        #expect(story.facts.map(\.reference) == ["", "psp-pending", "pi_1"])
        #expect(story.facts.map(\.amount) == [nil, nil, 300])
        #expect(story.facts.first?.code == "timed out; may have arrived")
        #expect(story.facts.allSatisfy { $0.origin == .gateway })
    }

    @Test("marks what the PSP did on its own as the PSP's") func marksThePSPs() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        let fact = try #require(story.facts.last)
        #expect(fact.origin == .psp)
        #expect(fact.kind == "succeeded")
        #expect(fact.amount == 300)
        #expect(fact.operation == story.last(.capture, 0)?.id)
    }

    @Test("makes the same identifiers again from the same seed, and hands the source on")
    func isDeterministic() throws {
        func play() throws -> Story {
            var story = try Story()
            story.approve(0, 1)
            try story.succeed(.capture, 0)
            try story.succeed(.capture, 1)
            return story
        }
        let (first, second) = (try play(), try play())
        #expect(first.order == second.order)
        #expect(first.events == second.events)
        #expect(first.books.entries == second.books.entries)
        let ids = first.events.map(\.id.text) + first.books.entries.map(\.id.text)
        #expect(Set(ids).count == ids.count)
    }
}
