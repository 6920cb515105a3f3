package import AdapterKit
package import Domain

/// What Checkout.com reports of money that it settled.
extension CheckoutAdapter: SettlementReporter {
    /// The financial actions reports, by payout and by date.
    package static var settlementReports: [any SettlementReport.Type] { [TabularReport<CheckoutActionsTable>.self] }
}

/// Checkout.com's financial actions, by payout or by date: one row a component of an action, fees among them.
///
/// Amounts are signed decimal major units with up to eight decimal digits; the payout is the sum of the amounts in the
/// holding currency, and only those are added up. Source: "Financial Actions by Payout ID Report" and public code that
/// reads it, November 2026.
package struct CheckoutActionsTable: ReportTable {
    /// `checkout-financial-actions`.
    package static let format = "checkout-financial-actions"

    private let client: ReportColumn
    private let subEntity: ReportColumn
    private let payment: ReportColumn
    private let action: ReportColumn
    private let actionType: ReportColumn
    /// Which component of the action the row is.
    private let breakdown: ReportColumn
    /// What the buyer paid or got back; fees mix currencies here.
    private let processingCurrency: ReportColumn
    private let processingAmount: ReportColumn
    /// What the balance changed by.
    private let holdingCurrency: ReportColumn
    private let holdingAmount: ReportColumn
    private let exchangeRate: ReportColumn
    private let reference: ReportColumn
    private let payout: ReportColumn
    /// Times, in the entity's settlement time zone and in UTC.
    private let requestedOn: ReportColumn
    private let requestedOnUTC: ReportColumn
    private let processedOn: ReportColumn
    private let processedOnUTC: ReportColumn
    private let zone: ReportColumn

    /// Finds its columns.
    package init(_ header: ReportHeader) {
        client = header.optional("Client Entity ID")
        subEntity = header.optional("Sub Entity ID")
        payment = header.required("Payment ID")
        action = header.required("Action ID")
        actionType = header.required("Action Type")
        breakdown = header.required("Breakdown Type")
        processingCurrency = header.optional("Processing Currency")
        processingAmount = header.optional("Processing Currency Amount")
        holdingCurrency = header.required("Holding Currency")
        holdingAmount = header.required("Holding Currency Amount")
        exchangeRate = header.optional("FX Rate Applied")
        reference = header.optional("Reference")
        payout = header.optional("Payout ID")
        requestedOn = header.optional("Requested On")
        requestedOnUTC = header.optional("Requested On UTC")
        processedOn = header.optional("Processed On")
        processedOnUTC = header.optional("Processed On UTC")
        zone = header.optional("Timezone")
    }

    /// Reads a row.
    package func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine {
        let currency = try row.requiredCurrency(holdingCurrency)
        let amount = try row.requiredAmount(holdingAmount, in: currency)
        let breakdown = try row.required(self.breakdown)
        let action = try row.required(actionType)
        let kind = CheckoutBreakdown.kind(breakdown, isNegative: amount.units < 0)
        var line = SettlementLine(row: row.number, kind: kind, type: "\(action) / \(breakdown)")
        line.net = amount
        if kind == .fee {
            line.fee = amount.negated
        } else {
            line.gross = amount
            line.presentment = try presentment(row)
        }
        line.account = try row.text(client)
        line.submerchant = try row.text(subEntity)
        line.paymentReference = try row.text(payment)
        line.objectReference = try row.text(self.action)
        line.batch = try row.text(payout)
        line.exchangeRate = try row.text(exchangeRate)
        line.reference = try row.text(reference)
        line.attempt = line.reference.flatMap { AttemptID($0) }
        line.operation = line.reference.flatMap { OperationID($0) }
        line.occurredOn = try date(row, utc: requestedOnUTC, local: requestedOn)
        line.bookedOn = try date(row, utc: processedOnUTC, local: processedOn)
        return line
    }

    private func presentment(_ row: CSVRow) throws(RowProblem) -> SettlementAmount? {
        guard let currency = try row.currency(processingCurrency) else { return nil }
        return try row.amount(processingAmount, in: currency)
    }

    /// The time in UTC where the report has it, else in the entity's settlement time zone, named or not.
    private func date(_ row: CSVRow, utc: ReportColumn, local: ReportColumn) throws(RowProblem) -> SettlementDate? {
        if let date = try row.date(utc, zone: "UTC") { return date }
        return try row.date(local, zone: row.text(zone))
    }
}

/// Checkout.com's breakdown types.
///
/// Source: "Breakdown types", read in November 2026. Fees are many and more are added; every one ends in "Fee", its
/// tax in "Fee Tax".
private enum CheckoutBreakdown {
    /// What a component is about; a chargeback's sign tells whether it is taken or given back.
    static func kind(_ breakdown: String, isNegative: Bool) -> SettlementKind {
        let word = breakdown.lowercased()
        if word == "chargeback" || word.hasPrefix("chargeback (") {
            return isNegative ? .chargeback : .chargebackReversal
        }
        if fees.contains(where: { " \(word)".hasSuffix($0) }) { return .fee }
        if reserves.contains(where: { word.hasPrefix($0) }) { return .reserve }
        return kinds[word] ?? .other
    }

    private static let fees = [" fee", " fees", " fee tax"]
    private static let reserves = ["rolling reserve", "security deposit", "operational funding", "collateral"]

    private static let kinds: [String: SettlementKind] = [
        "capture": .payment,
        "partial capture": .payment,
        "refund": .refund,
        "partial refund": .refund,
        "commission": .fee,
        "interchange": .fee,
        "schemeic": .fee,
        "tiered pricing adjustment": .fee,
        "adjustment": .adjustment,
        "balance": .adjustment,
        "clearing failed": .adjustment,
        "client revenue": .adjustment,
        "cover negative position": .adjustment,
        "invoice settlement": .adjustment,
        "tax": .adjustment,
        "top up": .adjustment,
        "payout": .payout,
    ]
}
