import Domain

/// Adyen's settlement details.
enum AdyenLayout: ReportLayout {
    private static let columns = [
        "Company Account", "Merchant Account", "Psp Reference", "Merchant Reference", "Payment Method", "Creation Date",
        "TimeZone", "Type", "Modification Reference", "Gross Currency", "Gross Debit (GC)", "Gross Credit (GC)",
        "Exchange Rate", "Net Currency", "Net Debit (NC)", "Net Credit (NC)", "Commission (NC)", "Markup (NC)",
        "Scheme Fees (NC)", "Interchange (NC)", "Payment Method Variant", "Modification Merchant Reference",
        "Batch Number", "Booking Date", "Booking Date TimeZone",
    ]

    static func rows(of line: ReportLine, number: Int) -> [PSPReport.Row] {
        let type =
            switch line.kind {
            case .payment: "Settled"
            case .refund: "Refunded"
            case .chargeback: "Chargeback"
            case .chargebackReversal: "ChargebackReversed"
            case .commission: "BalanceTransfer"
            }
        var row = row(type, gross: line.amount, net: line.net, on: line.at.spaced)
        row["Psp Reference"] = line.payment
        row["Merchant Reference"] = line.reference
        row["Modification Reference"] = line.object
        row["Modification Merchant Reference"] = line.kind == .refund ? line.changeReference : nil
        row["Commission (NC)"] = line.fee == 0 ? nil : line.fee.dollars
        return [row]
    }

    static func payout(_ amount: Int64) -> PSPReport.Row {
        var row = row("MerchantPayout", gross: nil, net: -amount, on: SettledBooks.lastDay + " 00:00:00")
        row["Modification Reference"] = SettledPSP.adyen.payout
        return row
    }

    private static func row(_ type: String, gross: Int64?, net: Int64, on time: String) -> PSPReport.Row {
        var row = [
            "Company Account": "TravelNow", "Merchant Account": "TravelNowCOM", "Type": type, "Creation Date": time,
            "TimeZone": "UTC", "Net Currency": "USD", "Batch Number": "10", "Booking Date": time,
            "Booking Date TimeZone": "UTC",
        ]
        row[net < 0 ? "Net Debit (NC)" : "Net Credit (NC)"] = abs(net).dollars
        if let gross {
            row["Gross Currency"] = "USD"
            row["Exchange Rate"] = "1"
            row[gross < 0 ? "Gross Debit (GC)" : "Gross Credit (GC)"] = abs(gross).dollars
        }
        return row
    }

    static func text(of rows: [PSPReport.Row]) -> String { table(columns, rows) }
}
