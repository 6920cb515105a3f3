/// What the marketplace keeps of a merchant's payment.
package struct CommissionRule: Hashable, Sendable {
    /// Who bears the PSP's fees.
    package enum FeeBearer: String, Sendable {
        /// The merchant.
        case merchant
        /// The marketplace.
        case marketplace
    }

    /// A part of a payment, by what the buyer pays it for.
    package enum Part: String, Sendable, CaseIterable {
        /// Whatever is neither shipping nor a tip.
        case goods
        /// The lines of kind `shipping`.
        case shipping
        /// The lines of kind `tip`.
        case tip
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
    /// What it is charged on; never empty.
    package var appliesTo: Set<Part>

    /// What a rule is charged on that does not say it: nobody takes a share of a tip unasked.
    package static let usualParts: Set<Part> = [.goods, .shipping]

    /// Makes a rule; without arguments, no commission.
    package init(
        basisPoints: Int64 = 0,
        fixed: [String: Int64] = [:],
        minimum: [String: Int64] = [:],
        maximum: [String: Int64] = [:],
        taxBasisPoints: Int64 = 0,
        pspFeesBorneBy: FeeBearer = .merchant,
        returnedOnRefund: Return = .proRata,
        appliesTo: Set<Part> = usualParts
    ) {
        self.appliesTo = appliesTo
        self.basisPoints = basisPoints
        self.fixed = fixed
        self.minimum = minimum
        self.maximum = maximum
        self.taxBasisPoints = taxBasisPoints
        self.pspFeesBorneBy = pspFeesBorneBy
        self.returnedOnRefund = returnedOnRefund
    }

    /// The commission and the tax on it for a payment, each rounded half up once.
    ///
    /// A payment in which there is nothing that it is charged on, as one that is a tip only, is charged nothing: neither a
    /// fixed part nor a minimum.
    package func charge(on amount: Money, stated: [StatedLine] = []) -> CommissionCharge {
        let code = amount.currency.code
        let base = base(of: amount.minorUnits, stated)
        guard base > 0 else { return CommissionCharge(amount: 0, returnedOnRefund: returnedOnRefund) }
        let rate = Self.share(of: base, basisPoints: basisPoints)
        var commission = Self.clamped(Int128(rate) + Int128(fixed[code] ?? 0))
        if let minimum = minimum[code] { commission = max(commission, minimum) }
        if let maximum = maximum[code] { commission = min(commission, maximum) }
        return CommissionCharge(
            amount: commission,
            taxAmount: Self.share(of: commission, basisPoints: taxBasisPoints),
            returnedOnRefund: returnedOnRefund
        )
    }

    /// What of a payment it is charged on, in minor units.
    private func base(of amount: Int64, _ stated: [StatedLine]) -> Int64 {
        var (goods, charged): (Int64, Int64) = (amount, 0)
        for line in stated {
            let part = min(max(0, line.amount), goods)
            goods -= part
            if appliesTo.contains(line.kind.part) { charged += part }
        }
        return charged + (appliesTo.contains(.goods) ? goods : 0)
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

    /// The lines of a payment under this charge, the merchant's being the complement; nil if the charge is more than what is
    /// the merchant's of the payment, or a part of it below zero.
    ///
    /// It is taken out of the goods. What those cannot bear, because there is more shipping than goods, is taken out of the
    /// merchant's shipping, then of its tip; what the marketplace keeps is never lowered.
    package func lines(
        of amount: Int64,
        stated: [StatedLine] = [],
        merchant: String,
        marketplace: String
    ) -> [AllocationLine]? {
        guard var due = total, self.amount >= 0, taxAmount >= 0 else { return nil }
        var goods = amount
        for line in stated {
            guard line.amount > 0, line.amount <= goods else { return nil }
            goods -= line.amount
        }
        func bear(_ share: inout Int64) {
            let borne = min(due, share)
            (share, due) = (share - borne, due - borne)
        }
        var shares = stated.map(\.amount)
        bear(&goods)
        for kind in [StatedLine.Kind.shipping, .tip] {
            for index in stated.indices where stated[index].kind == kind && stated[index].keptBy == .merchant {
                bear(&shares[index])
            }
        }
        guard due == 0 else { return nil }
        let extra = zip(stated, shares).map { line, share in
            AllocationLine(
                kind: line.kind.line,
                party: line.keptBy == .merchant ? merchant : marketplace,
                amount: share,
                keptBy: line.keptBy
            )
        }
        let all = [AllocationLine(kind: .merchant, party: merchant, amount: goods)] + own(marketplace) + extra
        return all.filter { $0.kind == .merchant || $0.amount > 0 }
    }

    /// The lines of the commission itself.
    private func own(_ marketplace: String) -> [AllocationLine] {
        [(AllocationLine.Kind.commission, amount), (.commissionTax, taxAmount)].map { kind, amount in
            AllocationLine(kind: kind, party: marketplace, amount: amount, returnedOnRefund: returnedOnRefund)
        }
    }
}
