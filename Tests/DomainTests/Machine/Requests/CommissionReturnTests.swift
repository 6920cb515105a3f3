import Domain
import SeededRandom
import Testing

/// Random sales and refunds; `TRIBUTARY_SEEDS` is the number of orders (60 unless told otherwise).
@Suite("Commission given back")
struct CommissionReturnTests {
    private static let routes = [
        RouteSnapshot(psp: "simulator", pspAccount: "sim-a"),
        RouteSnapshot(psp: "stripe", pspAccount: "s", settlesTo: .merchant, commissionBy: .psp),
        RouteSnapshot(psp: "stripe", pspAccount: "s", settlesTo: .merchant, commissionBy: .invoice),
    ]

    private static func checkout(_ random: inout SeededRandom) -> Checkout {
        let count = Int(random.number(in: 1...4))
        let amounts = (0..<count).map { _ in random.number(in: 1...(random.chance(50) ? 30 : 90_000)) }
        return Checkout(
            amounts: amounts,
            policy: .bestEffort,
            routes: [random.one(of: routes)],
            commission: CommissionRule(
                basisPoints: random.number(in: 0...6000),
                taxBasisPoints: random.number(in: 0...2500),
                returnedOnRefund: random.chance(50) ? .proRata : .none
            ),
            stated: amounts.map { Checkout.randomLines(of: $0, &random) }
        )
    }

    /// Gives back everything in random parts, some of which fail first.
    private static func refundInParts(_ story: inout Story, borneBy: Refund.Bearer, _ random: inout SeededRandom) throws
    {
        while story.order.payments.contains(where: { $0.refundable > 0 }) {
            let left = story.order.payments.reduce(0) { $0 + $1.refundable }
            try story.refund(.proportional(random.number(in: 1...left)), borneBy: borneBy)
            for operation in story.order.payments.flatMap({ $0.attempt.openOperations }) {
                let fails = random.chance(20)
                story.report(
                    fails ? .refusedByIssuer : .approved(operation.amount, operation.id.text),
                    of: operation.id
                )
            }
        }
    }

    @Test(
        "stays where the rule says so, whether a refund in the portal is heard of before the order is accepted or behind",
        arguments: [true, false]
    )
    func early(isEarly: Bool) throws {
        let rule = CommissionRule(basisPoints: 1000, returnedOnRefund: .none)
        var story = try Story(Checkout(amounts: [1000, 500], commission: rule))
        story.approve(0, 1)
        try story.succeed(.capture, 0)
        if !isEarly { try story.succeed(.capture, 1) }
        let isTold = story.notice(0, .outcome(.refund, .approved(300, "re_1")), object: "re_1")
        #expect(isTold)
        if isEarly {
            #expect(story.order.payments[0].allocation.map(\.refunded) == [270, 30])
            try story.succeed(.capture, 1)
        }
        #expect(story.order.decision.state == .accepted)
        #expect(story.order.payments[0].allocation.map(\.refunded) == [300, 0])
    }

