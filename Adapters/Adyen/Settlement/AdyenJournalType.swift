import Domain

/// The journal types of Adyen's settlement details.
///
/// Adyen adds types, and no full list could be read; what is not here is ``SettlementKind/other``. Source: four
/// independent parsers and the journal types of Adyen's platform API, read in November 2026.
enum AdyenJournalType {
    /// What lines of a type are about.
    static func kind(_ type: String) -> SettlementKind { kinds[type.lowercased()] ?? .other }

    private static let kinds: [String: SettlementKind] = [
        "settled": .payment,
        "settledexternally": .payment,
        "settledreversed": .payment,
        "refunded": .refund,
        "refundedexternally": .refund,
        "refundedreversed": .refund,
        "chargeback": .chargeback,
        "chargebackexternally": .chargeback,
        "secondchargeback": .chargeback,
        "chargebackreversed": .chargebackReversal,
        "chargebackreversedexternally": .chargebackReversal,
        "fee": .fee,
        "invoicededuction": .fee,
        "misccosts": .fee,
        "paymentcost": .fee,
        "settlecost": .fee,
        "balancetransfer": .adjustment,
        "manualcorrected": .adjustment,
        "merchantpayin": .adjustment,
        "depositcorrection": .reserve,
        "reserveadjustment": .reserve,
        "merchantpayout": .payout,
    ]
}
