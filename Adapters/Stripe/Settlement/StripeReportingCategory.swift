import Domain

/// Stripe's reporting categories.
///
/// Source: "Reporting categories and types" and the list of the reports API, read in November 2026.
enum StripeReportingCategory {
    /// What lines of a category are about.
    ///
    /// What a capture left uncaptured is a negative payment: together with the charge it makes what was captured.
    static func kind(_ category: String) -> SettlementKind { kinds[category] ?? .other }

    private static let kinds: [String: SettlementKind] = [
        "charge": .payment,
        "partial_capture_reversal": .payment,
        "refund": .refund,
        "refund_failure": .refund,
        "dispute": .chargeback,
        "dispute_reversal": .chargebackReversal,
        "platform_earning": .commission,
        "platform_earning_refund": .commission,
        "fee": .fee,
        "network_cost": .fee,
        "tax": .fee,
        "charge_failure": .adjustment,
        "other_adjustment": .adjustment,
        "topup": .adjustment,
        "topup_reversal": .adjustment,
        "payout": .payout,
        "payout_reversal": .payout,
        "connect_reserved_funds": .reserve,
        "payment_network_reserved_funds": .reserve,
        "risk_reserved_funds": .reserve,
    ]
}
