import Domain
import Testing

@Suite("Who bears a dispute")
struct DisputeLiabilityTests {
    private static let ours = RouteSnapshot(psp: "simulator", pspAccount: "sim-a")
    private static let direct = RouteSnapshot(
        psp: "stripe",
        pspAccount: "s",
        merchantAccount: "acct_1",
        settlesTo: .merchant,
        commissionBy: .psp
    )
    private static let commission = CommissionRule(basisPoints: 1000, taxBasisPoints: 2000)

    /// 1,000 taken, of which 880 are the merchant's, 100 commission and 20 tax on it.
    private func sold(_ liability: DisputeLiability, on route: RouteSnapshot) throws -> Story {
        let checkout = Checkout(
            amounts: [1000],
            routes: [route],
            commission: Self.commission,
            liability: liability
        )
        return try Story.captured(checkout)
    }

    private static func dispute(_ state: DisputeNotice.State, _ amount: Int64, fee: Int64? = nil) -> Notice.Happening {
        .dispute(DisputeNotice(state: state, amount: amount, fee: fee))
    }

    private func hear(_ index: Int, _ happening: Notice.Happening, object: String, _ story: inout Story) {
        let isHeard = story.notice(index, happening, object: object)
        #expect(isHeard)
    }

    /// Of 500 disputed and a fee of 100: what the merchant is owed, what the marketplace bears, and what of the fee it
    /// got back from the merchant.
    static let onOurs: [(DisputeLiability, owed: Int64, borne: Int64, charged: Int64)] = [
        (.merchant, 280, 0, 100), (.marketplace, 880, 500, 0), (.proRata, 352, 60, 88),
    ]

    @Test("is who was liable at the sale, where the PSP pays the marketplace", arguments: onOurs)
    func throughUs(_ row: (DisputeLiability, owed: Int64, borne: Int64, charged: Int64)) throws {
        var story = try sold(row.0, on: Self.ours)
        let merchant = story.order.payments[0].merchant
        hear(0, Self.dispute(.opened, 500, fee: 100), object: "dp_1", &story)
        let balances = story.books.balances
        #expect(balances[.clearing(pspAccount: "sim-a")] == 500)
        #expect(balances[.payable(merchant: merchant)] == -row.owed)
        #expect(balances[.disputesBorne] ?? 0 == row.borne)
        #expect(balances[.pspFees(pspAccount: "sim-a")] ?? 0 == -row.charged)
        #expect(balances[.commission] == -100 && balances[.commissionTax] == -20)
        hear(0, Self.dispute(.won, 500), object: "dp_1", &story)
        #expect(story.books.balances[.clearing(pspAccount: "sim-a")] == 1000)
        #expect(story.books.balances[.disputesBorne] == nil)
        // The fee stays, whoever wins.
        #expect(story.books.balances[.payable(merchant: merchant)] == -880 + row.charged)
        #expect(story.books.balances[.pspFees(pspAccount: "sim-a")] ?? 0 == -row.charged)
    }

    @Test(
        "is who was liable at the sale, where the PSP takes it from the merchant",
        arguments: [(.merchant, 0), (.marketplace, 600), (.proRata, 72)] as [(DisputeLiability, Int64)]
    )
    func fromTheMerchant(liability: DisputeLiability, borne: Int64) throws {
        var story = try sold(liability, on: Self.direct)
        let merchant = story.order.payments[0].merchant
        hear(0, Self.dispute(.opened, 500, fee: 100), object: "dp_1", &story)
        let balances = story.books.balances
        #expect(balances[.direct(pspAccount: "s")] == 380 && balances[.directTo(merchant: merchant)] == -380)
        #expect(balances[.clearing(pspAccount: "s")] == 120)
        #expect(balances[.disputesBorne] ?? 0 == borne)
        #expect(balances[.payable(merchant: merchant)] ?? 0 == -borne)
    }

