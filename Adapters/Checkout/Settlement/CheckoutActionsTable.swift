package import AdapterKit
import Domain

/// Checkout.com's financial actions, by payout or by date: one row a component of an action, fees among them.
///
/// Amounts are signed decimal major units with up to eight decimal digits; the payout is the sum of the amounts in the
/// holding currency, and only those are added up. Source: "Financial Actions by Payout ID Report" and public code that
/// reads it, November 2026.
package struct CheckoutActionsTable: ReportTable {
    /// The columns that are read.
    package enum Column: String, ReportColumnName {
        case client = "Client Entity ID"
        case subEntity = "Sub Entity ID"
        case payment = "Payment ID"
        case action = "Action ID"
        case actionType = "Action Type"
        /// Which component of the action the row is.
        case breakdown = "Breakdown Type"
        /// What the buyer paid or got back; fees mix currencies here.
        case processingCurrency = "Processing Currency"
        case processingAmount = "Processing Currency Amount"
        /// What the balance changed by.
        case holdingCurrency = "Holding Currency"
        case holdingAmount = "Holding Currency Amount"
        case exchangeRate = "FX Rate Applied"
        case reference = "Reference"
        case payout = "Payout ID"
        /// Times, in the entity's settlement time zone and in UTC.
        case requestedOn = "Requested On"
        case requestedOnUTC = "Requested On UTC"
        case processedOn = "Processed On"
        case processedOnUTC = "Processed On UTC"
        case zone = "Timezone"
    }

    /// `checkout-financial-actions`.
    package static let format = "checkout-financial-actions"
    /// The columns that a line is made of.
    package static let requiredColumns: [Column] = [
        .payment, .action, .actionType, .breakdown, .holdingCurrency, .holdingAmount,
    ]

    private let columns: ReportColumns<Column>

    /// Begins with the header.
    package init(_ columns: ReportColumns<Column>) { self.columns = columns }

    /// Reads a row.
    package func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine {
        let currency = try row.requiredCurrency(columns[.holdingCurrency])
        let amount = try row.requiredAmount(columns[.holdingAmount], in: currency)
        let breakdown = try row.required(columns[.breakdown])
        let action = try row.required(columns[.actionType])
        let kind = CheckoutBreakdown.kind(breakdown, isNegative: amount.units < 0)
        var line = SettlementLine(row: row.number, kind: kind, type: "\(action) / \(breakdown)")
        line.net = amount
        if kind == .fee {
            line.fee = amount.negated
        } else {
            line.gross = amount
            line.presentment = try presentment(row)
        }
        line.account = try row.text(columns[.client])
        line.submerchant = try row.text(columns[.subEntity])
        line.paymentReference = try row.text(columns[.payment])
        line.objectReference = try row.text(columns[.action])
        line.batch = try row.text(columns[.payout])
        line.exchangeRate = try row.text(columns[.exchangeRate])
        line.reference = try row.text(columns[.reference])
        line.attempt = line.reference.flatMap { AttemptID($0) }
        line.operation = line.reference.flatMap { OperationID($0) }
        line.occurredOn = try date(row, utc: .requestedOnUTC, local: .requestedOn)
        line.bookedOn = try date(row, utc: .processedOnUTC, local: .processedOn)
        return line
    }

    private func presentment(_ row: CSVRow) throws(RowProblem) -> SettlementAmount? {
        guard let currency = try row.currency(columns[.processingCurrency]) else { return nil }
        return try row.amount(columns[.processingAmount], in: currency)
    }

    /// The time in UTC where the report has it, else in the entity's settlement time zone, named or not.
    private func date(_ row: CSVRow, utc: Column, local: Column) throws(RowProblem) -> SettlementDate? {
        if let date = try row.date(columns[utc], zone: "UTC") { return date }
        return try row.date(columns[local], zone: row.text(columns[.zone]))
    }
}
