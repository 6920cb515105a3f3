import Domain
import Testing

@Suite("Money of a second authorization")
struct SurplusMoneyTests {
    private static let ours = RouteSnapshot(psp: "simulator", pspAccount: "sim-a")
    private static let direct = RouteSnapshot(
        psp: "checkout",
        pspAccount: "c",
        settlesTo: .merchant,
        commissionBy: .psp
    )

    /// A sale of 1000 of which a tenth is commission, and as much again that the PSP took under a second authorization.
    private static func doubled(_ route: RouteSnapshot, _ rule: CommissionRule.Return) throws -> Story {
        let commission = CommissionRule(basisPoints: 1000, returnedOnRefund: rule)
        var story = try Story(Checkout(amounts: [1000], routes: [route], commission: commission))
        let id = story.order.payments[0].attempt.authorization.id
        story.report(.unknown(reason: "lost"), of: id)
        var success = Success(reference: "psp-1", amount: 1000)
        success.surplus = [SurplusPayment(reference: "psp-2", capturedAmount: 1000)]
        story.report(.succeeded(success), of: id)
        try story.succeed(.capture, 0)
        #expect(story.order.payments[0].allocation.map(\.captured) == [1800, 200])
        return story
    }

    /// What gives it back; nil once nothing does.
    private static func undoing(_ story: Story) -> Operation? {
        story.order.payments[0].attempts.last { $0.isSurplus }?.openOperations.first
    }

    @Test(
        "has its own commission, which the PSP is asked to give back with it, whatever the rule says of refunds",
        arguments: [CommissionRule.Return.proRata, CommissionRule.Return.none]
    )
    func commission(rule: CommissionRule.Return) throws {
        var story = try Self.doubled(Self.direct, rule)
        #expect(story.order.payments[0].commissionsKept.values.sorted() == [100, 100])
        let undoing = try #require(Self.undoing(story))
        #expect(undoing.commission == 100)
        story.report(.approved(1000, "undone"), of: undoing.id)
        #expect(story.order.payments[0].allocation.map(\.refunded) == [900, 100])
    }

    @Test("gives back no sale, whoever gives it back", arguments: [Operation.Origin.gateway, .psp, .operator])
    func origins(origin: Operation.Origin) throws {
        var story = try Self.doubled(Self.ours, .none)
        let found = story.order.payments[0].attempts.last { $0.isSurplus }
        let surplus = try #require(found)
        if origin == .gateway {
            story.report(.approved(1000, "undone"), of: try #require(Self.undoing(story)).id)
        } else {
            while let refused = Self.undoing(story) {
                story.report(.refusedByPSP(.unsupported), of: refused.id)
                story.wait(milliseconds: 3_600_000)
            }
        }
        switch origin {
        case .gateway: break
        case .psp:
            let about = Notice.Subject(attempt: surplus.id.text, payment: "psp-2", object: "re_1")
            let isMatched = story.hear(Notice(about: about, .outcome(.refund, .approved(1000, "re_1"))))
            #expect(isMatched)
        case .operator:
            // An operator's entry is of the sale for as long as that has something to give back.
            try story.refund(story.shares((0, 1000)))
            try story.succeed(.refund, 0)
            let record = OperatorRecord(.refund(amount: 1000), of: story.order.payments[0].id, reference: "re_1")
            try story.request { machine throws(RequestRefusal) in
                try machine.record(record, .init(evidence: "e", reason: "r", by: "ann")) { _ in Story.anyAbility }
            }
        }
        let given = story.order.payments[0].attempts.filter { $0.refunded > 0 }
        #expect(given.map(\.isSurplus) == (origin == .operator ? [false, true] : [true]))
        let refunded = story.order.payments[0].allocation.map(\.refunded)
        #expect(refunded == (origin == .operator ? [1900, 100] : [900, 100]))
    }

    @Test("is no part of what the marketplace bears of refunds of the sale", arguments: [true, false])
    func borne(isRefundedFirst: Bool) throws {
        var story = try Self.doubled(Self.ours, .none)
        for isRefund in [isRefundedFirst, !isRefundedFirst] {
            if isRefund {
                try story.refund(story.shares((0, 300)), borneBy: .marketplace)
                try story.succeed(.refund, 0)
            } else {
                story.report(.approved(1000, "undone"), of: try #require(Self.undoing(story)).id)
            }
        }
        #expect(story.books.balances[.refundsBorne] == 300)
        #expect(story.books.balances[.payable(merchant: story.order.payments[0].merchant)] == -900)
    }
}
