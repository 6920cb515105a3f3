import Domain
import SeededRandom
import Testing

@Suite("What a posting comes to on a statement")
struct StatementMovementTests {
    private static let byMarketplace = RouteSnapshot(psp: "simulator", pspAccount: "sim-a")
    private static let byPSP = RouteSnapshot(
        psp: "stripe",
        pspAccount: "stripe-main",
        merchantAccount: "acct_1",
        settlesTo: .merchant
    )
    private static let byInvoice = RouteSnapshot(
        psp: "stripe",
        pspAccount: "stripe-main",
        merchantAccount: "acct_1",
        settlesTo: .merchant,
        commissionBy: .invoice
    )

    /// A sale of 1000 at 10 % and 20 % tax on it; 500 of it is given back, and a chargeback of 100 won.
    private static func life(_ route: RouteSnapshot, borneBy bearer: Refund.Bearer = .merchant) throws -> Story {
        let commission = CommissionRule(basisPoints: 1000, taxBasisPoints: 2000)
        var story = try Story.captured(Checkout(amounts: [1000], routes: [route], commission: commission))
        try story.refund(.amount(500), borneBy: bearer)
        try story.succeed(.refund, 0)
        for state in [DisputeNotice.State.opened, .won] {
            let isMatched = story.notice(
                0,
                .dispute(DisputeNotice(state: state, amount: 100, reason: nil)),
                object: "d"
            )
            #expect(isMatched)
        }
        return story
    }

    private static func movements(of story: Story) -> [StatementMovement] {
        let operations = story.order.payments.flatMap(\.attempts).flatMap(\.operations)
        return story.books.entries.flatMap { entry in
            entry.postings.map { posting in
                StatementMovement(
                    kind: entry.kind,
                    operation: operations.first { $0.id == entry.operation }?.kind,
                    settlesTo: story.order.payments[0].attempt.route.settlesTo,
                    debit: posting.debit,
                    credit: posting.credit,
                    amount: posting.amount
                )
            }
        }
    }

    private static func amounts(of story: Story) -> StatementAmounts {
        movements(of: story).reduce(into: StatementAmounts()) { $0 += $1.amounts }
    }

    private static let settled: [StatementItem: Int64] = [
        .gross: 1000, .commission: -100, .commissionTax: -20, .refunds: -500, .commissionReturned: 50,
        .commissionTaxReturned: 10, .chargebacks: -100, .chargebackReversals: 100,
    ]
    private static let direct: [DirectItem: Int64] = [
        .gross: 1000, .refunds: -500, .chargebacks: -100, .chargebackReversals: 100,
    ]

    @Test("is gross, commission and tax where the marketplace is settled") func settledToMarketplace() throws {
        let amounts = Self.amounts(of: try Self.life(Self.byMarketplace))
        #expect(amounts == StatementAmounts(balance: Self.settled))
        #expect(amounts.net == 440)
    }

    @Test("is no part of the balance where the merchant is settled") func settledToMerchant() throws {
        let kept = Self.direct.merging([.commissionByPSP: -50, .commissionTaxByPSP: -10]) { $1 }
        #expect(Self.amounts(of: try Self.life(Self.byPSP)) == StatementAmounts(direct: kept))
        let invoiced = Self.direct.merging([.commissionInvoiced: -50, .commissionTaxInvoiced: -10]) { $1 }
        #expect(Self.amounts(of: try Self.life(Self.byInvoice)) == StatementAmounts(direct: invoiced))
    }

    /// A sale of 1000 with a tip of 100 that the merchant keeps, and shipping of 200 that the marketplace does, of which half
    /// is given back.
    private static func delivered(_ route: RouteSnapshot, borneBy bearer: Refund.Bearer = .merchant) throws -> Story {
        var checkout = Checkout(amounts: [1000], routes: [route], commission: CommissionRule(basisPoints: 1000))
        checkout.stated = [
            [StatedLine(.tip, amount: 100), StatedLine(.shipping, amount: 200, keptBy: .marketplace)]
        ]
        var story = try Story.captured(checkout)
        try story.refund(.amount(500), borneBy: bearer)
        try story.succeed(.refund, 0)
        return story
    }

