import Domain
import SeededRandom
import Testing

@Suite("Disputes")
struct DisputeTests {
    private func dispute(
        _ state: DisputeNotice.State,
        _ amount: Int64 = 300,
        _ reason: String? = nil
    ) -> Notice.Happening {
        .dispute(DisputeNotice(state: state, amount: amount, reason: reason))
    }

    @Test("take the amount from the merchant, and give it back once they are won") func wonDisputes() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        let (before, merchant) = (story.books.balances, story.order.payments[0].merchant)
        let isOpened = story.notice(0, dispute(.opened, 300, "fraudulent"), object: "dp_1")
        #expect(isOpened)
        let opened = try #require(story.order.payments[0].disputes.first)
        #expect(opened.id.text.hasPrefix("dsp_"))
        #expect(opened.reason == "fraudulent")
        #expect(story.order.chargedBack == 300)
        #expect(story.order.payments[0].refundable == 0)
        #expect(story.books.balances[.payable(merchant: merchant)] == 30)
        #expect(story.books.entries.last?.kind == .chargeback)
        #expect(story.books.entries.last?.dispute == opened.id)
        #expect(story.books.entries.last?.operation == nil)
        #expect(story.order.status == .paid)
        let isWon = story.notice(0, dispute(.won), object: "dp_1")
        #expect(isWon)
        #expect(story.order.chargedBack == 0)
        #expect(story.books.balances == before)
        #expect(story.books.entries.last?.kind == .chargebackReversal)
        #expect([story.told("dispute.opened"), story.told("dispute.won"), story.told("dispute.lost")] == [1, 1, 0])
        #expect(story.reasons.isEmpty)
    }

    @Test("that are lost stay charged back, also if nobody said that they were opened") func lostDisputes() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        for state in [DisputeNotice.State.lost, .opened, .lost] {
            let isMatched = story.notice(0, dispute(state, 100), object: "dp_1")
            #expect(isMatched)
        }
        #expect(story.order.chargedBack == 100)
        #expect(story.order.payments[0].disputes.map(\.state) == [.lost])
        #expect([story.told("dispute.opened"), story.told("dispute.lost")] == [0, 1])
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture, .chargeback])
    }

    @Test("that turn out to be over another amount are told again, with it") func anotherAmount() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        for amount in [120, 120, 300, 300] as [Int64] {
            let isMatched = story.notice(0, dispute(.opened, amount), object: "dp_1")
            #expect(isMatched)
        }
        #expect(story.order.payments[0].disputes.map(\.amount) == [300])
        #expect(story.order.chargedBack == 300)
        let told = story.events.filter { $0.type == "dispute.opened" }.flatMap(\.details).filter { $0.name == "amount" }
        #expect(told.map(\.value) == [.integer(120), .integer(300)])
        #expect(story.toldMarketplace.count { $0 == .disputeOpened } == 2)
        #expect(story.toldMerchant(0).count { $0 == .disputeOpened } == 2)
    }

    @Test(
        "take what a refund waits for: it fails, and is not tried again with what a dispute that is won brings back",
        arguments: [false, true]
    )
    func refundBesideDispute(isWorkedOn: Bool) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        try story.refund(.amount(300))
        let refund = try #require(story.last(.refund, 0)).id
        if isWorkedOn { story.report(.inProgress, of: refund) }
        if !isWorkedOn { story.report(.refusedByPSP(.amountTooLarge), of: refund) }
        let isOpened = story.notice(0, dispute(.opened), object: "dp_1")
        #expect(isOpened)
        if isWorkedOn { story.report(.refusedByPSP(.amountTooLarge), of: refund) }
        #expect(story.order.status(of: story.order.refunds[0]) == .failed)
        let tries = story.count(.refund)
        let isWon = story.notice(0, dispute(.won), object: "dp_1")
        #expect(isWon)
        story.wait(milliseconds: 86_400_000)
        #expect(story.count(.refund) == tries && story.order.payments[0].attempt.openOperations.isEmpty)
        #expect(story.order.status(of: story.order.refunds[0]) == .failed)
        // Whoever wants it all the same asks anew.
        try story.refund(.amount(300))
        try story.succeed(.refund, 0)
        #expect(story.order.refunded == 300)
    }

    /// What is told of a dispute of one amount, one after the other, and what is posted of it.
    static let orders: [([DisputeNotice.State], [JournalEntry.Kind])] = [
        ([.won], [.chargeback, .chargebackReversal]),
        ([.won, .won], [.chargeback, .chargebackReversal]),
        ([.won, .opened], [.chargeback, .chargebackReversal]),
        ([.won, .opened, .won], [.chargeback, .chargebackReversal]),
        ([.opened, .won, .opened], [.chargeback, .chargebackReversal]),
        ([.won, .lost], [.chargeback, .chargebackReversal, .chargeback]),
        ([.opened, .won, .lost, .won], [.chargeback, .chargebackReversal, .chargeback]),
    ]

    @Test(
        "that are first heard of when they are won have taken the amount and given it back",
        arguments: orders,
        [300, 120] as [Int64]
    )
    func wonUnheard(_ row: ([DisputeNotice.State], [JournalEntry.Kind]), _ amount: Int64) throws {
        let direct = RouteSnapshot(psp: "stripe", pspAccount: "s", settlesTo: .merchant, commissionBy: .psp)
        for route in [RouteSnapshot(psp: "simulator", pspAccount: "sim-a"), direct] {
            var story = try Story.captured(Checkout(amounts: [300], routes: [route]))
            let (before, count) = (story.books.balances, story.books.entries.count)
            for state in row.0 {
                let isMatched = story.notice(0, dispute(state, amount), object: "dp_1")
                #expect(isMatched)
            }
            let posted = story.books.entries.dropFirst(count)
            #expect(posted.map(\.kind) == row.1)
            #expect(posted.allSatisfy { $0.dispute == story.order.payments[0].disputes.first?.id })
            #expect(posted.allSatisfy { $0.postings.map(\.amount) == [amount] })
            let isLost = row.0.contains(.lost)
            #expect(story.order.chargedBack == (isLost ? amount : 0))
            #expect((story.books.balances == before) == !isLost)
            let told = ["dispute.opened", "dispute.won", "dispute.lost"].map(story.told)
            #expect(told == [row.0.first == .opened ? 1 : 0, 1, isLost ? 1 : 0])
        }
    }

    @Test("that are won over more than was told of before have taken the rest as well") func wonOverMore() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        let before = story.books.balances
        for (state, amount) in [(DisputeNotice.State.opened, Int64(100)), (.won, 150), (.won, 300)] {
            let isMatched = story.notice(0, dispute(state, amount), object: "dp_1")
            #expect(isMatched)
        }
        #expect(story.books.balances == before)
        let posted = story.books.entries.filter { $0.dispute != nil }
        #expect(
            posted.map(\.kind)
                == [.chargeback, .chargeback, .chargebackReversal, .chargeback, .chargebackReversal]
        )
        #expect(posted.map { $0.postings[0].amount } == [100, 50, 150, 150, 150])
    }

    @Test(
        "that are won are posted once, however their amount is told since",
        arguments: [[.won, .won, .won], [.opened, .won, .won], [.lost, .won, .won]] as [[DisputeNotice.State]]
    )
    func wonAgain(states: [DisputeNotice.State]) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        for (second, (state, amount)) in zip(states, [Int64(300), 120, 300]).enumerated() {
            let isMatched = story.hear(
                Notice(
                    about: .init(attempt: story.order.payments[0].attempt.id.text, object: "dp_1"),
                    dispute(state, amount),
                    at: Checkout.placedAt.adding(milliseconds: Int64(second) * 1000)
                )
            )
            #expect(isMatched)
        }
        #expect(story.order.payments[0].disputes.map(\.amount) == [300])
        let posted = story.books.entries.filter { $0.dispute != nil }
        #expect(posted.map(\.kind) == [.chargeback, .chargebackReversal])
    }

    @Test(
        "that are lost in part have taken all of it and given the rest back, in whatever order that is told",
        arguments: [[.lost], [.opened, .lost], [.lost, .opened], [.lost, .lost], [.opened, .lost, .opened, .lost]]
            as [[DisputeNotice.State]]
    )
    func lostInPart(states: [DisputeNotice.State]) throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        for (second, state) in states.enumerated() {
            let news =
                state == .lost
                ? DisputeNotice(state: .lost, amount: 120, disputed: 300) : DisputeNotice(state: .opened, amount: 300)
            let isMatched = story.hear(
                Notice(
                    about: .init(attempt: story.order.payments[0].attempt.id.text, object: "dp_1"),
                    .dispute(news),
                    at: Checkout.placedAt.adding(milliseconds: Int64(second) * 1000)
                )
            )
            #expect(isMatched)
        }
        #expect(story.order.chargedBack == 120)
        let posted = story.books.entries.filter { $0.dispute != nil }
        #expect(posted.map(\.kind) == [.chargeback, .chargebackReversal])
        #expect(posted.map { $0.postings[0].amount } == [300, 180])
        #expect([story.told("dispute.won"), story.told("dispute.lost")] == [0, 1])
    }

    @Test("that are lost in part over more than was told of before have taken the rest as well")
    func lostInPartOfMore() throws {
        var story = try Story.captured(Checkout(amounts: [300]))
        _ = story.notice(0, dispute(.opened, 100), object: "dp_1")
        _ = story.notice(0, .dispute(DisputeNotice(state: .lost, amount: 120, disputed: 300)), object: "dp_1")
        let posted = story.books.entries.filter { $0.dispute != nil }
        #expect(posted.map(\.kind) == [.chargeback, .chargeback, .chargebackReversal])
        #expect(posted.map { $0.postings[0].amount } == [100, 200, 180])
        #expect(story.order.chargedBack == 120)
    }

    @Test("and refunds share what is captured: a refund that does not fit any more is refused") func againstRefunds()
        throws
    {
        var story = try Story.captured(Checkout(amounts: [100]))
        let isMatched = story.notice(0, dispute(.opened, 60), object: "dp_1")
        #expect(isMatched)
        let refusal = story.refusal { (it) throws(RequestRefusal) in try it.refund(RefundRequest(.amount(60))) }
        #expect(refusal?.code == .refundExceedsCaptured)
        #expect(refusal?.available == 40)
        try story.refund(.amount(40))
    }

    @Test("of what is refunded, or being refunded, already are booked, and a person is told") func overrun() throws {
        var story = try Story.captured(Checkout(amounts: [100]))
        try story.refund(.amount(60))
        let isMatched = story.notice(0, dispute(.opened, 60), object: "dp_1")
        #expect(isMatched)
        #expect(story.reasons == [.overRefunded])
        #expect(story.order.attention.first?.amountAtRisk == 20)
        #expect(OrderRules.violations(of: story.order).isEmpty)
        try story.succeed(.refund, 0)
        #expect(story.reasons == [.overRefunded])
        let isWon = story.notice(0, dispute(.won, 60), object: "dp_1")
        #expect(isWon)
        #expect(story.reasons.isEmpty)
        #expect(story.told("order.attention_required") == 1)
    }

    @Test(
        "of what is being captured tell a person once the capture came to nothing",
        arguments: [(.refusedByIssuer, [.captureFailed, .overRefunded]), (.approved(100), []), (.timedOut, [])]
            as [(Outcome, [Attention.Reason])]
    )
    func ofCaptureInDoubt(_ row: (end: Outcome, reasons: [Attention.Reason])) throws {
        var story = try Story.accepted(Checkout(amounts: [100]))
        try story.capture()
        try story.answer(.capture, 0, .inProgress)
        let isMatched = story.notice(0, dispute(.opened, 60), object: "dp_1")
        #expect(isMatched)
        #expect(story.reasons.isEmpty)
        try story.answer(.capture, 0, row.end)
        #expect(Set(story.reasons) == Set(row.reasons))
        #expect(OrderRules.violations(of: story.order).isEmpty)
    }

    @Test("of what was captured and refunded tell a person though another capture is under way") func besideCapture()
        throws
    {
        var story = try Story.accepted(Checkout(amounts: [160], capture: .manual))
        try story.capture(story.items([(0, 100)], isFinal: false))
        try story.succeed(.capture, 0)
        try story.refund(.amount(100))
        try story.succeed(.refund, 0)
        try story.capture(story.items([(0, 60)], isFinal: true))
        try story.answer(.capture, 0, .inProgress)
        let isMatched = story.notice(0, dispute(.opened, 60), object: "dp_1")
        #expect(isMatched)
        #expect(story.reasons == [.overRefunded] && story.order.attention.first?.amountAtRisk == 60)
    }

    @Test("of money that the PSP takes from the merchant directly are noted, and are nobody's claim") func directly()
        throws
    {
        let route = RouteSnapshot(psp: "stripe", pspAccount: "s", settlesTo: .merchant, commissionBy: .psp)
        var story = try Story.captured(Checkout(amounts: [300], routes: [route]))
        let merchant = story.order.payments[0].merchant
        var expected = story.books.balances
        let isMatched = story.notice(0, dispute(.lost), object: "dp_1")
        #expect(isMatched)
        expected[.direct(pspAccount: "s"), default: 0] -= 300
        expected[.directTo(merchant: merchant), default: 0] += 300
        #expect(story.books.balances == expected)
        #expect(story.books.entries.last?.kind == .chargeback)
        #expect(story.order.chargedBack == 300)
    }

    @Test("of an order that is being undone are not refunded as well, until they are won") func undone() throws {
        var story = try Story()
        story.approve(0)
        story.decline(1)
        try story.answer(.void, 0, .refusedByPSP(.alreadyCaptured))
        try story.answer(.refund, 0, .refusedByPSP(.configuration))
        let isOpened = story.notice(0, dispute(.opened), object: "dp_1")
        #expect(isOpened)
        #expect(story.order.payments[0].attempt.openOperations.isEmpty)
        #expect(story.order.status == .failed)
        let isWon = story.notice(0, dispute(.won), object: "dp_1")
        #expect(isWon)
        #expect(story.order.status == .compensating)
        try story.succeed(.refund, 0)
        #expect(story.order.status == .failed)
        #expect(story.books.balances.isEmpty)
    }

    @Test("of one end and then another stand as the PSP's clock says") func twoEnds() throws {
        for order in [[0, 1], [1, 0]] {
            var story = try Story.captured(Checkout(amounts: [300]))
            let ends = [(DisputeNotice.State.won, Int64(1000)), (.lost, 2000)]
            for index in order {
                let isMatched = story.hear(
                    Notice(
                        about: .init(attempt: story.order.payments[0].attempt.id.text, object: "dp_1"),
                        dispute(ends[index].0),
                        at: Checkout.placedAt.adding(milliseconds: ends[index].1)
                    )
                )
                #expect(isMatched)
            }
            #expect(story.order.payments[0].disputes.map(\.state) == [.lost])
            #expect(story.order.chargedBack == 300)
        }
    }

    @Test("and refunds, asked, answered and told in any order, claim nothing twice; `TRIBUTARY_SEED` replays one")
    func interleaved() throws {
        for seed in Seeds.lane(0, of: 1, count: 100) {
            var random = SeededRandom(seed: seed &+ 7)
            var story = try Story.captured(Checkout(amounts: [100]))
            for _ in 0..<random.number(in: 2...10) {
                switch random.number(in: 0...4) {
                case 0...1:
                    let (amount, left) = (random.number(in: 1...80), story.order.payments[0].refundable)
                    let refusal = story.refusal { (it) throws(RequestRefusal) in
                        try it.refund(RefundRequest(.amount(amount)))
                    }
                    #expect((refusal == nil) == (amount <= left), "TRIBUTARY_SEED=\(seed)")
                case 2:
                    guard let open = story.order.payments[0].attempt.openOperations.first else { continue }
                    let end: Outcome = random.chance(70) ? .approved(open.amount, open.id.text) : .refusedByIssuer
                    story.report(end, of: open.id)
                default:
                    let state = random.one(of: [DisputeNotice.State.opened, .won, .lost])
                    let object = random.one(of: ["dp_1", "dp_2"])
                    let isMatched = story.notice(0, dispute(state, object == "dp_1" ? 60 : 30), object: object)
                    #expect(isMatched, "TRIBUTARY_SEED=\(seed)")
                }
                let payment = story.order.payments[0]
                let claimed = payment.attempt.openOperations.reduce(payment.refunded + payment.chargedBack) {
                    $0 + $1.amount
                }
                #expect(story.reasons.contains(.overRefunded) == (claimed > 100), "TRIBUTARY_SEED=\(seed)")
                #expect(payment.refundable == max(0, 100 - claimed), "TRIBUTARY_SEED=\(seed)")
            }
        }
    }
}
