package import AdapterKit
package import Domain

/// What Braintree reports of money that it settled.
extension BraintreeAdapter: SettlementReporter {
    /// The transaction-level fee report.
    package static var settlementReports: [any SettlementReport.Type] { [TabularReport<BraintreeFeeTable>.self] }
}

/// Braintree's transaction-level fee report, one row a settled transaction.
///
/// Amounts are decimal major units; a type says whether one is a credit or a debit. Whether fees are taken from the
/// disbursement or billed by the month is a matter of the account, so that a line has no net amount. Source: the column
/// names that Braintree's own Java library reads, and "Transaction Level Fee Report Row", read in November 2026.
package struct BraintreeFeeTable: ReportTable {
    /// `braintree-transaction-fees`.
    package static let format = "braintree-transaction-fees"

    /// What a type is about, and whether its amount is money to us.
    private static let types: [String: (kind: SettlementKind, isCredit: Bool)] = [
        "sale": (.payment, true),
        "credit": (.refund, false),
        "dispute debit": (.chargeback, false),
        "dispute credit": (.chargebackReversal, true),
    ]

    /// The merchant account, by the name that newer and older reports give the column.
    private let account: ReportColumn
    private let accountToken: ReportColumn
    private let transaction: ReportColumn
    /// The sale of a refund.
    private let originalTransaction: ReportColumn
    private let type: ReportColumn
    private let currency: ReportColumn
    private let amount: ReportColumn
    private let exchangeRate: ReportColumn
    /// Our reference.
    private let order: ReportColumn
    /// What Braintree takes: flat pricing, and interchange plus.
    private let totalFee: ReportColumn
    private let estimatedFee: ReportColumn
    private let settledOn: ReportColumn
    private let disbursedOn: ReportColumn

    /// Finds its columns.
    package init(_ header: ReportHeader) {
        account = header.optional("Merchant Account ID")
        accountToken = header.optional("Merchant Account Token")
        transaction = header.required("Transaction ID")
        originalTransaction = header.optional("Original Transaction ID")
        type = header.required("Transaction Type")
        currency = header.required("Settlement Currency")
        amount = header.required("Settlement Amount")
        exchangeRate = header.optional("Exchange Rate")
        order = header.optional("Order ID")
        totalFee = header.optional("Total Fee Amount")
        estimatedFee = header.optional("Est. Total Fee Amount")
        settledOn = header.optional("Settlement Date")
        disbursedOn = header.optional("Disbursement Date")
    }

    /// Reads a row.
    package func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine {
        let type = try row.required(self.type)
        guard let (kind, isCredit) = Self.types[type.lowercased()] else {
            throw .unknownSign(type: String(type.prefix(100)))
        }
        let currency = try row.requiredCurrency(self.currency)
        var line = SettlementLine(row: row.number, kind: kind, type: type)
        line.gross = try gross(row, currency, isCredit: isCredit)
        line.fee = try fee(row, currency)
        line.account = try row.text(firstOf: account, accountToken)
        line.objectReference = try row.required(transaction)
        line.paymentReference = try row.text(firstOf: originalTransaction, transaction)
        line.reference = try row.text(order)
        line.attempt = line.reference.flatMap { AttemptID($0) }
        line.operation = line.reference.flatMap { OperationID($0) }
        line.exchangeRate = try row.text(exchangeRate)
        line.bookedOn = try row.date(settledOn)
        line.paidOn = try row.date(disbursedOn)
        return line
    }

    private func fee(_ row: CSVRow, _ currency: Currency) throws(RowProblem) -> SettlementAmount? {
        if let fee = try row.amount(totalFee, in: currency) { return fee }
        return try row.amount(estimatedFee, in: currency)
    }

    /// The amount with its sign: a credit is never negative, a debit may be written with a minus or without.
    private func gross(
        _ row: CSVRow,
        _ currency: Currency,
        isCredit: Bool
    ) throws(RowProblem) -> SettlementAmount {
        let column = self.amount
        let amount = try row.requiredAmount(column, in: currency)
        guard !isCredit || amount.units >= 0 else { throw .contradictory(column: column.name) }
        return isCredit || amount.units < 0 ? amount : amount.negated
    }
}
