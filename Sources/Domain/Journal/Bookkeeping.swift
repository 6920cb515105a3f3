/// Chooses the postings of a PSP's effect by who settles to whom.
enum Bookkeeping {
    /// A hold of `amount`.
    static func authorization(_ amount: Int64, of payment: Payment, on route: FrozenRoute) -> [Posting] {
        memo(amount, of: payment, on: route)
    }

    /// A hold of `amount` given up.
    static func release(_ amount: Int64, of payment: Payment, on route: FrozenRoute) -> [Posting] {
        memo(-amount, of: payment, on: route)
    }

    /// A capture that draws the lines by `changes` and ends a hold of `held`.
    static func capture(_ changes: [Int64], held: Int64, of payment: Payment, on route: FrozenRoute) -> [Posting] {
        release(held, of: payment, on: route) + settlement(changes, of: payment, on: route)
    }

    /// A refund that draws the lines by `changes`.
    static func refund(_ changes: [Int64], of payment: Payment, on route: FrozenRoute) -> [Posting] {
        settlement(changes.map { -$0 }, of: payment, on: route)
    }

    private static func memo(_ amount: Int64, of payment: Payment, on route: FrozenRoute) -> [Posting] {
        [
            Posting(
                debit: .held(pspAccount: route.pspAccount),
                credit: .heldFor(merchant: payment.merchant),
                signed: amount
            )
        ].compactMap(\.self)
    }

    private static func settlement(_ changes: [Int64], of payment: Payment, on route: FrozenRoute) -> [Posting] {
        zip(payment.allocation, changes).compactMap { line, change in
            guard let debit = source(of: line, of: payment, on: route) else { return nil }
            return Posting(debit: debit, credit: destination(of: line, of: payment), signed: change)
        }
    }

    /// Where a line's money comes from; nil if it never passes us, because the PSP pays the merchant directly.
    private static func source(of line: AllocationLine, of payment: Payment, on route: FrozenRoute) -> Account? {
        switch (route.settlesTo, route.commissionBy) {
        case (.marketplace, _): .clearing(pspAccount: route.pspAccount)
        case (.merchant, .psp): line.kind == .merchant ? nil : .clearing(pspAccount: route.pspAccount)
        case (.merchant, .invoice): line.kind == .merchant ? nil : .receivable(merchant: payment.merchant)
        }
    }

    private static func destination(of line: AllocationLine, of payment: Payment) -> Account {
        switch line.kind {
        case .merchant: .payable(merchant: payment.merchant)
        case .commission: .commission
        case .commissionTax: .commissionTax
        case .tax: .tax(party: line.party)
        }
    }
}
