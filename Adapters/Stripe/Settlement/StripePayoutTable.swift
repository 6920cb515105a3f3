package import AdapterKit
import Domain

/// Stripe's itemized payout reconciliation (`payout_reconciliation.itemized`), one row a balance transaction.
///
/// The itemized report on changes of the balance (`balance_change_from_activity.itemized`) has the same columns without
/// the payout's, and is read as well. Amounts are signed decimal major units; the fee is positive. Source: "Payout
/// reconciliation report" and public code that requests it, read in November 2026.
package struct StripePayoutTable: ReportTable {
    /// The columns that are read; metadata, charge and payment have to be asked for.
    package enum Column: String, ReportColumnName {
        /// When the payout reaches the bank, in the report's time zone or in UTC.
        case paidOn = "automatic_payout_effective_at"
        case paidOnUTC = "automatic_payout_effective_at_utc"
        /// When the money can be paid out.
        case availableOn = "available_on"
        case availableOnUTC = "available_on_utc"
        /// When the transaction was made.
        case created = "created"
        case createdUTC = "created_utc"
        /// The payout.
        case payout = "automatic_payout_id"
        /// Stripe's name of the transaction.
        case transaction = "balance_transaction_id"
        /// The currency that is settled, and the three amounts.
        case currency = "currency"
        case gross = "gross"
        case fee = "fee"
        case net = "net"
        /// What the buyer saw.
        case presentmentAmount = "customer_facing_amount"
        case presentmentCurrency = "customer_facing_currency"
        /// What it is about.
        case category = "reporting_category"
        /// The object that moved the money: a charge, a refund, a dispute.
        case source = "source_id"
        case charge = "charge_id"
        case paymentIntent = "payment_intent_id"
        /// The connected account, in reports over those.
        case account = "connected_account_id"
        /// What we wrote on the payment and the refund.
        case attempt = "payment_metadata[attempt]"
        case paymentOperation = "payment_metadata[operation]"
        case refundOperation = "refund_metadata[operation]"
    }

    /// `stripe-payout-reconciliation`.
    package static let format = "stripe-payout-reconciliation"
    /// Default columns of either report.
    package static let requiredColumns: [Column] = [
        .transaction, .currency, .gross, .fee, .net, .category, .source,
    ]

    private let columns: ReportColumns<Column>

    /// Begins with the header.
    package init(_ columns: ReportColumns<Column>) { self.columns = columns }

    /// Reads a row.
    package func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine {
        let currency = try row.requiredCurrency(columns[.currency])
        let type = try row.required(columns[.category])
        var line = SettlementLine(row: row.number, kind: StripeReportingCategory.kind(type), type: type)
        line.gross = try row.requiredAmount(columns[.gross], in: currency)
        line.fee = try row.requiredAmount(columns[.fee], in: currency)
        line.net = try row.requiredAmount(columns[.net], in: currency)
        line.presentment = try presentment(row)
        line.account = try row.text(columns[.account])
        line.entryReference = try row.required(columns[.transaction])
        line.objectReference = try row.text(columns[.source])
        line.paymentReference = try row.text(firstOf: columns[.paymentIntent], columns[.charge])
        line.batch = try row.text(columns[.payout])
        line.reference = try row.text(columns[.attempt])
        line.attempt = line.reference.flatMap { AttemptID($0) }
        line.operation = try operation(row, line.kind)
        line.occurredOn = try date(row, utc: .createdUTC, local: .created)
        line.bookedOn = try date(row, utc: .availableOnUTC, local: .availableOn)
        line.paidOn = try date(row, utc: .paidOnUTC, local: .paidOn)
        return line
    }

    private func presentment(_ row: CSVRow) throws(RowProblem) -> SettlementAmount? {
        guard let currency = try row.currency(columns[.presentmentCurrency]) else { return nil }
        return try row.amount(columns[.presentmentAmount], in: currency)
    }

    /// Our operation; the payment's metadata names the authorization, which is not what a refund did.
    private func operation(_ row: CSVRow, _ kind: SettlementKind) throws(RowProblem) -> OperationID? {
        switch kind {
        case .payment: try row.text(columns[.paymentOperation]).flatMap { OperationID($0) }
        case .refund: try row.text(columns[.refundOperation]).flatMap { OperationID($0) }
        default: nil
        }
    }

    /// The time in UTC, or in the time zone that the report was asked for, which it does not name.
    private func date(_ row: CSVRow, utc: Column, local: Column) throws(RowProblem) -> SettlementDate? {
        if let date = try row.date(columns[utc], zone: "UTC") { return date }
        return try row.date(columns[local])
    }
}
