import Domain

/// What a line does to our balance at the PSP, in one currency and scale, so that the database can add lines up.
struct LineEffect: Hashable {
    /// The currency that is settled.
    let currency: Currency
    /// The decimal digits of ``change`` and ``fee``.
    let decimals: Int
    /// What the balance changed by before the PSP took its fee.
    let change: Int64
    /// What the PSP took (positive).
    let fee: Int64
    /// What a payment of ours is compared with, where that is in another currency.
    let sold: SettlementAmount?

    /// What a line does; nil if it names no amount, or only amounts too large to add up.
    ///
    /// Before the fee is gross, unless gross is in another currency than net: then it is net and fee. A fee's line is
    /// nothing but fee, which is what its net takes.
    init?(of imported: ImportedLine) {
        let line = imported.line
        guard let settled = line.net ?? line.gross else { return nil }
        let currency = settled.currency
        let gross = line.gross.flatMap { $0.currency == currency ? $0 : nil }
        let stated = line.fee.flatMap { $0.currency == currency ? $0 : nil }
        let decimals = [settled, gross, stated].compactMap { $0?.decimals }.max() ?? settled.decimals
        func units(_ amount: SettlementAmount?) -> Int128 {
            guard let amount else { return 0 }
            return Int128(amount.units) * Self.power(decimals - amount.decimals)
        }
        let (change, fee): (Int128, Int128)
        if line.kind == .fee {
            (change, fee) = (0, -units(settled))
        } else if line.net == nil {
            (change, fee) = (units(gross), units(stated))
        } else if let gross {
            (change, fee) = (units(gross), units(gross) - units(line.net))
        } else {
            (change, fee) = (units(line.net) + units(stated), units(stated))
        }
        guard let change = Int64(exactly: change), let fee = Int64(exactly: fee) else { return nil }
        self.currency = currency
        self.decimals = decimals
        self.change = change
        self.fee = fee
        let sold = line.presentment ?? line.gross
        self.sold = line.kind.isEffect ? sold.flatMap { $0.currency == currency ? nil : $0 } : nil
    }

    private static func power(_ exponent: Int) -> Int128 { (0..<exponent).reduce(1) { product, _ in product * 10 } }
}
