/// What the marketplace keeps of a merchant's payment.
package struct CommissionRule: Hashable, Sendable {
    /// Who bears the PSP's fees.
    package enum FeeBearer: String, Sendable {
        /// The merchant.
        case merchant
        /// The marketplace.
        case marketplace
    }

    /// What becomes of the commission when the buyer gets money back.
    package enum Return: String, Sendable {
        /// Its share goes back with the rest.
        case proRata = "pro_rata"
        /// The marketplace keeps it.
        case none
    }

    /// The rate in hundredths of a percent, 0 to 10,000.
    package var basisPoints: Int64
    /// A fixed part in minor units, by currency code.
    package var fixed: [String: Int64]
    /// The least commission in minor units, by currency code.
    package var minimum: [String: Int64]
    /// The most commission in minor units, by currency code.
    package var maximum: [String: Int64]
    /// The tax on the commission in hundredths of a percent.
    package var taxBasisPoints: Int64
    /// Who bears the PSP's fees.
    package var pspFeesBorneBy: FeeBearer
    /// What becomes of the commission when the buyer gets money back.
    package var returnedOnRefund: Return

    /// Makes a rule; without arguments, no commission.
    package init(
        basisPoints: Int64 = 0,
        fixed: [String: Int64] = [:],
        minimum: [String: Int64] = [:],
        maximum: [String: Int64] = [:],
        taxBasisPoints: Int64 = 0,
        pspFeesBorneBy: FeeBearer = .merchant,
        returnedOnRefund: Return = .proRata
    ) {
        self.basisPoints = basisPoints
        self.fixed = fixed
        self.minimum = minimum
        self.maximum = maximum
        self.taxBasisPoints = taxBasisPoints
        self.pspFeesBorneBy = pspFeesBorneBy
        self.returnedOnRefund = returnedOnRefund
    }

    /// The commission and the tax on it for a payment, each rounded half up once.
    package func charge(on amount: Money) -> CommissionCharge {
        let code = amount.currency.code
        let rate = Self.share(of: amount.minorUnits, basisPoints: basisPoints)
        var commission = Self.clamped(Int128(rate) + Int128(fixed[code] ?? 0))
        if let minimum = minimum[code] { commission = max(commission, minimum) }
        if let maximum = maximum[code] { commission = min(commission, maximum) }
        return CommissionCharge(
            amount: commission,
            taxAmount: Self.share(of: commission, basisPoints: taxBasisPoints),
            returnedOnRefund: returnedOnRefund
        )
    }

    /// Whether there is an amount on which it charges anything.
    package var mayChargeAnything: Bool {
        basisPoints > 0 || fixed.values.contains { $0 > 0 } || minimum.values.contains { $0 > 0 }
    }

    private static func share(of amount: Int64, basisPoints: Int64) -> Int64 {
        clamped((Int128(amount) * Int128(basisPoints) * 2 + 10_000) / 20_000)
    }

    private static func clamped(_ value: Int128) -> Int64 { Int64(clamping: value) }
}

/// A commission and the tax on it, in minor units.
package struct CommissionCharge: Hashable, Sendable {
    /// The commission.
    package var amount: Int64
    /// The tax on it.
    package var taxAmount: Int64
    /// What becomes of both when the buyer gets money back.
    package var returnedOnRefund: CommissionRule.Return

    /// Makes a charge.
    package init(amount: Int64, taxAmount: Int64 = 0, returnedOnRefund: CommissionRule.Return = .proRata) {
        self.amount = amount
        self.taxAmount = taxAmount
        self.returnedOnRefund = returnedOnRefund
    }

    /// Commission and tax; nil if their sum does not fit 64 bits.
    package var total: Int64? {
        let (sum, overflow) = amount.addingReportingOverflow(taxAmount)
        return overflow ? nil : sum
    }

    /// The lines of a payment under this charge, the merchant's being the complement; nil if the charge is
    /// more than the payment, or a part of it below zero.
    package func lines(of amount: Int64, merchant: String, marketplace: String) -> [AllocationLine]? {
        guard let total, total <= amount, self.amount >= 0, taxAmount >= 0 else { return nil }
        let all = [
            AllocationLine(kind: .merchant, party: merchant, amount: amount - total),
            AllocationLine(
                kind: .commission,
                party: marketplace,
                amount: self.amount,
                returnedOnRefund: returnedOnRefund
            ),
            AllocationLine(
                kind: .commissionTax,
                party: marketplace,
                amount: taxAmount,
                returnedOnRefund: returnedOnRefund
            ),
        ]
        return all.filter { $0.kind == .merchant || $0.amount > 0 }
    }
}