    @Test(
        "is charged with its share of what is first heard of when it is won, and given it back",
        arguments: DisputeLiability.allCases,
        [false, true]
    )
    func wonUnheard(liability: DisputeLiability, isDirect: Bool) throws {
        var (told, untold) = (
            try sold(liability, on: isDirect ? Self.direct : Self.ours),
            try sold(liability, on: isDirect ? Self.direct : Self.ours)
        )
        for state in [DisputeNotice.State.opened, .won] {
            hear(0, Self.dispute(state, 333, fee: 100), object: "dp_1", &told)
        }
        hear(0, Self.dispute(.won, 333, fee: 100), object: "dp_1", &untold)
        #expect(untold.books.balances == told.books.balances)
        func moved(_ story: Story, _ kind: JournalEntry.Kind) -> [Posting] {
            story.books.entries.filter { $0.kind == kind }.flatMap(\.postings)
        }
        for kind in [JournalEntry.Kind.chargeback, .chargebackReversal, .disputeFee] {
            #expect(moved(untold, kind) == moved(told, kind))
        }
    }

    @Test(
        "is charged with its share to the unit, however many disputes make up the whole",
        arguments: [[1000], [1, 999], [333, 333, 334], [7, 11, 13, 969]] as [[Int64]]
    )
    func inParts(_ parts: [Int64]) throws {
        var story = try sold(.proRata, on: Self.ours)
        for (number, part) in parts.enumerated() {
            hear(0, Self.dispute(.lost, part), object: "dp_\(number)", &story)
        }
        let merchant = story.order.payments[0].merchant
        let balances = story.books.balances
        #expect(balances[.payable(merchant: merchant)] == nil && balances[.clearing(pspAccount: "sim-a")] == nil)
        #expect(balances[.disputesBorne] == 120)
    }

    @Test("is not moved by a fee that is told again, and follows one that is put right") func fees() throws {
        var story = try sold(.merchant, on: Self.ours)
        for fee in [100, 100] as [Int64] {
            hear(0, Self.dispute(.opened, 500, fee: fee), object: "dp_1", &story)
        }
        #expect(story.order.payments[0].disputes.map(\.fee) == [100])
        let payment = story.order.payments[0].id
        for fee in [150, 0] as [Int64] {
            try story.request { (it) throws(RequestRefusal) in
                let news = DisputeNotice(state: .opened, amount: 500, fee: fee)
                try it.record(
                    OperatorRecord(.dispute(news), of: payment, reference: "dp_1"),
                    .init(evidence: "invoice", reason: "fee", by: "ada")
                )
            }
            #expect(story.books.balances[.pspFees(pspAccount: "sim-a")] ?? 0 == -fee)
        }
    }

    @Test("shows on the merchant's statement with what the marketplace bears, and adds up to what it is owed")
    func statement() {
        let merchant = MerchantID(bits: 1)
        func amounts(_ kind: JournalEntry.Kind, _ debit: Account, _ credit: Account) -> StatementAmounts {
            StatementMovement(
                kind: kind,
                operation: nil,
                settlesTo: .marketplace,
                debit: debit,
                credit: credit,
                amount: 60
            ).amounts
        }
        let clearing = Account.clearing(pspAccount: "s")
        let payable = Account.payable(merchant: merchant)
        #expect(
            amounts(.chargeback, .disputesBorne, clearing).balance == [.chargebacks: -60, .borneByMarketplace: 60]
        )
        #expect(
            amounts(.chargebackReversal, clearing, .disputesBorne).balance
                == [.chargebackReversals: 60, .borneByMarketplace: -60]
        )
        #expect(amounts(.chargeback, .disputesBorne, payable).balance == [.borneByMarketplace: 60])
        #expect(amounts(.disputeFee, payable, .pspFees(pspAccount: "s")).balance == [.pspFees: -60])
        #expect(amounts(.disputeFee, .pspFees(pspAccount: "s"), payable).balance == [.pspFees: 60])
    }
}
