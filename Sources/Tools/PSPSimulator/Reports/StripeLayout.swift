/// Stripe's itemized payout reconciliation.
enum StripeLayout: ReportLayout {
    static let tellsCommission = true
    static let otherDecimals = ["ISK": 2, "MGA": 0, "UGX": 2]

    private static let columns = [
        "automatic_payout_id", "automatic_payout_effective_at_utc", "balance_transaction_id", "created_utc", "currency",
        "gross", "fee", "net", "reporting_category", "source_id", "customer_facing_amount", "customer_facing_currency",
        "payment_intent_id", "connected_account_id", "payment_metadata[attempt]", "payment_metadata[operation]",
        "refund_metadata[operation]",
    ]

    static func rows(of line: ReportLine, in batch: ReportBatch) -> [ReportRow] {
        let category =
            switch line.kind {
            case .payment: "charge"
            case .refund: "refund"
            case .chargeback: "dispute"
            case .chargebackReversal: "dispute_reversal"
            case .commission: line.amount < 0 ? "platform_earning_refund" : "platform_earning"
            }
        return [
            [
                "automatic_payout_id": batch.payout(of: line),
                "automatic_payout_effective_at_utc": batch.day + " 00:00:00",
                "balance_transaction_id": "txn_" + line.name, "created_utc": spaced(line.at),
                "currency": line.currency.lowercased(), "gross": decimal(line.amount, line.currency),
                "fee": decimal(line.fee, line.currency), "net": decimal(line.net, line.currency),
                "reporting_category": category, "source_id": line.object, "payment_intent_id": line.payment,
                "connected_account_id": line.merchantAccount, "payment_metadata[attempt]": line.reference,
                "refund_metadata[operation]": line.kind == .refund ? line.changeReference ?? "" : "",
            ]
        ]
    }

    static func payout(_ amount: Int64, _ currency: String, of batch: ReportBatch) -> ReportRow {
        let end = batch.day + " 00:00:00"
        return [
            "automatic_payout_id": batch.payout, "automatic_payout_effective_at_utc": end,
            "balance_transaction_id": "txn_" + batch.payout, "created_utc": end, "currency": currency.lowercased(),
            "gross": decimal(-amount, currency), "fee": decimal(0, currency), "net": decimal(-amount, currency),
            "reporting_category": "payout", "source_id": batch.payout,
        ]
    }

    static func text(of rows: [ReportRow]) -> String { table(columns, rows) }
}

/// The names of Stripe's API.
extension StripeLayout {
    static func payment(_ authorization: Authorization) -> String { StripeDocument.paymentName(authorization) }

    static func reference(of authorization: Authorization) -> String? { authorization.command.metadata["attempt"] }

    /// The connected account of a direct charge.
    static func merchantAccount(of authorization: Authorization) -> String? {
        authorization.account.split(separator: ":", maxSplits: 1).dropFirst().first.map(String.init)
    }

    static func capture(_ operation: BookedOperation?, of authorization: Authorization) -> String {
        StripeDocument.chargeName(authorization)
    }

    static func refund(_ operation: BookedOperation, of authorization: Authorization) -> String {
        StripeDocument.refundName(operation)
    }

    static func dispute(_ dispute: BookedDispute, of authorization: Authorization) -> String {
        StripeDocument.disputeName(dispute)
    }

    static func reference(of operation: BookedOperation, of authorization: Authorization) -> String? {
        operation.metadata["operation"]
    }

    /// The refund's share of what was kept, if the request gives it back (`refund_application_fee`).
    ///
    /// Of what was captured no more is kept than that ("The amount of the application fee collected will be capped at the total
    /// amount captured", reference of `application_fee_amount`, read in November 2026).
    static func commission(returnedBy refund: BookedOperation, of authorization: Authorization) -> Int64? {
        guard refund.details["refund_application_fee"] == "true", authorization.captured > 0 else { return nil }
        let done = authorization.operations.dropFirst().filter { $0.status == .succeeded }
        let told = done.last { $0.kind == .capture }?.applicationFee ?? authorization.command.applicationFee ?? 0
        let kept = min(told, authorization.captured)
        let before = done.prefix { $0.id != refund.id }.filter { $0.kind == .refund }.reduce(0) { $0 + $1.amount }
        func share(_ amount: Int64) -> Int64 { Int64(Int128(kept) * Int128(amount) / Int128(authorization.captured)) }
        return share(before + refund.amount) - share(before)
    }
}
