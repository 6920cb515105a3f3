import Domain
import SeededRandom
import Testing

@Suite("Order rules")
struct OrderRulesTests {
    /// Orders as the machine leaves them, which break nothing.
    private func captured(_ checkout: Checkout = Checkout()) throws -> Order {
        var story = try Story(checkout)
        story.approve(0, 1)
        try story.succeed(.capture, 0)
        try story.succeed(.capture, 1)
        return story.order
    }

    private func refused() throws -> Order {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        return story.order
    }

    private func operation(_ kind: Operation.Kind, _ amount: Int64, _ state: OperationState = .open) -> Operation {
        var ids = IdentifierSource(random: SeededRandom(seed: 9))
        var operation = Operation(
            id: ids.make(at: Checkout.placedAt),
            kind: kind,
            amount: amount,
            origin: .gateway,
            createdAt: Checkout.placedAt
        )
        operation.state = state
        operation.dueAt = operation.isOpen ? Checkout.placedAt : nil
        operation.doneAmount = state == .succeeded ? amount : 0
        return operation
    }

    private func violations(_ order: Order, _ change: (inout Order) -> Void) -> [OrderViolation] {
        #expect(OrderRules.violations(of: order).isEmpty)
        var changed = order
        change(&changed)
        return OrderRules.violations(of: changed)
    }

    @Test("hold for an order as placed, as authorized, as captured, as refused and as undone")
    func holdForTheMachine() throws {
        let placed = try Story()
        var authorized = try Story(Checkout(capture: .manual))
        authorized.approve(0, 1)
        for order in [placed.order, authorized.order, try captured(), try refused()] {
            #expect(OrderRules.violations(of: order).isEmpty)
        }
    }

    @Test("notice a void beside a capture of the same hold") func noticeVoidBesideCapture() throws {
        var story = try Story()
        story.approve(0, 1)
        let found = violations(story.order) { $0.payments[0].attempts[0].operations.append(operation(.void, 300)) }
        #expect(found == [.claimsExceedAuthorized])
    }

    @Test("notice a second capture of what is captured") func noticeSecondCaptures() throws {
        let open = violations(try captured()) { $0.payments[0].attempts[0].operations.append(operation(.capture, 1)) }
        #expect(open == [.claimsExceedAuthorized])
        let done = violations(try captured()) {
            $0.payments[0].attempts[0].operations.append(operation(.capture, 1, .succeeded))
        }
        #expect(done == [.claimsExceedAuthorized, .allocationDiffers])
    }

    @Test("notice a refund of more than is captured and not given back") func noticeExcessRefunds() throws {
        let one = violations(try captured()) { $0.payments[0].attempts[0].operations.append(operation(.refund, 301)) }
        #expect(one == [.claimsExceedCaptured])
        let two = violations(try captured()) {
            $0.payments[0].attempts[0].operations += [operation(.refund, 200), operation(.refund, 101)]
        }
        #expect(two == [.claimsExceedCaptured])
        let allowed = violations(try captured()) {
            $0.payments[0].attempts[0].operations += [operation(.refund, 200), operation(.refund, 100)]
        }
        #expect(allowed.isEmpty)
    }

    @Test("notice two open tries of one payment") func noticeSecondTries() throws {
        let found = violations(try Story().order) { $0.payments[0].attempts.append($0.payments[0].attempts[0]) }
        #expect(found == [.severalOpenAttempts, .reroutedUnduly])
    }

    @Test("notice what a refused order holds and nobody releases") func noticeForgottenHolds() throws {
        let found = violations(try refused()) { $0.payments[0].attempts[0].operations.removeLast() }
        #expect(found == [.heldUnwanted])
    }

    @Test("notice an approval of less than was asked that nobody releases") func noticePartialApprovals() throws {
        var story = try Story(Checkout(policy: .bestEffort))
        story.authorize(0, .approved(299))
        let found = violations(story.order) { $0.payments[0].attempts[0].operations.removeLast() }
        #expect(found == [.heldUnwanted])
    }

