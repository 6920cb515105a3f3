/// Checkout.com's financial actions, whose fees are in rows of their own.
enum CheckoutLayout: ReportLayout {
    static let otherDecimals = ["CLP": 2]

    private static let columns = [
        "Client Entity ID", "Sub Entity ID", "Payment ID", "Action ID", "Action Type", "Breakdown Type",
        "Requested On UTC", "Processed On UTC", "Processing Currency", "Processing Currency Amount", "Holding Currency",
        "Holding Currency Amount", "FX Rate Applied", "Reference", "Payout ID",
    ]

    static func rows(of line: ReportLine, in batch: ReportBatch) -> [ReportRow] {
        let (action, breakdown) =
            switch line.kind {
            case .payment: ("Capture", "Capture")
            case .refund: ("Refund", "Refund")
            case .chargeback: ("Chargeback", "Chargeback")
            case .chargebackReversal: ("Chargeback", "Chargeback (RPDW)")
            case .commission: ("Commission", "Commission")
            }
        let amount = decimal(line.amount, line.currency)
        var row = row(action, breakdown, amount, line.currency, batch.payout(of: line), at: Moment.text(line.at))
        row["Sub Entity ID"] = line.merchantAccount
        row["Payment ID"] = line.payment
        row["Action ID"] = line.object
        row["Reference"] = line.changeReference ?? line.reference
        guard line.fee != 0 else { return [row] }
        var fee = row
        fee["Breakdown Type"] = "Premium Variable Fee"
        fee["Processing Currency Amount"] = decimal(-line.fee, line.currency)
        fee["Holding Currency Amount"] = decimal(-line.fee, line.currency)
        return [row, fee]
    }

    static func payout(_ amount: Int64, _ currency: String, of batch: ReportBatch) -> ReportRow {
        let end = batch.day + "T00:00:00"
        var row = row("Payout", "Payout", decimal(-amount, currency), currency, batch.payout, at: end)
        row["Action ID"] = batch.payout
        return row
    }

    private static func row(
        _ action: String,
        _ breakdown: String,
        _ amount: String,
        _ currency: String,
        _ payout: String,
        at time: String
    ) -> ReportRow {
        [
            "Client Entity ID": "ent_market", "Action Type": action, "Breakdown Type": breakdown,
            "Requested On UTC": time, "Processed On UTC": time, "Processing Currency": currency,
            "Processing Currency Amount": amount, "Holding Currency": currency, "Holding Currency Amount": amount,
            "FX Rate Applied": "1", "Payout ID": payout,
        ]
    }

    static func text(of rows: [ReportRow]) -> String { table(columns, rows) }
}

/// The names of Checkout.com's API.
extension CheckoutLayout {
    static func payment(_ authorization: Authorization) -> String { CheckoutIdentifier.text("pay", authorization.id) }

    static func reference(of authorization: Authorization) -> String? { authorization.command.details["reference"] }

    static func merchantAccount(of authorization: Authorization) -> String? { nil }

    static func capture(_ operation: BookedOperation?, of authorization: Authorization) -> String {
        let action = operation.map { CheckoutActionDocument($0, of: authorization) }
        return (action ?? CheckoutActionDocument.saleCapture(authorization)).id
    }

    static func refund(_ operation: BookedOperation, of authorization: Authorization) -> String {
        CheckoutActionDocument(operation, of: authorization).id
    }

    static func dispute(_ dispute: BookedDispute, of authorization: Authorization) -> String {
        CheckoutIdentifier.text("dsp", dispute.id)
    }

    static func reference(of operation: BookedOperation, of authorization: Authorization) -> String? {
        CheckoutActionDocument(operation, of: authorization).details["reference"]
    }
}
