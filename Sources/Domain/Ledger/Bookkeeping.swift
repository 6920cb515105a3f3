/// Chooses the postings of a PSP's effect by who settles to whom.
enum Bookkeeping {
    /// The postings that lead from one position of a payment to another.
    static func postings(
        from old: PaymentBalances,
        to new: PaymentBalances,
        of payment: Payment,
        on route: RouteSnapshot
    ) -> [Posting] {
        let changes = zip(new.lines, old.lines).map { $0 - $1 }
        return hold(new.held - old.held, of: payment, on: route)
            + settlement(changes, borne: new.borne - old.borne, of: payment, on: route)
            + chargeback(
                new.chargedBack - old.chargedBack,
                borne: new.chargedBackToMarketplace - old.chargedBackToMarketplace,
                of: payment,
                on: route
            )
    }

    /// A hold of `amount`; below zero, a hold given up.
    static func hold(_ amount: Int64, of payment: Payment, on route: RouteSnapshot) -> [Posting] {
        [
            Posting(
                debit: .held(pspAccount: route.pspAccount),
                credit: .heldFor(merchant: payment.merchant),
                signed: amount
            )
        ].compactMap(\.self)
    }

    /// What the lines move; of what the merchant's lines give back, `borne` is the marketplace's expense.
    ///
    /// The merchant's lines are one claim of the merchant's, so that they move as one.
    ///
    /// Where the PSP takes that from the merchant directly, the marketplace owes it to the merchant. What the PSP pays
    /// the merchant directly is noted on accounts of its own, which are nobody's claim.
    static func settlement(
        _ changes: [Int64],
        borne: Int64,
        of payment: Payment,
        on route: RouteSnapshot
    ) -> [Posting] {
        let isOurs = route.settlesTo == .marketplace
        let source: Account = isOurs ? .clearing(pspAccount: route.pspAccount) : .payable(merchant: payment.merchant)
        var movements: [(line: AllocationLine, change: Int64)] = []
        for (line, change) in zip(payment.allocation, changes) {
            if line.isMerchants, let first = movements.firstIndex(where: \.line.isMerchants) {
                movements[first].change += change
            } else {
                movements.append((line, change))
            }
        }
        let lines = movements.compactMap { line, change -> Posting? in
            Posting(
                debit: self.source(of: line, of: payment, on: route),
                credit: destination(of: line, of: payment, on: route),
                signed: change + (isOurs && line.isMerchants ? borne : 0)
            )
        }
        return lines + [Posting(debit: .refundsBorne, credit: source, signed: borne)].compactMap(\.self)
    }

    /// What the buyer's bank takes comes out of the merchant's balance, but for what the marketplace bears.
    ///
    /// Where the PSP takes all of it from the merchant directly, the marketplace owes the merchant what it bears.
    private static func chargeback(
        _ amount: Int64,
        borne: Int64,
        of payment: Payment,
        on route: RouteSnapshot
    ) -> [Posting] {
        let merchant = payment.merchant
        guard route.settlesTo == .marketplace else {
            return [
                Posting(
                    debit: .directTo(merchant: merchant),
                    credit: .direct(pspAccount: route.pspAccount),
                    signed: amount
                ),
                Posting(debit: .disputesBorne, credit: .payable(merchant: merchant), signed: borne),
            ].compactMap(\.self)
        }
        let clearing = Account.clearing(pspAccount: route.pspAccount)
        return [
            Posting(
                debit: .payable(merchant: merchant),
                credit: clearing,
                signed: PlantedBug.postingReversed.isPlanted ? borne - amount : amount - borne
            ),
            Posting(debit: .disputesBorne, credit: clearing, signed: borne),
        ].compactMap(\.self)
    }