    @Test("notice what a refused order has captured and nobody gives back") func noticeForgottenCaptures() throws {
        let found = violations(try captured()) {
            $0.decision = Decision(state: .refused, reason: .deadline, at: Checkout.placedAt, countsOn: [])
        }
        #expect(found == [.capturedUnwanted])
    }

    @Test("notice what is held for a payment that the decision does not count on") func noticeExcludedHolds() throws {
        var story = try Story(Checkout(policy: .bestEffort, capture: .manual))
        story.approve(0, 1)
        let found = violations(story.order) { $0.decision.countsOn.remove($0.payments[1].id) }
        #expect(found == [.heldUnwanted])
    }

    @Test("notice a capture sent before the order was cleared") func noticeEarlyCaptures() throws {
        var story = try Story()
        story.approve(0)
        let found = violations(story.order) { $0.payments[0].attempts[0].operations.append(operation(.capture, 300)) }
        #expect(found == [.capturedUndecided])
    }

    @Test("notice an all-or-nothing order of which only a part is captured") func noticePartialCaptures() throws {
        var story = try Story()
        story.approve(0, 1)
        let found = violations(story.order) { $0.payments[1].attempts[0].operations.removeLast() }
        #expect(found == [.capturedInPart])
    }

    @Test(
        "notice a decision without reason, time or payments, or with them too early",
        arguments: [
            Decision(state: .pending, reason: .deadline, at: nil, countsOn: []),
            Decision(state: .pending, reason: nil, at: Checkout.placedAt, countsOn: []),
            Decision(state: .refused, reason: nil, at: Checkout.placedAt, countsOn: []),
            Decision(state: .refused, reason: .deadline, at: nil, countsOn: []),
            Decision(state: .canceled, reason: nil, at: nil, countsOn: []),
        ]
    )
    func noticeIncoherentDecisions(_ decision: Decision) throws {
        #expect(violations(try Story().order) { $0.decision = decision } == [.decisionIncoherent])
    }

    @Test("notice payments counted on that are missing, or not the order's") func noticeWrongCounting() throws {
        var ids = IdentifierSource(random: SeededRandom(seed: 10))
        let stranger: PaymentID = ids.make(at: Checkout.placedAt)
        let order = try captured(Checkout(policy: .bestEffort))
        #expect(violations(order) { $0.decision.countsOn.insert(stranger) } == [.decisionIncoherent])
        #expect(violations(order) { $0.decision.reason = nil } == [.decisionIncoherent])
        let none = violations(order) { $0.decision.countsOn = [] }
        #expect(none == [.capturedUnwanted, .decisionIncoherent, .policyUnsatisfied])
        let refused = violations(try refused()) { $0.decision.countsOn = [$0.payments[0].id] }
        #expect(refused == [.decisionIncoherent])
    }

    @Test("notice an order cleared on payments that do not satisfy its policy") func noticeUnsatisfiedPolicies() throws
    {
        let found = violations(try captured(Checkout(policy: .bestEffort))) { $0.terms.policy = .minimum(501) }
        #expect(found == [.policyUnsatisfied])
    }

    @Test("notice an operation with an amount that did not succeed, or did more than it was asked")
    func noticeWrongAmounts() throws {
        let open = violations(try Story().order) { $0.payments[0].attempts[0].operations[0].doneAmount = 1 }
        #expect(open == [.amountWithoutSuccess])
        var story = try Story(Checkout(capture: .manual))
        story.approve(0)
        let more = violations(story.order) { $0.payments[0].attempts[0].operations[0].doneAmount = 301 }
        #expect(more == [.amountWithoutSuccess])
        let less = violations(story.order) { $0.payments[0].attempts[0].operations[0].doneAmount = -1 }
        #expect(less.contains(.amountWithoutSuccess))
    }

    @Test("notice an open operation that nobody will take in hand, and a finished one that somebody would")
    func noticeWrongSchedules() throws {
        let open = violations(try Story().order) { $0.payments[0].attempts[0].operations[0].dueAt = nil }
        #expect(open == [.scheduleIncoherent])
        let due = violations(try captured()) { $0.payments[0].attempts[0].operations[0].dueAt = Checkout.placedAt }
        #expect(due == [.scheduleIncoherent])
        let leased = violations(try captured()) { $0.payments[0].attempts[0].operations[0].leasedBy = "one" }
        #expect(leased == [.scheduleIncoherent])
    }

