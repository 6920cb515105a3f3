/// Braintree's transaction-level fees, which tell neither batches nor payouts.
enum BraintreeLayout: ReportLayout {
    static let tellsPayouts = false

    private static let columns = [
        "Merchant Account ID", "Transaction ID", "Original Transaction ID", "Transaction Type", "Presentment Currency",
        "Settlement Currency", "Settlement Amount", "Settlement Date", "Disbursement Date", "Exchange Rate", "Order ID",
        "Total Fee Amount",
    ]

    static func rows(of line: ReportLine, in batch: ReportBatch) -> [ReportRow] {
        let type =
            switch line.kind {
            case .payment, .commission: "sale"
            case .refund: "credit"
            case .chargeback: "dispute debit"
            case .chargebackReversal: "dispute credit"
            }
        let isSale = line.kind == .payment
        return [
            [
                "Merchant Account ID": line.merchantAccount, "Transaction ID": isSale ? line.payment : line.object,
                "Original Transaction ID": isSale ? "" : line.payment, "Transaction Type": type,
                "Presentment Currency": line.currency, "Settlement Currency": line.currency,
                "Settlement Amount": decimal(abs(line.amount), line.currency),
                "Settlement Date": line.day, "Disbursement Date": batch.day, "Exchange Rate": "1.00",
                "Order ID": isSale ? line.reference : line.kind == .refund ? line.changeReference ?? "" : "",
                "Total Fee Amount": decimal(line.fee, line.currency),
            ]
        ]
    }

    static func payout(_ amount: Int64, _ currency: String, of batch: ReportBatch) -> ReportRow { [:] }

    static func text(of rows: [ReportRow]) -> String { table(columns, rows) }
}

/// The names of Braintree's gateway, which webhooks and reports use.
extension BraintreeLayout {
    static func payment(_ authorization: Authorization) -> String { transaction(authorization).name.legacy }

    static func reference(of authorization: Authorization) -> String? { transaction(authorization).orderId }

    static func merchantAccount(of authorization: Authorization) -> String? {
        transaction(authorization).merchantAccountId
    }

    static func capture(_ operation: BookedOperation?, of authorization: Authorization) -> String {
        payment(authorization)
    }

    static func refund(_ operation: BookedOperation, of authorization: Authorization) -> String {
        BraintreeRefund(operation, of: authorization, isFresh: false).name.legacy
    }

    static func dispute(_ dispute: BookedDispute, of authorization: Authorization) -> String {
        BraintreeDispute(dispute, of: transaction(authorization)).name.legacy
    }

    static func reference(of operation: BookedOperation, of authorization: Authorization) -> String? {
        BraintreeRefund(operation, of: authorization, isFresh: false).orderId
    }

    private static func transaction(_ authorization: Authorization) -> BraintreeTransaction {
        BraintreeTransaction(authorization, at: .max)
    }
}