    /// Who bears what the PSP takes for disputes.
    ///
    /// That it takes it is posted with its settlement file, as the marketplace's expense; here the merchant is charged
    /// with its share of that, so that whichever comes first, nothing is posted twice. What the PSP takes from a merchant
    /// directly is in no file of ours: the marketplace owes the merchant its own share.
    static func disputeFees(from old: Payment, to new: Payment, on route: RouteSnapshot) -> [Posting] {
        let borne = new.disputeFeesOfMarketplace - old.disputeFeesOfMarketplace
        let rest = new.disputeFees - old.disputeFees - borne
        let payable = Account.payable(merchant: new.merchant)
        let posting =
            route.settlesTo == .marketplace
            ? Posting(debit: payable, credit: .pspFees(pspAccount: route.pspAccount), signed: rest)
            : Posting(debit: .disputesBorne, credit: payable, signed: borne)
        return [posting].compactMap(\.self)
    }

    /// Where a line's money comes from.
    private static func source(of line: AllocationLine, of payment: Payment, on route: RouteSnapshot) -> Account {
        switch (route.settlesTo, route.commissionBy) {
        case (.marketplace, _): .clearing(pspAccount: route.pspAccount)
        case (.merchant, _) where line.isMerchants: .direct(pspAccount: route.pspAccount)
        case (.merchant, .psp): .clearing(pspAccount: route.pspAccount)
        case (.merchant, .invoice): .receivable(merchant: payment.merchant)
        }
    }

    private static func destination(of line: AllocationLine, of payment: Payment, on route: RouteSnapshot) -> Account {
        switch line.kind {
        case .tip where !line.isMerchants: .tips
        case .shipping where !line.isMerchants: .shipping
        case .merchant, .tip, .shipping:
            route.settlesTo == .merchant
                ? .directTo(merchant: payment.merchant) : .payable(merchant: payment.merchant)
        case .commission: .commission
        case .commissionTax: .commissionTax
        case .tax: .tax(party: line.party)
        }
    }
}

/// What one attempt and the lines of its payment come to in the books.
///
/// A pure function of the order. A step posts the difference of two positions, so that the balances depend on what
/// is known, never on the order in which it became known.
struct PaymentBalances: Equatable {
    /// What is held on the card.
    let held: Int64
    /// What each line has captured less what it gave back.
    let lines: [Int64]
    /// What the marketplace gave back in the merchant's stead.
    let borne: Int64
    /// What the buyer's bank took back.
    let chargedBack: Int64
    /// What of that the marketplace bears.
    let chargedBackToMarketplace: Int64

    /// The position of an attempt of a payment of `order`.
    init(of payment: Payment, attempt: Int, in order: Order) {
        held = payment.attempts[attempt].held
        lines = payment.allocation.map { $0.captured - $0.refunded }
        borne = Self.borne(by: payment, in: order)
        chargedBack = payment.chargedBack
        chargedBackToMarketplace = payment.chargedBackToMarketplace
    }

    /// The marketplace's share of what the merchant's lines give back of the sale: as its refunds are to all that give back a
    /// sale, or, where it is known what commission came back with each, what its own took of the merchant's.
    private static func borne(by payment: Payment, in order: Order) -> Int64 {
        guard order.refunds.contains(where: { $0.borneBy == .marketplace }) else { return 0 }
        let marketplaces = payment.attempts.reduce(0) { $0 + $1.refunded(by: order.isBorneByMarketplace) }
        let merchants = payment.allocation.refundedOfMerchant
        guard marketplaces > 0, payment.refunded >= marketplaces else { return 0 }
        if let returned = order.commissionsReturned(of: payment) {
            let own = payment.attempts.flatMap(\.operations).filter(order.isBorneByMarketplace)
            let taken = own.reduce(0) { sum, refund in sum + (returned[refund.id].map { refund.doneAmount - $0 } ?? 0) }
            return min(merchants, taken)
        }
        let sold = order.saleGivenBack(of: payment)
        var lines = payment.allocation
        for index in lines.indices { lines[index].refunded = 0 }
        _ = lines.refund(upTo: sold)
        return LargestRemainder.allocate(
            min(merchants, lines.refundedOfMerchant),
            by: [marketplaces, max(0, sold - marketplaces)]
        )[0]
    }
}
