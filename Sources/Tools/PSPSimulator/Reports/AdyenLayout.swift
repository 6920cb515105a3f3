/// Adyen's settlement details.
enum AdyenLayout: ReportLayout {
    static let otherDecimals = ["CLP": 2, "CVE": 0, "IDR": 0, "ISK": 2]

    private static let columns = [
        "Company Account", "Merchant Account", "Psp Reference", "Merchant Reference", "Payment Method", "Creation Date",
        "TimeZone", "Type", "Modification Reference", "Gross Currency", "Gross Debit (GC)", "Gross Credit (GC)",
        "Exchange Rate", "Net Currency", "Net Debit (NC)", "Net Credit (NC)", "Commission (NC)", "Markup (NC)",
        "Scheme Fees (NC)", "Interchange (NC)", "Payment Method Variant", "Modification Merchant Reference",
        "Batch Number", "Booking Date", "Booking Date TimeZone",
    ]

    static func rows(of line: ReportLine, in batch: ReportBatch) -> [ReportRow] {
        let type =
            switch line.kind {
            case .payment: "Settled"
            case .refund: "Refunded"
            case .chargeback: "Chargeback"
            case .chargebackReversal: "ChargebackReversed"
            case .commission: "BalanceTransfer"
            }
        let number = line.isMarketplaces ? batch.number : batch.merchantsPayout
        var row = row(type, gross: line.amount, net: line.net, line.currency, number, on: spaced(line.at))
        row["Psp Reference"] = line.payment
        row["Merchant Reference"] = line.reference
        row["Modification Reference"] = line.object
        row["Modification Merchant Reference"] = line.kind == .refund ? line.changeReference : nil
        row["Commission (NC)"] = line.fee == 0 ? nil : decimal(line.fee, line.currency)
        return [row]
    }

    static func payout(_ amount: Int64, _ currency: String, of batch: ReportBatch) -> ReportRow {
        let end = batch.day + " 00:00:00"
        var row = row("MerchantPayout", gross: nil, net: -amount, currency, batch.number, on: end)
        row["Modification Reference"] = batch.payout
        return row
    }

    private static func row(
        _ type: String,
        gross: Int64?,
        net: Int64,
        _ currency: String,
        _ batch: String,
        on time: String
    ) -> ReportRow {
        var row = [
            "Company Account": "TravelNow", "Merchant Account": "TravelNowCOM", "Type": type, "Creation Date": time,
            "TimeZone": "UTC", "Net Currency": currency, "Batch Number": batch, "Booking Date": time,
            "Booking Date TimeZone": "UTC",
        ]
        row[net < 0 ? "Net Debit (NC)" : "Net Credit (NC)"] = decimal(abs(net), currency)
        if let gross {
            row["Gross Currency"] = currency
            row["Exchange Rate"] = "1"
            row[gross < 0 ? "Gross Debit (GC)" : "Gross Credit (GC)"] = decimal(abs(gross), currency)
        }
        return row
    }

    static func text(of rows: [ReportRow]) -> String { table(columns, rows) }
}

/// The names of Adyen's API.
extension AdyenLayout {
    static func payment(_ authorization: Authorization) -> String { AdyenReference.text(authorization.id) }

    /// What the caller called the payment, with the merchant's account in it.
    static func reference(of authorization: Authorization) -> String? { authorization.command.reference }

    static func merchantAccount(of authorization: Authorization) -> String? { nil }

    static func capture(_ operation: BookedOperation?, of authorization: Authorization) -> String {
        AdyenReference.text(operation?.id ?? authorization.id)
    }

    static func refund(_ operation: BookedOperation, of authorization: Authorization) -> String {
        AdyenReference.text(operation.id)
    }

    static func dispute(_ dispute: BookedDispute, of authorization: Authorization) -> String {
        AdyenReference.text(dispute: dispute.id)
    }

    static func reference(of operation: BookedOperation, of authorization: Authorization) -> String? {
        operation.reference
    }
}
