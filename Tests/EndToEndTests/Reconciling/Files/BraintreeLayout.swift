import Domain

/// Braintree's transaction-level fees, which tell neither batches nor payouts.
enum BraintreeLayout: ReportLayout {
    private static let columns = [
        "Merchant Account ID", "Transaction ID", "Original Transaction ID", "Transaction Type", "Presentment Currency",
        "Settlement Currency", "Settlement Amount", "Settlement Date", "Disbursement Date", "Exchange Rate", "Order ID",
        "Total Fee Amount",
    ]

    static func rows(of line: ReportLine, number: Int) -> [PSPReport.Row] {
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
                "Presentment Currency": "USD", "Settlement Currency": "USD",
                "Settlement Amount": abs(line.amount).dollars,
                "Settlement Date": String(line.at.spaced.prefix(10)), "Disbursement Date": SettledBooks.lastDay,
                "Exchange Rate": "1.00",
                "Order ID": isSale ? line.reference : line.kind == .refund ? line.changeReference ?? "" : "",
                "Total Fee Amount": line.fee.dollars,
            ]
        ]
    }

    static func payout(_ amount: Int64) -> PSPReport.Row { [:] }

    static func text(of rows: [PSPReport.Row]) -> String { table(columns, rows) }
}
