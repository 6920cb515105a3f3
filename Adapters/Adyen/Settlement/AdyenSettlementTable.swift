package import AdapterKit
import Domain

/// Adyen's settlement details report, one row a journal of a batch.
///
/// Amounts are decimal major units without a sign: debit and credit stand in columns of their own, and those decide, not
/// the type. Source: the columns as five independent parsers know them, and "Settlement details report", read in
/// November 2026.
package struct AdyenSettlementTable: ReportTable {
    /// The columns that are read; those of costs, bookings and modifications depend on pricing and settings.
    package enum Column: String, ReportColumnName {
        case merchantAccount = "Merchant Account"
        /// Adyen's names of the payment and of what was done to it, and ours.
        case payment = "Psp Reference"
        case paymentReference = "Merchant Reference"
        case modification = "Modification Reference"
        case modificationReference = "Modification Merchant Reference"
        /// The journal type.
        case type = "Type"
        /// The amount in the payment's currency.
        case grossCurrency = "Gross Currency"
        case grossDebit = "Gross Debit (GC)"
        case grossCredit = "Gross Credit (GC)"
        case exchangeRate = "Exchange Rate"
        /// The amount in the currency that is settled.
        case netCurrency = "Net Currency"
        case netDebit = "Net Debit (NC)"
        case netCredit = "Net Credit (NC)"
        /// What Adyen takes, by cause: blended pricing fills the first, the others are interchange++.
        case commission = "Commission (NC)"
        case markup = "Markup (NC)"
        case schemeFees = "Scheme Fees (NC)"
        case interchange = "Interchange (NC)"
        /// The total of those, in newer accounts.
        case paymentFees = "Payment Fees (NC)"
        case batch = "Batch Number"
        case creationDate = "Creation Date"
        case creationZone = "TimeZone"
        case bookingDate = "Booking Date"
        case bookingZone = "Booking Date TimeZone"
    }

    /// `adyen-settlement-details`.
    package static let format = "adyen-settlement-details"
    /// The columns that make it this report.
    package static let requiredColumns: [Column] = [
        .merchantAccount, .payment, .paymentReference, .modification, .type, .grossCurrency, .grossDebit, .grossCredit,
        .netCurrency, .netDebit, .netCredit, .batch,
    ]

    private static let costs: [Column] = [.commission, .markup, .schemeFees, .interchange]

    private let columns: ReportColumns<Column>

    /// Begins with the header.
    package init(_ columns: ReportColumns<Column>) { self.columns = columns }

    /// Reads a row.
    package func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine {
        let type = try row.required(columns[.type])
        let currency = try row.requiredCurrency(columns[.netCurrency])
        var line = SettlementLine(row: row.number, kind: AdyenJournalType.kind(type), type: type)
        guard let net = try balance(row, .netDebit, .netCredit, currency) else {
            throw .missing(column: columns[.netCredit].name)
        }
        line.net = net
        line.gross = try gross(row)
        line.fee = try fee(row, currency)
        line.account = try row.text(columns[.merchantAccount])
        line.paymentReference = try row.text(columns[.payment])
        line.objectReference = try row.text(columns[.modification])
        line.batch = try row.text(columns[.batch])
        line.exchangeRate = try row.text(columns[.exchangeRate])
        line.occurredOn = try row.date(columns[.creationDate], zone: row.text(columns[.creationZone]))
        line.bookedOn = try row.date(columns[.bookingDate], zone: row.text(columns[.bookingZone]))
        try name(&line, row)
        return line
    }

    /// Our names: the payment's reference is the attempt, a modification's the operation.
    private func name(_ line: inout SettlementLine, _ row: CSVRow) throws(RowProblem) {
        line.reference = try row.text(columns[.paymentReference])
        let payment = line.reference.flatMap { MerchantReference($0) }
        let modification = try row.text(columns[.modificationReference]).flatMap { MerchantReference($0) }
        line.attempt = payment?.attempt ?? modification?.attempt
        line.operation = modification?.operation ?? payment?.operation
        line.submerchant = payment?.merchantAccount ?? modification?.merchantAccount
    }

    private func gross(_ row: CSVRow) throws(RowProblem) -> SettlementAmount? {
        if let currency = try row.currency(columns[.grossCurrency]) {
            return try balance(row, .grossDebit, .grossCredit, currency)
        }
        guard try row.text(firstOf: columns[.grossDebit], columns[.grossCredit]) == nil else {
            throw .missing(column: columns[.grossCurrency].name)
        }
        return nil
    }

    /// Credit less debit; nil if both fields are empty.
    private func balance(
        _ row: CSVRow,
        _ debitColumn: Column,
        _ creditColumn: Column,
        _ currency: Currency
    ) throws(RowProblem) -> SettlementAmount? {
        let debit = try row.amount(columns[debitColumn], in: currency)
        let credit = try row.amount(columns[creditColumn], in: currency)
        if let debit, let credit, debit.units != 0, credit.units != 0 {
            throw .contradictory(column: columns[creditColumn].name)
        }
        if let credit, credit.units != 0 { return credit }
        return debit?.negated ?? credit
    }

    /// The sum of the costs by cause; where the report has none of them, its own total.
    private func fee(_ row: CSVRow, _ currency: Currency) throws(RowProblem) -> SettlementAmount? {
        var sum: SettlementAmount?
        for column in Self.costs.map({ columns[$0] }) {
            guard let cost = try row.amount(column, in: currency) else { continue }
            do throws(AmountProblem) {
                sum = if let sum { try sum.adding(cost) } else { cost }
            } catch {
                throw .amount(column: column.name, error)
            }
        }
        if let sum { return sum }
        return try row.amount(columns[.paymentFees], in: currency)
    }
}
