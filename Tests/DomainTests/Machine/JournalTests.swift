import Domain
import Testing

@Suite("Journal")
struct JournalTests {
    private static let byMarketplace = RouteSnapshot(psp: "simulator", pspAccount: "sim-a")
    private static let byPSP = RouteSnapshot(
        psp: "stripe",
        pspAccount: "stripe-main",
        merchantAccount: "acct_1",
        settlesTo: .merchant,
        commissionBy: .psp
    )
    private static let byInvoice = RouteSnapshot(
        psp: "stripe",
        pspAccount: "stripe-main",
        merchantAccount: "acct_1",
        settlesTo: .merchant,
        commissionBy: .invoice
    )
    private static let commission = CommissionRule(basisPoints: 1000, taxBasisPoints: 2000)

    private func paid(_ route: RouteSnapshot) throws -> Story {
        var story = try Story(Checkout(amounts: [1000], routes: [route], commission: Self.commission))
        story.approve(0)
        try story.succeed(.capture, 0)
        return story
    }

    @Test("keeps holds on memo accounts until they are captured")
    func keepsHolds() throws {
        var story = try Story(Checkout(amounts: [1000], capture: .manual))
        story.approve(0)
        let merchant = story.order.payments[0].merchant
        #expect(story.books.balances == [.held(pspAccount: "sim-a"): 1000, .heldFor(merchant: merchant): -1000])
        #expect(story.books.entries.map(\.kind) == [.authorization])
    }

    @Test(
        "has the approval and the commission of a sale in one call, whether its capture is told of before it is answered",
        arguments: [false, true]
    )
    func saleInOneCall(isToldFirst: Bool) throws {
        let checkout = Checkout(amounts: [1000], policy: .bestEffort, onDeadline: .continue, routes: [Self.byPSP])
        var story = try Story(checkout)
        let attempt = story.order.payments[0].attempt.id.text
        let taken = Notice(
            about: .init(attempt: attempt, object: "cap_1"),
            .outcome(.capture, .succeeded(Success(reference: "cap_1", amount: 1000)))
        )
        if isToldFirst { _ = story.hear(taken) }
        story.authorize(0, .succeeded(Success(reference: "pay_1", amount: 1000, capturedAmount: 1000)))
        if !isToldFirst { _ = story.hear(taken) }
        let captures = story.order.payments[0].attempt.all(.capture)
        #expect(captures.filter { $0.doneAmount > 0 }.map(\.commission) == [100])
        #expect(Set(story.books.entries.map(\.kind)).isSuperset(of: [.authorization, .capture]))
        let merchant = story.order.payments[0].merchant
        #expect(story.books.balances[.held(pspAccount: "stripe-main")] == nil)
        #expect(story.books.balances[.heldFor(merchant: merchant)] == nil)
    }

