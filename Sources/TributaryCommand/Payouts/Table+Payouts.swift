import Domain

extension Table {
    /// A row for each payout, with its merchant by name.
    init(payouts: [Payout], names: [MerchantID: String]) {
        self.init(
            "id",
            "merchant",
            "currency",
            "amount",
            "state",
            "reference",
            "paid_at",
            "origin",
            "recorded_at",
            "failed_at",
            "failure"
        )
        for payout in payouts {
            let failure: Payout.Failure? = if case .failed(let failure) = payout.state { failure } else { nil }
            add(
                .text(payout.id.text),
                .text(names[payout.merchant] ?? payout.merchant.text),
                .text(payout.amount.currency.code),
                .amount(payout.amount.minorUnits, payout.amount.currency),
                .text(payout.state.name),
                .text(payout.reference),
                .moment(payout.paidAt),
                .text(payout.origin.rawValue),
                .moment(payout.recordedAt),
                .moment(failure?.at),
                .optional(failure?.reason)
            )
        }
    }
}
