package import AdapterKit
import Domain

/// Braintree's transaction-level fee report, one row a settled transaction.
///
/// Amounts are decimal major units; a type says whether one is a credit or a debit. Whether fees are taken from the
/// disbursement or billed by the month is a matter of the account, so that a line has no net amount. Source: the column
/// names that Braintree's own Java library reads, and "Transaction Level Fee Report Row", read in November 2026.
package struct BraintreeFeeTable: ReportTable {
    /// The columns that are read.
    package enum Column: String, ReportColumnName {
        /// The merchant account, by the name that newer and older reports give the column.
        case account = "Merchant Account ID"
        case accountToken = "Merchant Account Token"
        case transaction = "Transaction ID"
        /// The sale of a refund.
        case originalTransaction = "Original Transaction ID"
        case type = "Transaction Type"
        case currency = "Settlement Currency"
        case amount = "Settlement Amount"
        case exchangeRate = "Exchange Rate"
        /// Our reference.
        case order = "Order ID"
        /// What Braintree takes: flat pricing, and interchange plus.
        case fee = "Total Fee Amount"
        case estimatedFee = "Est. Total Fee Amount"
        case settledOn = "Settlement Date"
        case disbursedOn = "Disbursement Date"
    }

    /// `braintree-transaction-fees`.
    package static let format = "braintree-transaction-fees"
    /// The columns that a line is made of.
    package static let requiredColumns: [Column] = [.transaction, .type, .currency, .amount]

    /// What a type is about, and whether its amount is money to us.
    private static let types: [String: (kind: SettlementKind, isCredit: Bool)] = [
        "sale": (.payment, true),
        "credit": (.refund, false),
        "dispute debit": (.chargeback, false),
        "dispute credit": (.chargebackReversal, true),
    ]

    private let columns: ReportColumns<Column>

    /// Begins with the header.
    package init(_ columns: ReportColumns<Column>) { self.columns = columns }

    /// Reads a row.
    package func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine {
        let type = try row.required(columns[.type])
        guard let (kind, isCredit) = Self.types[type.lowercased()] else {
            throw .unknownSign(type: String(type.prefix(100)))
        }
        let currency = try row.requiredCurrency(columns[.currency])
        var line = SettlementLine(row: row.number, kind: kind, type: type)
        line.gross = try gross(row, currency, isCredit: isCredit)
        line.fee = try fee(row, currency)
        line.account = try row.text(firstOf: columns[.account], columns[.accountToken])
        line.objectReference = try row.required(columns[.transaction])
        line.paymentReference = try row.text(firstOf: columns[.originalTransaction], columns[.transaction])
        line.reference = try row.text(columns[.order])
        line.attempt = line.reference.flatMap { AttemptID($0) }
        line.operation = line.reference.flatMap { OperationID($0) }
        line.exchangeRate = try row.text(columns[.exchangeRate])
        line.bookedOn = try row.date(columns[.settledOn])
        line.paidOn = try row.date(columns[.disbursedOn])
        return line
    }

    private func fee(_ row: CSVRow, _ currency: Currency) throws(RowProblem) -> SettlementAmount? {
        if let fee = try row.amount(columns[.fee], in: currency) { return fee }
        return try row.amount(columns[.estimatedFee], in: currency)
    }

    /// The amount with its sign: a credit is never negative, a debit may be written with a minus or without.
    private func gross(
        _ row: CSVRow,
        _ currency: Currency,
        isCredit: Bool
    ) throws(RowProblem) -> SettlementAmount {
        let column = columns[.amount]
        let amount = try row.requiredAmount(column, in: currency)
        guard !isCredit || amount.units >= 0 else { throw .contradictory(column: column.name) }
        return isCredit || amount.units < 0 ? amount : amount.negated
    }
}