    @Test("books all of it through clearing where the marketplace is settled")
    func settlesToMarketplace() throws {
        let story = try paid(Self.byMarketplace)
        let merchant = story.order.payments[0].merchant
        #expect(
            story.books.balances == [
                .clearing(pspAccount: "sim-a"): 1000, .payable(merchant: merchant): -880, .commission: -100,
                .commissionTax: -20,
            ]
        )
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture])
    }

    @Test(
        "notes what the PSP pays the merchant, and books only the commission through clearing where the merchant is settled and the PSP keeps it for us"
    )
    func settlesToMerchantByPSP() throws {
        let story = try paid(Self.byPSP)
        #expect(
            story.books.balances == [
                .clearing(pspAccount: "stripe-main"): 120, .commission: -100, .commissionTax: -20,
                .direct(pspAccount: "stripe-main"): 880,
                .directTo(merchant: story.order.payments[0].merchant): -880,
            ]
        )
    }

    @Test("books the commission as the merchant's debt where it is invoiced")
    func settlesToMerchantByInvoice() throws {
        let story = try paid(Self.byInvoice)
        let merchant = story.order.payments[0].merchant
        #expect(
            story.books.balances == [
                .receivable(merchant: merchant): 120, .commission: -100, .commissionTax: -20,
                .direct(pspAccount: "stripe-main"): 880, .directTo(merchant: merchant): -880,
            ]
        )
    }

    @Test("books refunds backwards, line by line, whoever is settled", arguments: [byMarketplace, byPSP, byInvoice])
    func refundsBackwards(_ route: RouteSnapshot) throws {
        var story = try Story(
            Checkout(
                amounts: [1000, 500],
                routes: [route],
                commission: CommissionRule(basisPoints: 333, taxBasisPoints: 777)
            )
        )
        story.approve(0, 1)
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .refusedByIssuer)
        #expect(!story.books.balances.isEmpty)
        try story.answer(.refund, 0, .approved(334))
        try story.answer(.refund, 0, .approved(333))
        try story.succeed(.refund, 0)
        try story.succeed(.void, 1)
        #expect(story.books.balances.isEmpty)
        #expect(story.order.payments[0].allocation.allSatisfy { $0.captured == $0.refunded })
    }

    @Test(
        "books all of the commission of a part that is captured in the portal of a PSP that keeps it, and no more than that part",
        arguments: [Int64(500), 90]
    )
    func capturedInThePortal(part: Int64) throws {
        var story = try Story.accepted(
            Checkout(amounts: [1000], capture: .manual, routes: [Self.byPSP], commission: Self.commission)
        )
        let isMatched = story.notice(0, .outcome(.capture, .approved(part, "cap_9")), object: "cap_9")
        #expect(isMatched && story.order.captured == part)
        let kept = min(part, 120)
        #expect(story.last(.capture, 0)?.commission == kept)
        var expected: [Account: Int64] = [
            .clearing(pspAccount: "stripe-main"): kept, .commission: -kept * 100 / 120,
            .commissionTax: -kept * 20 / 120,
        ]
        if part > kept {
            expected[.direct(pspAccount: "stripe-main")] = part - kept
            expected[.directTo(merchant: story.order.payments[0].merchant)] = kept - part
        }
        #expect(story.books.balances == expected)
    }

    @Test(
        "books all of the commission that a PSP was told to keep of a capture of ours that took less",
        arguments: [Int64(500), 90]
    )
    func tookLess(part: Int64) throws {
        var story = try Story.accepted(
            Checkout(amounts: [1000], capture: .manual, routes: [Self.byPSP], commission: Self.commission)
        )
        try story.capture()
        try story.answer(.capture, 0, .approved(part, "cap_1"))
        #expect(story.order.captured == part && story.reasons == [.amountMismatch])
        let kept = min(part, 120)
        let payment = story.order.payments[0]
        #expect(payment.attempt.all(.capture).map { payment.commissionsKept[$0.id] } == [kept])
        #expect(story.books.balances[.clearing(pspAccount: "stripe-main")] == kept)
        #expect(story.books.balances[.directTo(merchant: payment.merchant), default: 0] == kept - part)
    }

    @Test("counts as kept of each capture in the portal what is left of the commission, whatever was concluded before")
    func keptOfEach() throws {
        var story = try Story.accepted(Checkout(amounts: [1000], routes: [Self.byPSP], commission: Self.commission))
        for (object, amount) in [("cap_8", Int64(90)), ("cap_9", 300)] {
            let subject = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: object)
            let notice = Notice(about: subject, .outcome(.capture, .approved(amount, object)))
            _ = story.hear(notice, severalCaptures: true)
        }
        let payment = story.order.payments[0]
        #expect(payment.attempt.all(.capture).map { payment.commissionsKept[$0.id] } == [90, 30])
        #expect(payment.attempt.all(.capture).map(\.commission) == [90, 30])
        var concluded = payment
        concluded.attempts[0].operations[1].commission = 120
        #expect(concluded.attempt.all(.capture).map { concluded.commissionsKept[$0.id] } == [90, 30])
        #expect(story.books.balances[.clearing(pspAccount: "stripe-main")] == 120)
    }

    @Test(
        "books no more of the commission than the PSP was told, whichever of our capture and the portal's is heard first",
        arguments: [false, true]
    )
    func capturedByBoth(isPortalFirst: Bool) throws {
        var story = try Story.accepted(Checkout(amounts: [1000], routes: [Self.byPSP], commission: Self.commission))
        try story.capture(story.items([(0, 500)], isFinal: false))
        let ours = try #require(story.last(.capture, 0)?.id)
        let subject = Notice.Subject(attempt: story.order.payments[0].attempt.id.text, object: "cap_9")
        let portals = Notice(about: subject, .outcome(.capture, .approved(300, "cap_9")))
        // What comes before the answer to ours waits for it.
        if isPortalFirst { _ = story.hear(portals, severalCaptures: true) }
        story.report(.approved(500, "cap_1"), of: ours)
        _ = story.hear(portals, severalCaptures: true)
        #expect(story.order.captured == 800)
        #expect(story.order.payments[0].allocation.map(\.captured) == [680, 100, 20])
        #expect(story.books.balances[.clearing(pspAccount: "stripe-main")] == 120)
    }

    @Test("posts each effect of a PSP once, however often it is heard")
    func postsOnce() throws {
        var story = try paid(Self.byMarketplace)
        story.approve(0)
        try story.succeed(.capture, 0)
        try story.answer(.capture, 0, .refusedByPSP(.alreadyCaptured))
        #expect(story.books.entries.count == 2)
    }

    @Test("names each payment and operation, and the moment") func namesWhatItRecords() throws {
        let story = try paid(Self.byMarketplace)
        let capture = try #require(story.last(.capture, 0))
        let entry = try #require(story.books.entries.last)
        #expect(entry.operation == capture.id)
        #expect(entry.payment == story.order.payments[0].id)
        #expect(entry.at == story.now)
    }

    @Test("posts a partial capture with the release of the rest in one entry")
    func postsPartialCaptures() throws {
        var story = try Story(Checkout(amounts: [1000], commission: Self.commission))
        story.approve(0)
        try story.answer(.capture, 0, .approved(501))
        let merchant = story.order.payments[0].merchant
        #expect(
            story.books.balances == [
                .clearing(pspAccount: "sim-a"): 501, .payable(merchant: merchant): -441, .commission: -50,
                .commissionTax: -10,
            ]
        )
        #expect(story.books.entries.map(\.kind) == [.authorization, .capture])
    }
}
