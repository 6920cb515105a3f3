import Domain

/// Checkout.com's financial actions, whose fees are in rows of their own.
enum CheckoutLayout: ReportLayout {
    private static let columns = [
        "Client Entity ID", "Sub Entity ID", "Payment ID", "Action ID", "Action Type", "Breakdown Type",
        "Requested On UTC", "Processed On UTC", "Processing Currency", "Processing Currency Amount", "Holding Currency",
        "Holding Currency Amount", "FX Rate Applied", "Reference", "Payout ID",
    ]

    static func rows(of line: ReportLine, number: Int) -> [PSPReport.Row] {
        let (action, breakdown) =
            switch line.kind {
            case .payment: ("Capture", "Capture")
            case .refund: ("Refund", "Refund")
            case .chargeback: ("Chargeback", "Chargeback")
            case .chargebackReversal: ("Chargeback", "Chargeback (RPDW)")
            case .commission: ("Commission", "Commission")
            }
        var row = row(action, breakdown, line.amount, at: line.at.spaced)
        row["Sub Entity ID"] = line.merchantAccount
        row["Payment ID"] = line.payment
        row["Action ID"] = line.object
        row["Reference"] = line.changeReference ?? line.reference
        guard line.fee != 0 else { return [row] }
        var fee = row
        fee["Breakdown Type"] = "Premium Variable Fee"
        fee["Processing Currency Amount"] = (-line.fee).dollars
        fee["Holding Currency Amount"] = (-line.fee).dollars
        return [row, fee]
    }

    static func payout(_ amount: Int64) -> PSPReport.Row {
        var row = row("Payout", "Payout", -amount, at: SettledBooks.lastDay + " 00:00:00")
        row["Action ID"] = SettledPSP.checkout.payout
        return row
    }

    private static func row(_ action: String, _ breakdown: String, _ amount: Int64, at time: String) -> PSPReport.Row {
        [
            "Client Entity ID": "ent_market", "Action Type": action, "Breakdown Type": breakdown,
            "Requested On UTC": time.replacing(" ", with: "T"), "Processed On UTC": time.replacing(" ", with: "T"),
            "Processing Currency": "USD", "Processing Currency Amount": amount.dollars, "Holding Currency": "USD",
            "Holding Currency Amount": amount.dollars, "FX Rate Applied": "1", "Payout ID": SettledPSP.checkout.payout,
        ]
    }

    static func text(of rows: [PSPReport.Row]) -> String { table(columns, rows) }
}