    @Test("is a part of gross where the merchant keeps a tip, and taken off where the marketplace keeps shipping")
    func kept() throws {
        let settled = Self.amounts(of: try Self.delivered(Self.byMarketplace))
        let balance: [StatementItem: Int64] = [
            .gross: 1000, .commission: -90, .shipping: -200, .refunds: -500, .commissionReturned: 45,
            .shippingReturned: 100,
        ]
        #expect(settled == StatementAmounts(balance: balance))
        let direct: [DirectItem: Int64] = [
            .gross: 1000, .refunds: -500, .commissionByPSP: -45, .shippingByPSP: -100,
        ]
        #expect(Self.amounts(of: try Self.delivered(Self.byPSP)) == StatementAmounts(direct: direct))
        let borne = Self.amounts(of: try Self.delivered(Self.byMarketplace, borneBy: .marketplace))
        #expect(borne == StatementAmounts(balance: balance.merging([.borneByMarketplace: 355]) { $1 }))
    }

    @Test("gives the merchant what the marketplace bears of a refund") func borne() throws {
        let settled = Self.amounts(of: try Self.life(Self.byMarketplace, borneBy: .marketplace))
        #expect(settled == StatementAmounts(balance: Self.settled.merging([.borneByMarketplace: 440]) { $1 }))
        let direct = Self.amounts(of: try Self.life(Self.byPSP, borneBy: .marketplace))
        #expect(direct.balance == [.borneByMarketplace: 440])
        #expect(direct.direct[.refunds] == -500)
    }

    @Test(
        "does to the balance what it does to the payable account, whatever the route",
        arguments: [byMarketplace, byPSP, byInvoice],
        [Refund.Bearer.merchant, .marketplace]
    )
    func balance(_ route: RouteSnapshot, _ bearer: Refund.Bearer) throws {
        let story = try Self.life(route, borneBy: bearer)
        let payable = Account.payable(merchant: story.order.payments[0].merchant)
        #expect(Self.amounts(of: story).net == -story.books.balances[payable, default: 0])
    }

    @Test("of several alike is the sum of each", arguments: [byMarketplace, byPSP, byInvoice])
    func sums(_ route: RouteSnapshot) throws {
        for movement in Self.movements(of: try Self.life(route)) {
            let triple = StatementMovement(
                kind: movement.kind,
                operation: movement.operation,
                settlesTo: movement.settlesTo,
                debit: movement.debit,
                credit: movement.credit,
                amount: 3 * movement.amount
            )
            var sum = movement.amounts
            sum += movement.amounts
            sum += movement.amounts
            #expect(triple.amounts == sum)
        }
    }

    @Test("that no item stands for is an adjustment") func unforeseen() throws {
        var ids = IdentifierSource(random: SeededRandom(seed: 1))
        let payable = Account.payable(merchant: ids.make(at: Checkout.placedAt))
        func movement(_ debit: Account, _ credit: Account) -> StatementAmounts {
            StatementMovement(
                kind: .correction,
                operation: nil,
                settlesTo: nil,
                debit: debit,
                credit: credit,
                amount: 7
            ).amounts
        }
        #expect(movement(payable, .commission) == StatementAmounts(balance: [.adjustments: -7]))
        #expect(movement(.tax(party: "fr"), payable) == StatementAmounts(balance: [.adjustments: 7]))
        #expect(movement(.commission, .bank) == StatementAmounts())
    }

    @Test("is refused where opening balance and lines are not the closing balance") func addsUp() throws {
        try StatementMismatch.check(opening: -5, net: 8, closing: 3)
        for (opening, net, closing) in [(0, 1, 0), (Int64.max, 1, Int64.min), (1, 0, 0)] as [(Int64, Int64, Int64)] {
            let expected = StatementMismatch(opening: opening, net: net, closing: closing)
            #expect(throws: expected) {
                try StatementMismatch.check(opening: opening, net: net, closing: closing)
            }
        }
    }
}
