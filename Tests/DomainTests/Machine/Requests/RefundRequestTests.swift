import Domain
import Testing

@Suite("Refunding on request")
struct RefundRequestTests {
    private func refusal(_ story: inout Story, _ share: RefundRequest.Share) -> RequestRefusal? {
        story.refusal { (it) throws(RequestRefusal) in try it.refund(RefundRequest(share)) }
    }

    private func status(_ story: Story) throws -> Refund.Status {
        story.order.status(of: try #require(story.order.refunds.last))
    }

    @Test("gives back amounts of payments, as one refund with an operation each") func items() throws {
        var story = try Story.captured()
        try story.refund(story.shares((0, 100), (1, 50)))
        let refund = try #require(story.order.refunds.first)
        #expect(refund.id.text.hasPrefix("rfd_"))
        #expect(refund.amount == 150)
        #expect(refund.reason == "returned")
        #expect(story.order.operations(of: refund.id).map(\.amount) == [100, 50])
        #expect(story.last(.refund, 0)?.leasedBy == "one")
        #expect(story.told("order.refund_requested") == 1)
        #expect(try status(story) == .pending)
        #expect(story.order.payments.map(\.refundable) == [200, 150])
        try story.succeed(.refund, 0)
        try story.succeed(.refund, 1)
        #expect(try status(story) == .succeeded)
        #expect(story.order.status == .partiallyRefunded)
        #expect(story.order.amountRefunded(by: refund.id) == 150)
    }

    @Test("gives back all that is left") func all() throws {
        var story = try Story.captured()
        try story.refund(story.shares((0, 100)))
        try story.refund(.all)
        #expect(story.order.refunds.last?.items.map(\.amount) == [200, 200])
        for operation in story.order.payments.flatMap({ $0.attempt.all(.refund) }) {
            story.report(.approved(operation.amount, operation.id.text), of: operation.id)
        }
        #expect(story.order.status == .refunded)
        #expect(story.books.balances.isEmpty)
        #expect(refusal(&story, .all)?.code == .refundExceedsCaptured)
    }

    @Test("divides an amount in proportion to what is still refundable") func proportional() throws {
        var story = try Story.captured(Checkout(amounts: [300, 200, 100], policy: .bestEffort))
        try story.refund(story.shares((0, 299)))
        try story.refund(.proportional(151))
        #expect(story.order.refunds.last?.items.map(\.amount) == [1, 100, 50])
        #expect(refusal(&story, .proportional(151))?.available == 150)
        try story.refund(.proportional(150))
        #expect(story.order.payments.map(\.refundable) == [0, 0, 0])
    }

    @Test("needs an allocation of an amount alone, unless only one payment is captured") func amountAlone() throws {
        var story = try Story.captured()
        let several = refusal(&story, .amount(100))
        #expect(several?.code == .allocationRequired)
        #expect(several?.available == 500)
        var single = try Story.captured(Checkout(amounts: [300]))
        try single.refund(.amount(100))
        #expect(single.order.refunds.first?.items.map(\.amount) == [100])
    }

    @Test("of 60 twice on 100 gives back one of them; a refusal makes room again") func twice() throws {
        var story = try Story.captured(Checkout(amounts: [100]))
        try story.refund(.amount(60))
        let second = refusal(&story, .amount(60))
        #expect(second?.code == .refundExceedsCaptured)
        #expect(second?.available == 40)
        #expect(second?.payment == story.order.payments[0].id)
        try story.answer(.refund, 0, .refusedByIssuer)
        #expect(try status(story) == .failed)
        #expect(story.reasons.isEmpty)
        try story.refund(.amount(60))
        try story.succeed(.refund, 0)
        #expect(refusal(&story, .amount(41))?.available == 40)
    }

    @Test("is refused for strangers, for nothing, twice the same, what is not captured and not counted")
    func malformed() throws {
        var story = try Story.captured(Checkout(policy: .bestEffort))
        let other = try Story.captured(Checkout(amounts: [1, 2, 3], policy: .bestEffort))
        let cases: [(RefundRequest.Share, RequestRefusal.Code)] = [
            (other.shares((2, 1)), .unknownPayment), (.items([]), .invalidAmount),
            (story.shares((0, 0)), .invalidAmount), (story.shares((0, -5)), .invalidAmount),
            (.proportional(0), .invalidAmount), (story.shares((0, 1), (0, 1)), .repeatedPayment),
            (story.shares((0, 301)), .refundExceedsCaptured), (.proportional(501), .refundExceedsCaptured),
        ]
        for (share, code) in cases { #expect(refusal(&story, share)?.code == code) }
        var held = try Story.accepted(Checkout())
        #expect(refusal(&held, .all)?.code == .notRefundable)
        var refused = try Story()
        refused.decline(0)
        #expect(refusal(&refused, .all)?.code == .notRefundable)
        var part = try Story(Checkout(policy: .bestEffort))
        part.approve(0)
        part.decline(1)
        try part.succeed(.capture, 0)
        #expect(refusal(&part, part.shares((1, 1)))?.code == .notRefundable)
    }

    @Test("shows in part what succeeded in part") func partially() throws {
        var story = try Story.captured()
        try story.refund(story.shares((0, 100), (1, 50)))
        try story.succeed(.refund, 0)
        try story.answer(.refund, 1, .refusedByIssuer)
        #expect(try status(story) == .partiallySucceeded)
    }

    @Test("voids a capture that has not settled if it covers everything") func voidsUnsettled() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.all)
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        let reversal = try #require(story.last(.reverse, 0))
        #expect(reversal.amount == 300)
        #expect(reversal.refund == story.order.refunds[0].id)
        #expect(try status(story) == .pending)
        #expect(refusal(&story, .amount(1))?.available == 0)
        try story.succeed(.reverse, 0)
        #expect(try status(story) == .succeeded)
        #expect(story.order.status == .refunded)
        #expect(story.books.balances.isEmpty)
        #expect(story.reasons.isEmpty)
    }

    @Test("waits for settlement otherwise, a step longer each time, and keeps its claim", arguments: [300, 100])
    func waitsForSettlement(_ amount: Int64) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(amount))
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        if amount == 300 { try story.answer(.reverse, 0, .refusedByPSP(.unsupported)) }
        for pause: Int64 in [1000, 5000, 30_000] {
            let again = try #require(story.last(.refund, 0))
            #expect(again.amount == amount)
            #expect(again.leasedBy == nil && again.sendings == 0)
            #expect(again.dueAt == story.now.adding(milliseconds: pause))
            #expect(story.order.payments[0].refundable == 300 - amount)
            story.sleep(milliseconds: pause)
            let isClaimed = story.claim(again.id)
            #expect(isClaimed)
            try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        }
        story.sleep(milliseconds: 3_600_000)
        let isClaimed = story.claim(try #require(story.last(.refund, 0)).id)
        #expect(isClaimed)
        try story.answer(.refund, 0, .approved(amount))
        #expect(try status(story) == .succeeded)
        #expect(story.order.refunded == amount)
        #expect(story.reasons.isEmpty)
    }

    @Test("that succeeded after it was refused takes back the next try, if nobody has sent it") func withdraws() throws
    {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(200))
        let first = try #require(story.last(.refund, 0))
        try story.answer(.refund, 0, .refusedByPSP(.notSettledYet))
        #expect(story.order.payments[0].attempt.openRefunds == 200)
        story.report(.approved(200), of: first.id)
        #expect(story.order.payments[0].attempt.openRefunds == 0)
        #expect(story.order.refunded == 200)
        #expect(try status(story) == .succeeded)
        #expect(story.reasons == [.successAfterRefusal])
    }
}
