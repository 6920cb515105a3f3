/// A posting of a merchant's journal entry, or the sum of several alike, as a statement reads it.
package struct StatementMovement: Hashable, Sendable {
    /// What the entry records.
    package let kind: JournalEntry.Kind
    /// What was asked of the PSP, where an operation had the effect.
    package let operation: Operation.Kind?
    /// Whom the PSP pays; nil for a payout.
    package let settlesTo: RouteSnapshot.SettlesTo?
    /// The account debited.
    package let debit: Account
    /// The account credited.
    package let credit: Account
    /// The amount in minor units, above zero.
    package let amount: Int64

    /// Makes a movement.
    package init(
        kind: JournalEntry.Kind,
        operation: Operation.Kind?,
        settlesTo: RouteSnapshot.SettlesTo?,
        debit: Account,
        credit: Account,
        amount: Int64
    ) {
        self.kind = kind
        self.operation = operation
        self.settlesTo = settlesTo
        self.debit = debit
        self.credit = credit
        self.amount = amount
    }

    /// What it comes to.
    ///
    /// In proportion to its amount, so that a sum may be read like its parts; and what it does to the balance is what
    /// it does to the merchant's payable account, whatever else is on it.
    package var amounts: StatementAmounts {
        amounts(from: debit, to: credit, amount) ?? amounts(from: credit, to: debit, -amount) ?? adjustment
    }

    /// What `amount` comes to that goes from a source to a share of it; nil if the accounts are not that way round.
    private func amounts(from source: Account, to share: Account, _ amount: Int64) -> StatementAmounts? {
        switch (source, share) {
        case (.clearing, .payable): StatementAmounts(balance: [sale: amount])
        case (.clearing, .commission), (.clearing, .commissionTax), (.clearing, .tax), (.clearing, .tips),
            (.clearing, .shipping):
            settlesTo == .merchant
                ? StatementAmounts(direct: [directSale: amount, Self.byPSP(share): -amount])
                : StatementAmounts(balance: [sale: amount, kept(share): -amount])
        case (.receivable, .commission), (.receivable, .commissionTax), (.receivable, .tax):
            StatementAmounts(direct: [directSale: amount, Self.invoiced(share): -amount])
        case (.direct, .directTo): StatementAmounts(direct: [directSale: amount])
        case (.refundsBorne, .clearing), (.disputesBorne, .clearing):
            StatementAmounts(balance: [sale: -amount, .borneByMarketplace: amount])
        case (.refundsBorne, .payable), (.disputesBorne, .payable):
            StatementAmounts(balance: [.borneByMarketplace: amount])
        case (.pspFees, .payable): StatementAmounts(balance: [.pspFees: amount])
        case (.bank, .payable): StatementAmounts(balance: [amount < 0 ? .payouts : .payoutReversals: amount])
        case (.held, .heldFor): StatementAmounts()
        default: nil
        }
    }

    /// What no statement has an item for, as far as it moves the balance.
    private var adjustment: StatementAmounts {
        var change: Int64 = 0
        if case .payable = credit { change += amount }
        if case .payable = debit { change -= amount }
        return StatementAmounts(balance: [.adjustments: change])
    }

    /// Whether the effect is a sale, which a reversal or a correction of one is too, with another sign.
    private var isSale: Bool { operation == .authorize || operation == .capture }

    /// What comes from the buyer, or goes back.
    private var sale: StatementItem {
        switch kind {
        case .chargeback: .chargebacks
        case .chargebackReversal: .chargebackReversals
        case .pspFees: .pspFees
        default: isSale ? .gross : .refunds
        }
    }

    /// The same where the PSP pays the merchant.
    private var directSale: DirectItem {
        switch kind {
        case .chargeback: .chargebacks
        case .chargebackReversal: .chargebackReversals
        default: isSale ? .gross : .refunds
        }
    }

    /// What the marketplace keeps of a sale, or returns.
    private func kept(_ share: Account) -> StatementItem {
        switch share {
        case .commissionTax: isSale ? .commissionTax : .commissionTaxReturned
        case .tax: isSale ? .taxes : .taxesReturned
        case .tips: isSale ? .tips : .tipsReturned
        case .shipping: isSale ? .shipping : .shippingReturned
        default: isSale ? .commission : .commissionReturned
        }
    }

    private static func byPSP(_ share: Account) -> DirectItem {
        switch share {
        case .commissionTax: .commissionTaxByPSP
        case .tax: .taxesByPSP
        case .tips: .tipsByPSP
        case .shipping: .shippingByPSP
        default: .commissionByPSP
        }
    }

    private static func invoiced(_ share: Account) -> DirectItem {
        switch share {
        case .commissionTax: .commissionTaxInvoiced
        case .tax: .taxesInvoiced
        default: .commissionInvoiced
        }
    }
}
