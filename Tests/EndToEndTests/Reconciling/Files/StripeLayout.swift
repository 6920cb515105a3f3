import Domain

/// Stripe's itemized payout reconciliation.
enum StripeLayout: ReportLayout {
    private static let columns = [
        "automatic_payout_id", "automatic_payout_effective_at_utc", "balance_transaction_id", "created_utc", "currency",
        "gross", "fee", "net", "reporting_category", "source_id", "customer_facing_amount", "customer_facing_currency",
        "payment_intent_id", "connected_account_id", "payment_metadata[attempt]", "payment_metadata[operation]",
        "refund_metadata[operation]",
    ]
    private static let end = SettledBooks.lastDay + " 00:00:00"

    static func rows(of line: ReportLine, number: Int) -> [PSPReport.Row] {
        let category =
            switch line.kind {
            case .payment: "charge"
            case .refund: "refund"
            case .chargeback: "dispute"
            case .chargebackReversal: "dispute_reversal"
            case .commission: "platform_earning"
            }
        return [
            [
                "automatic_payout_id": line.psp.payout, "automatic_payout_effective_at_utc": end,
                "balance_transaction_id": "txn_\(number)", "created_utc": line.at.spaced, "currency": "usd",
                "gross": line.amount.dollars, "fee": line.fee.dollars, "net": line.net.dollars,
                "reporting_category": category, "source_id": line.object, "payment_intent_id": line.payment,
                "connected_account_id": line.merchantAccount, "payment_metadata[attempt]": line.reference,
                "refund_metadata[operation]": line.kind == .refund ? line.changeReference ?? "" : "",
            ]
        ]
    }

    static func payout(_ amount: Int64) -> PSPReport.Row {
        let name = SettledPSP.stripe.payout
        return [
            "automatic_payout_id": name, "automatic_payout_effective_at_utc": end,
            "balance_transaction_id": "txn_payout",
            "created_utc": end, "currency": "usd", "gross": (-amount).dollars, "fee": "0.00", "net": (-amount).dollars,
            "reporting_category": "payout", "source_id": name,
        ]
    }

    static func text(of rows: [PSPReport.Row]) -> String { table(columns, rows) }
}
