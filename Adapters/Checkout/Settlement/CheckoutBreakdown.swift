import Domain

/// Checkout.com's breakdown types.
///
/// Source: "Breakdown types", read in November 2026. Fees are many and more are added; every one ends in "Fee", its
/// tax in "Fee Tax".
enum CheckoutBreakdown {
    /// What a component is about; a chargeback's sign tells whether it is taken or given back.
    static func kind(_ breakdown: String, isNegative: Bool) -> SettlementKind {
        let word = breakdown.lowercased()
        if word == "chargeback" || word.hasPrefix("chargeback (") {
            return isNegative ? .chargeback : .chargebackReversal
        }
        if fees.contains(where: { " \(word)".hasSuffix($0) }) { return .fee }
        if reserves.contains(where: { word.hasPrefix($0) }) { return .reserve }
        return kinds[word] ?? .other
    }

    private static let fees = [" fee", " fees", " fee tax"]
    private static let reserves = ["rolling reserve", "security deposit", "operational funding", "collateral"]

    private static let kinds: [String: SettlementKind] = [
        "capture": .payment,
        "partial capture": .payment,
        "refund": .refund,
        "partial refund": .refund,
        "commission": .fee,
        "interchange": .fee,
        "schemeic": .fee,
        "tiered pricing adjustment": .fee,
        "adjustment": .adjustment,
        "balance": .adjustment,
        "clearing failed": .adjustment,
        "client revenue": .adjustment,
        "cover negative position": .adjustment,
        "invoice settlement": .adjustment,
        "tax": .adjustment,
        "top up": .adjustment,
        "payout": .payout,
    ]
}
