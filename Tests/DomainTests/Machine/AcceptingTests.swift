import Domain
import Testing

@Suite("Accepting an order")
struct AcceptingTests {
    @Test("captures everything once all payments are approved, and is paid when all captures are in")
    func capturesAutomatically() throws {
        var story = try Story()
        #expect(story.states == [.authorizing, .authorizing])
        #expect(story.order.status == .processing)
        story.approve(0)
        #expect(story.order.decision == .pending)
        #expect(story.count(.capture) == 0)
        story.approve(1)
        #expect(story.order.decision.state == .cleared)
        #expect(story.order.decision.reason == .policySatisfied)
        #expect(story.states == [.capturing, .capturing])
        #expect(story.order.payments.allSatisfy { $0.attempt.openOperations.first?.leasedBy == "one" })
        #expect(!story.order.isAnswerable(at: story.now, graceMilliseconds: 2000))
        try story.succeed(.capture, 0)
        #expect(story.order.decision.state == .cleared)
        try story.succeed(.capture, 1)
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.decision.countsOn == Set(story.order.payments.map(\.id)))
        #expect(story.order.status == .paid)
        #expect(story.order.captured == 500)
        #expect(story.order.isAnswerable(at: story.now, graceMilliseconds: 2000))
        #expect(story.order.attention.isEmpty)
    }

    @Test("captures nothing under manual capture, and is accepted at once")
    func authorizesManually() throws {
        var story = try Story(Checkout(capture: .manual))
        story.approve(1, 0)
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.status == .authorized)
        #expect(story.states == [.authorized, .authorized])
        #expect(story.count(.capture) == 0)
        #expect(story.order.authorized == 500)
    }

    @Test("is accepted without all captures' replies once the grace of two seconds is over")
    func acceptsAfterGrace() throws {
        var story = try Story()
        story.approve(0, 1)
        try story.succeed(.capture, 0)
        #expect(story.order.decision.state == .cleared)
        #expect(story.wake == 2000)
        story.wait(milliseconds: 1999)
        #expect(story.order.decision.state == .cleared)
        story.wait(milliseconds: 1)
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.decision.reason == .policySatisfied)
        #expect(story.order.status == .partiallyCaptured)
        try story.succeed(.capture, 1)
        #expect(story.order.status == .paid)
    }

    @Test("takes any first reply of a capture for a reply", arguments: [Outcome.timedOut, .inProgress])
    func acceptsOnFirstReplies(_ reply: Outcome) throws {
        var story = try Story(Checkout(amounts: [300]))
        story.approve(0)
        #expect(story.order.decision.state == .cleared)
        try story.answer(.capture, 0, reply)
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.status == .authorized)
        try story.succeed(.capture, 0)
        #expect(story.order.status == .paid)
    }

    @Test("under best effort is partially paid when one payment is declined")
    func leavesOutUnderBestEffort() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.decline(0)
        #expect(story.order.decision == .pending)
        story.approve(1)
        try story.succeed(.capture, 1)
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.decision.countsOn == [story.order.payments[1].id])
        #expect(story.order.status == .partiallyPaid)
        #expect(story.states == [.declined, .captured])
        #expect(story.count(.void) == 0)
    }

    @Test("with required payments is accepted without the others")
    func acceptsRequired() throws {
        var story = try Story(Checkout(amounts: [300, 200, 100], policy: .required(["m0", "m2"])))
        story.decline(1)
        story.approve(0)
        #expect(story.order.decision == .pending)
        story.approve(2)
        try story.succeed(.capture, 0)
        try story.succeed(.capture, 2)
        #expect(story.order.status == .partiallyPaid)
        #expect(story.order.captured == 400)
    }

    @Test("with a minimum waits for every payment although the minimum is reached")
    func waitsForAllUnderMinimum() throws {
        var story = try Story(Checkout(policy: .minimum(250)))
        story.approve(0)
        #expect(story.order.decision == .pending)
        story.approve(1)
        #expect(story.order.decision.state == .cleared)
        #expect(story.order.decision.countsOn.count == 2)
    }

    @Test("counts what a PSP captured in the same call, and sends no capture of its own")
    func honoursOneCallSales() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.authorize(0, .succeeded(Success(reference: "psp-0", amount: 300, capturedAmount: 300)))
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.status == .paid)
        #expect(story.last(.capture, 0)?.origin == .psp)
        #expect(story.count(.capture) == 1)
        let types = story.events.map(\.type)
        let authorized = try #require(types.firstIndex(of: "payment.authorized"))
        let captured = try #require(types.firstIndex(of: "payment.captured_by_psp"))
        #expect(authorized < captured)
    }

    @Test("keeps what the PSP says about the card, and when the hold lapses")
    func keepsWhatThePSPSays() throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        let lapse = story.now.adding(milliseconds: 5_000_000)
        story.authorize(
            0,
            .succeeded(
                Success(
                    reference: "pi_1",
                    amount: 300,
                    expiresAt: lapse,
                    network: "visa",
                    last4: "4242",
                    state: "v1"
                )
            )
        )
        let attempt = story.order.payments[0].attempt
        #expect(attempt.pspReference == "pi_1")
        #expect(attempt.pspState == "v1")
        #expect(attempt.network == "visa")
        #expect(attempt.last4 == "4242")
        #expect(story.order.captureBefore == lapse)
    }

    @Test("assumes the adapter's authorization life where the PSP names none")
    func assumesAuthorizationLife() throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        story.approve(0)
        #expect(story.order.captureBefore == story.now.adding(milliseconds: 604_800_000))
    }
}

extension Story {
    /// When the order wants to look at the clock, in milliseconds from its placement.
    var wake: Int64? {
        OrderMachine(order, at: now, by: "one", rules: rules, ids: IdentifierSource()).wakeAt?
            .milliseconds(since: Checkout.placedAt)
    }
}