    @Test("by k partial refunds is what one full refund gives back, per line, in the books and to the PSP, to the unit")
    func partsEqualTheWhole() throws {
        for seed in Seeds.lane(0, of: 1, count: 60) {
            var random = SeededRandom(seed: seed &+ 99)
            let checkout = Self.checkout(&random)
            let borneBy = random.one(of: Refund.Bearer.allCases)
            var (parts, whole) = (try Story.captured(checkout), try Story.captured(checkout))
            try Self.refundInParts(&parts, borneBy: borneBy, &random)
            try whole.refund(.all, borneBy: borneBy)
            for index in checkout.amounts.indices { try whole.succeed(.refund, index) }
            #expect(parts.order.status == .refunded, "TRIBUTARY_SEED=\(seed)")
            #expect(
                parts.order.payments.map(\.allocation) == whole.order.payments.map(\.allocation),
                "TRIBUTARY_SEED=\(seed)"
            )
            #expect(parts.books.balances == whole.books.balances, "TRIBUTARY_SEED=\(seed)")
            #expect(Self.told(parts) == Self.told(whole), "TRIBUTARY_SEED=\(seed)")
            guard parts.books.balances == whole.books.balances else { return }
        }
    }

    /// What the PSPs were told to give back of the commission with refunds that succeeded, by payment.
    private static func told(_ story: Story) -> [Int64] {
        story.order.payments.map { payment in
            payment.attempt.all(.refund).filter { $0.state == .succeeded }.reduce(0) { $0 + ($1.commission ?? 0) }
        }
    }

    private func refunded(
        _ rule: CommissionRule.Return,
        _ bearer: Refund.Bearer,
        _ route: RouteSnapshot
    ) throws -> Story {
        let commission = CommissionRule(basisPoints: 1000, taxBasisPoints: 2000, returnedOnRefund: rule)
        var story = try Story.captured(Checkout(amounts: [1000], routes: [route], commission: commission))
        try story.refund(.amount(500), borneBy: bearer)
        try story.succeed(.refund, 0)
        return story
    }

    @Test("pro rata, or not at all, as frozen at the sale") func followsTheRule() throws {
        let proRata = try refunded(.proRata, .merchant, Self.routes[0])
        #expect(proRata.order.payments[0].allocation.map(\.refunded) == [440, 50, 10])
        let kept = try refunded(.none, .merchant, Self.routes[0])
        #expect(kept.order.payments[0].allocation.map(\.refunded) == [500, 0, 0])
        let merchant = kept.order.payments[0].merchant
        #expect(
            kept.books.balances == [
                .clearing(pspAccount: "sim-a"): 500, .payable(merchant: merchant): -380, .commission: -100,
                .commissionTax: -20,
            ]
        )
    }

    @Test("tells a PSP that keeps the commission how much of it a capture and a refund concern") func tellsThePSP()
        throws
    {
        let story = try refunded(.proRata, .merchant, Self.routes[1])
        #expect(story.last(.capture, 0)?.commission == 120)
        #expect(story.last(.refund, 0)?.commission == 60)
        #expect(try refunded(.none, .merchant, Self.routes[1]).last(.refund, 0)?.commission == 0)
        #expect(try refunded(.proRata, .merchant, Self.routes[0]).last(.refund, 0)?.commission == nil)
    }

    /// A sale of which a PSP that keeps the commission gave half back without being asked.
    private func refundedByPSP(
        _ rule: CommissionRule.Return,
        keepsCommission: Bool,
        under operation: OperationID? = nil
    ) throws -> Story {
        let commission = CommissionRule(basisPoints: 1000, taxBasisPoints: 2000, returnedOnRefund: rule)
        var story = try Story.captured(Checkout(amounts: [1000], routes: [Self.routes[1]], commission: commission))
        let attempt = story.order.payments[0].attempt.id
        let subject = Notice.Subject(attempt: attempt.text, operation: operation?.text, object: "re_1")
        let notice = Notice(about: subject, .outcome(.refund, .approved(500, "re_1")))
        let batch = NoticeBatch([.init(notice, about: attempt)], keepsCommission: keepsCommission)
        try story.request { machine throws(RequestRefusal) in try machine.apply(.notices(batch)) }
        return story
    }

    @Test(
        "is nothing where a PSP that keeps it gives back without being asked, as far as that is known",
        arguments: [CommissionRule.Return.proRata, CommissionRule.Return.none],
        [true, false]
    )
    func refundedByPSP(rule: CommissionRule.Return, keepsCommission: Bool) throws {
        var story = try refundedByPSP(rule, keepsCommission: keepsCommission)
        let isKept = keepsCommission || rule == .none
        #expect(story.order.payments[0].allocation.map(\.refunded) == (isKept ? [500, 0, 0] : [440, 50, 10]))
        #expect(story.books.balances[.clearing(pspAccount: "s")] == (isKept ? 120 : 60))
        #expect(story.last(.refund, 0)?.commission == (keepsCommission ? 0 : nil))
        // What is asked for then is told its own share, and no part of what was kept.
        try story.refund(.amount(500))
        #expect(story.last(.refund, 0)?.commission == (rule == .none ? 0 : 60))
        try story.succeed(.refund, 0)
        let left = rule == .none ? 120 : keepsCommission ? 60 : 0
        #expect(story.books.balances[.clearing(pspAccount: "s")] ?? 0 == Int64(left))
    }

    @Test("is none of what the marketplace bears of another refund where the PSP left it", arguments: [true, false])
    func borneBesidePSP(isFirst: Bool) throws {
        let commission = CommissionRule(basisPoints: 1000, taxBasisPoints: 2000)
        var story = try Story.captured(Checkout(amounts: [1000], routes: [Self.routes[1]], commission: commission))
        for isOurs in [isFirst, !isFirst] {
            if isOurs {
                try story.refund(.amount(500), borneBy: .marketplace)
                try story.succeed(.refund, 0)
            } else {
                try Self.refundAtPSP(500, "re_1", of: &story, keepsCommission: true)
            }
        }
        let merchant = story.order.payments[0].merchant
        #expect(
            story.books.balances == [
                .clearing(pspAccount: "s"): 60, .payable(merchant: merchant): -440, .commission: -50,
                .commissionTax: -10, .refundsBorne: 440, .direct(pspAccount: "s"): -60,
                .directTo(merchant: merchant): 60,
            ]
        )
    }

    @Test(
        "is nothing of what an operator says that a PSP gave back, and a share of what is not known, beside what is",
        arguments: [(true, [600, 0, 0]), (false, [564, 30, 6])] as [(Bool, [Int64])]
    )
    func recorded(keepsCommission: Bool, refunded: [Int64]) throws {
        let commission = CommissionRule(basisPoints: 1000, taxBasisPoints: 2000)
        var story = try Story.captured(Checkout(amounts: [1000], routes: [Self.routes[1]], commission: commission))
        try Self.refundAtPSP(300, "re_1", of: &story, keepsCommission: true)
        let record = OperatorRecord(.refund(amount: 300), of: story.order.payments[0].id, reference: "re_2")
        try story.request { machine throws(RequestRefusal) in
            try machine.record(record, .init(evidence: "e", reason: "r", by: "ann")) { _ in
                CaptureAbility(partial: true, multiple: true, keepsCommission: keepsCommission)
            }
        }
        #expect(story.order.payments[0].allocation.map(\.refunded) == refunded)
    }

    /// Lets the PSP tell of a refund that nobody asked for.
    private static func refundAtPSP(
        _ amount: Int64,
        _ name: String,
        of story: inout Story,
        keepsCommission: Bool
    ) throws {
        let attempt = story.order.payments[0].attempt.id
        let notice = Notice(
            about: Notice.Subject(attempt: attempt.text, object: name),
            .outcome(.refund, .approved(amount, name))
        )
        let batch = NoticeBatch([.init(notice, about: attempt)], keepsCommission: keepsCommission)
        try story.request { machine throws(RequestRefusal) in try machine.apply(.notices(batch)) }
    }

    @Test("is a share of what restored books had told a PSP that keeps it, though they do not know of it")
    func refundedUnderLostName() throws {
        var ids = IdentifierSource()
        let story = try refundedByPSP(.proRata, keepsCommission: true, under: ids.make(at: Checkout.placedAt))
        #expect(story.order.payments[0].allocation.map(\.refunded) == [440, 50, 10])
    }

    @Test("leaves the merchant's balance alone where the marketplace bears the refund") func borneByMarketplace() throws
    {
        let ours = try refunded(.proRata, .marketplace, Self.routes[0])
        let merchant = ours.order.payments[0].merchant
        #expect(
            ours.books.balances == [
                .clearing(pspAccount: "sim-a"): 500, .payable(merchant: merchant): -880, .commission: -50,
                .commissionTax: -10, .refundsBorne: 440,
            ]
        )
        let theirs = try refunded(.proRata, .marketplace, Self.routes[1])
        #expect(
            theirs.books.balances == [
                .clearing(pspAccount: "s"): 60, .payable(merchant: merchant): -440, .commission: -50,
                .commissionTax: -10, .refundsBorne: 440, .direct(pspAccount: "s"): 440,
                .directTo(merchant: merchant): -440,
            ]
        )
    }

    @Test("all of it where an order was never sold, whatever the rule says") func neverSold() throws {
        var story = try Story(
            Checkout(amounts: [1000, 500], commission: CommissionRule(basisPoints: 1000, returnedOnRefund: .none))
        )
        story.approve(0, 1)
        try story.succeed(.capture, 0)
        try story.answer(.capture, 1, .refusedByIssuer)
        try story.succeed(.refund, 0)
        try story.succeed(.void, 1)
        #expect(story.books.balances.isEmpty)
    }
}