    @Test("notice allocation lines that do not sum to the payment's amounts") func noticeWrongAllocation() throws {
        let line = AllocationLine(kind: .commission, party: "travel", amount: 1)
        #expect(violations(try captured()) { $0.payments[0].allocation.append(line) } == [.allocationDiffers])
        #expect(violations(try captured()) { $0.payments[0].allocation[0].captured -= 1 } == [.allocationDiffers])
        #expect(violations(try captured()) { $0.payments[0].allocation[0].refunded += 1 } == [.allocationDiffers])
    }

    @Test("notice what a PSP did by itself and is still waited for") func noticeOpenPSPOperations() throws {
        var ids = IdentifierSource(random: SeededRandom(seed: 9))
        var foreign = Operation(
            id: ids.make(at: Checkout.placedAt),
            kind: .refund,
            amount: 10,
            origin: .psp,
            createdAt: Checkout.placedAt
        )
        foreign.dueAt = Checkout.placedAt
        let found = violations(try captured()) { $0.payments[0].attempts[0].operations.append(foreign) }
        #expect(found == [.pspOperationOpen])
    }

    @Test("notice operations of refunds that do not exist, or that ask for more") func noticeWrongRefunds() throws {
        var story = try Story.captured()
        try story.refund(story.shares((0, 100)))
        #expect(violations(story.order) { $0.refunds = [] } == [.refundIncoherent])
        let refund = try #require(story.order.refunds.first)
        func with(_ items: [Refund.Item]) -> [OrderViolation] {
            violations(story.order) {
                $0.refunds = [
                    Refund(id: refund.id, items: items, borneBy: .merchant, reason: "", createdAt: refund.createdAt)
                ]
            }
        }
        #expect(with([Refund.Item(payment: story.order.payments[1].id, amount: 100)]) == [.refundIncoherent])
        #expect(with([Refund.Item(payment: story.order.payments[0].id, amount: 99)]) == [.refundIncoherent])
        #expect(with(refund.items).isEmpty)
    }

    @Test("notice disputes kept twice, of nothing that exists, or below zero") func noticeWrongDisputes() throws {
        var story = try Story.captured()
        let isMatched = story.notice(0, .dispute(DisputeNotice(state: .won, amount: 10)), object: "dp_1")
        #expect(isMatched)
        let dispute = try #require(story.order.payments[0].disputes.first)
        #expect(violations(story.order) { $0.payments[0].disputes.append(dispute) } == [.disputeIncoherent])
        #expect(violations(story.order) { $0.payments[1].disputes = [dispute] } == [.disputeIncoherent])
        #expect(violations(story.order) { $0.payments[0].disputes[0].amount = -1 } == [.disputeIncoherent])
    }

    @Test("notice more charged back than is captured, unless a person is told") func noticeUntoldOverruns() throws {
        var story = try Story.captured()
        try story.refund(story.shares((0, 200)))
        let isMatched = story.notice(0, .dispute(DisputeNotice(state: .opened, amount: 200)), object: "dp_1")
        #expect(isMatched)
        #expect(violations(story.order) { $0.attention = [] } == [.claimsExceedCaptured])
        var taken = try Story.accepted(Checkout(policy: .bestEffort))
        let isTaken = taken.notice(0, .outcome(.capture, .approved(400, "cap_9")), object: "cap_9")
        #expect(isTaken)
        #expect(violations(taken.order) { $0.attention = [] } == [.claimsExceedAuthorized])
    }

    @Test("notice another route of a payment whose credential must not go elsewhere") func noticeUndueRoutes() throws {
        let route = RouteSnapshot(psp: "adyen", pspAccount: "adyen-main")
        var story = try Story(Checkout(amounts: [300], alternatives: [route], reroute: .ifNotSent))
        story.authorize(0, .notSent(reason: "no connection"))
        #expect(violations(story.order) { $0.payments[0].reroute = .never } == [.reroutedUnduly])
    }
}
