import Domain

/// Square's activity types.
///
/// Source: `ActivityType` of Square's API description, read in November 2026.
enum SquareActivity {
    /// What an entry is about; a dispute's sign tells whether it is taken or given back.
    static func kind(_ type: String, isNegative: Bool) -> SettlementKind {
        if type == "DISPUTE" || type == "OPEN_DISPUTE" { return isNegative ? .chargeback : .chargebackReversal }
        return kinds[type] ?? .other
    }

    private static let kinds: [String: SettlementKind] = {
        var kinds: [String: SettlementKind] = [:]
        for (kind, types) in types { for type in types.split(separator: " ") { kinds[String(type)] = kind } }
        return kinds
    }()

    private static let types: [(SettlementKind, String)] = [
        (.payment, "CHARGE"),
        (.refund, "REFUND"),
        (.commission, "APP_FEE_REVENUE APP_FEE_REFUND"),
        (
            .fee,
            """
            DEPOSIT_FEE DEPOSIT_FEE_REVERSED FEE GIFT_CARD_LOAD_FEE GIFT_CARD_LOAD_FEE_REFUND LOCAL_OFFERS_FEE \
            PAID_SERVICE_FEE PAID_SERVICE_FEE_REFUND PROCESSING_FEE PROCESSING_FEE_REFUND SUBSCRIPTION_FEE \
            SUBSCRIPTION_FEE_PAID_REFUND SUBSCRIPTION_FEE_REFUND TAX_ON_FEE THIRD_PARTY_FEE THIRD_PARTY_FEE_REFUND \
            UNDO_GIFT_CARD_LOAD_FEE_REFUND UNDO_PROCESSING_FEE_REFUND
            """
        ),
        (.adjustment, "ADJUSTMENT FREE_PROCESSING INITIAL_BALANCE_CHANGE OTHER_ADJUSTMENT"),
        (.payout, "PAYOUT RETURNED_PAYOUT"),
        (.reserve, "HOLD_ADJUSTMENT RELEASE_ADJUSTMENT RESERVE_HOLD RESERVE_RELEASE"),
    ]
}
