import Domain
import SeededRandom
import Testing

@Suite("Approvals")
struct ApprovalTests {
    @Test("of less than was asked are voided at once and count as declined")
    func partialApprovalsAreVoided() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.authorize(0, .approved(299))
        #expect(story.order.decision == .pending)
        #expect(story.last(.void, 0)?.amount == 299)
        #expect(story.order.payments[0].standing == .failed)
        try story.succeed(.void, 0)
        #expect(story.states[0] == .declined)
        story.approve(1)
        try story.succeed(.capture, 1)
        #expect(story.order.status == .partiallyPaid)
        #expect(story.order.captured == 200)
    }

    @Test("of less than was asked are awaited though a part is captured in the portal before they are heard")
    func partialCaptureIsNoApproval() throws {
        var story = try Story(Checkout(amounts: [300], policy: .bestEffort))
        story.authorize(0, .timedOut)
        let isMatched = story.hear(
            Notice(
                about: .init(attempt: story.order.payments[0].attempt.id.text, object: "cap_1"),
                .outcome(.capture, .approved(120, "cap_1"))
            ),
            severalCaptures: true
        )
        #expect(isMatched)
        #expect(story.order.payments[0].standing == .open)
        #expect(story.order.decision == .pending)
        story.authorize(0, .approved(200))
        #expect(story.order.payments[0].standing == .failed)
        #expect(story.order.decision.state == .refused)
        #expect(story.last(.void, 0)?.amount == 80)
        try story.succeed(.void, 0)
        #expect(story.last(.refund, 0)?.amount == 120)
    }

    @Test("of all that was asked count, though a part is captured in the portal before they are heard")
    func partialCaptureOfAll() throws {
        var story = try Story(Checkout(amounts: [300], policy: .bestEffort, capture: .manual))
        story.authorize(0, .timedOut)
        let capture = Notice(
            about: .init(attempt: story.order.payments[0].attempt.id.text, object: "cap_1"),
            .outcome(.capture, .approved(120, "cap_1"))
        )
        let isMatched = story.hear(capture, severalCaptures: true)
        #expect(isMatched)
        story.authorize(0, .approved(300))
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.captured == 120 && story.order.payments[0].held == 180)
    }

    @Test("that were refused do not count for a part that is captured all the same")
    func refusedAndPartlyCaptured() throws {
        var story = try Story(Checkout(amounts: [300], policy: .bestEffort))
        story.authorize(0, .timedOut)
        let capture = Notice(
            about: .init(attempt: story.order.payments[0].attempt.id.text, object: "cap_1"),
            .outcome(.capture, .approved(120, "cap_1"))
        )
        let isMatched = story.hear(capture, severalCaptures: true)
        #expect(isMatched)
        story.decline(0)
        #expect(story.order.decision.state == .refused)
        #expect(story.last(.refund, 0)?.amount == 120)
    }

    @Test("that tell of several captures keep each, so that its name corrects no other")
    func severalParts() throws {
        var story = try Story(Checkout(amounts: [500], capture: .manual))
        let id = story.order.payments[0].attempt.authorization.id
        var success = Success(reference: "psp-0", amount: 500, capturedAmount: 500)
        success.captures = [200, 300]
        story.step { $0.hear(Report(operation: id, outcome: .succeeded(success), severalCaptures: true)) }
        #expect(story.order.captured == 500)
        let named = Notice(
            about: .init(attempt: story.order.payments[0].attempt.id.text, object: "cap_1"),
            .outcome(.capture, .approved(200, "cap_1"))
        )
        let isMatched = story.hear(named, severalCaptures: true)
        #expect(isMatched && story.order.captured == 500)
    }

    @Test("of a sale that took less than was approved leave the rest held, where several captures are possible")
    func partlyTaken() throws {
        for severalCaptures in [true, false] {
            var story = try Story(Checkout(amounts: [300], capture: .manual))
            let id = story.order.payments[0].attempt.authorization.id
            let success = Success(reference: "psp-0", amount: 300, capturedAmount: 120)
            story.step {
                $0.hear(Report(operation: id, outcome: .succeeded(success), severalCaptures: severalCaptures))
            }
            #expect(story.order.captured == 120)
            #expect(story.order.payments[0].held == (severalCaptures ? 180 : 0))
        }
    }

    @Test("of less than was asked refuse an all-or-nothing order")
    func partialApprovalsRefuse() throws {
        var story = try Story()
        story.approve(1)
        story.authorize(0, .approved(1))
        #expect(story.order.decision.reason == .policyUnsatisfiable)
        #expect(story.count(.void) == 2)
        try story.succeed(.void, 0)
        try story.succeed(.void, 1)
        #expect(story.order.status == .failed)
        #expect(story.states == [.declined, .voided])
    }

    @Test("of less than was asked count as declined even if their void is refused for the moment")
    func partialApprovalsNeverCount() throws {
        var story = try Story(Checkout(amounts: [300], policy: .bestEffort))
        story.authorize(0, .approved(299))
        #expect(story.order.decision.state == .refused)
        try story.answer(.void, 0, .refusedByPSP(.configuration))
        #expect(story.order.payments[0].standing == .failed)
        #expect(story.order.status == .compensating)
        try story.succeed(.void, 0)
        #expect(story.order.status == .failed)
    }

    @Test("of less than was asked count as declined even if they were captured in the same call")
    func partialSalesAreGivenBack() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.authorize(0, .succeeded(Success(reference: "psp-0", amount: 299, capturedAmount: 299)))
        story.authorize(1, .succeeded(Success(reference: "psp-1", amount: 200, capturedAmount: 200)))
        #expect(story.states == [.declined, .captured])
        #expect(story.order.payments[0].decline?.category == .partialApproval)
        #expect(story.order.status == .partiallyPaid)
        #expect(story.last(.refund, 0)?.amount == 299)
        try story.succeed(.refund, 0)
        #expect(story.states == [.declined, .captured])
        #expect(story.order.status == .partiallyPaid)
    }

    @Test("of nothing count as declined and leave nothing to void")
    func emptyApprovals() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.authorize(0, .approved(0))
        #expect(story.states[0] == .declined)
        #expect(story.count(.void) == 0)
        story.approve(1)
        try story.succeed(.capture, 1)
        #expect(story.order.status == .partiallyPaid)
    }

    @Test("of more than was asked count as what was asked and tell a person")
    func generousApprovals() throws {
        var story = try Story(Checkout(amounts: [300], capture: .manual))
        story.approve()
        story.authorize(0, .approved(301))
        #expect(story.order.authorized == 300)
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.attention.map(\.reason) == [.amountMismatch])
        #expect(story.order.attention.first?.amountAtRisk == 1)
    }

    @Test("that come after the decision that refused them are honoured, undone, and told to a person")
    func successAfterDecline() throws {
        var story = try Story(Checkout(amounts: [300]))
        story.decline(0)
        #expect(story.order.status == .failed)
        story.approve(0)
        #expect(story.order.decision.state == .refused)
        #expect(story.order.attention.map(\.reason) == [.successAfterRefusal])
        #expect(story.order.attention.first?.amountAtRisk == 300)
        #expect(story.order.status == .compensating)
        try story.succeed(.void, 0)
        #expect(story.order.status == .failed)
        #expect(story.books.balances.isEmpty)
    }

    @Test("that come after a refusal, while the order is undecided, count")
    func successAfterDeclineWhilePending() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.decline(0)
        story.approve(0)
        story.approve(1)
        #expect(story.order.decision.countsOn.count == 2)
        #expect(story.order.attention.map(\.reason) == [.successAfterRefusal])
    }

    @Test("at an attempt that another one replaced are voided, decided or not", arguments: OrderTerms.Capture.allCases)
    func replacedAttemptsAreVoided(_ capture: OrderTerms.Capture) throws {
        var ids = IdentifierSource(random: SeededRandom(seed: 5))
        var order = try Checkout(amounts: [300], capture: capture, reroute: .ifNotSent).order(&ids)
        let first = order.payments[0].attempts[0].operations[0].id
        order.payments[0].attempts[0].operations[0].state = .notSent(reason: "no connection")
        let again = Operation(
            id: ids.make(at: Checkout.placedAt),
            kind: .authorize,
            amount: 300,
            origin: .gateway,
            createdAt: Checkout.placedAt
        )
        let route = RouteSnapshot(psp: "simulator", pspAccount: "sim-b")
        order.payments[0].attempts.append(
            Attempt(id: ids.make(at: Checkout.placedAt), route: route, operations: [again])
        )
        var story = Story(continuing: order)
        story.step(isPlacing: true) { $0.place() }
        story.report(.approved(300, "late"), of: first)
        #expect(story.order.payments[0].attempts[0].openOperations.map(\.kind) == [.void])
        #expect(story.order.decision == .pending)
        story.approve(0)
        #expect(story.order.decision.state == (capture == .manual ? .accepted : .cleared))
        let void = try #require(story.order.payments[0].attempts[0].operations.last)
        story.report(.approved(300), of: void.id)
        #expect(story.order.payments[0].held == 300)
    }
}
