package import AdapterKit
package import Domain

/// What Adyen reports of money that it settled.
extension AdyenAdapter: SettlementReporter {
    /// The settlement details report.
    package static var settlementReports: [any SettlementReport.Type] { [TabularReport<AdyenSettlementTable>.self] }
}

/// Adyen's settlement details report, one row a journal of a batch.
///
/// Amounts are decimal major units without a sign: debit and credit stand in columns of their own, and those decide, not
/// the type. Source: the columns as five independent parsers know them, and "Settlement details report", read in
/// November 2026.
package struct AdyenSettlementTable: ReportTable {
    /// `adyen-settlement-details`.
    package static let format = "adyen-settlement-details"

    private let merchantAccount: ReportColumn
    /// Adyen's names of the payment and of what was done to it, and ours.
    private let payment: ReportColumn
    private let paymentReference: ReportColumn
    private let modification: ReportColumn
    private let modificationReference: ReportColumn
    /// The journal type.
    private let type: ReportColumn
    /// The amount in the payment's currency.
    private let grossCurrency: ReportColumn
    private let grossDebit: ReportColumn
    private let grossCredit: ReportColumn
    private let exchangeRate: ReportColumn
    /// The amount in the currency that is settled.
    private let netCurrency: ReportColumn
    private let netDebit: ReportColumn
    private let netCredit: ReportColumn
    /// What Adyen takes, by cause: blended pricing fills the first, the others are interchange++.
    private let costs: [ReportColumn]
    /// The total of those, in newer accounts.
    private let paymentFees: ReportColumn
    private let batch: ReportColumn
    private let creationDate: ReportColumn
    private let creationZone: ReportColumn
    private let bookingDate: ReportColumn
    private let bookingZone: ReportColumn

    /// Finds its columns.
    package init(_ header: ReportHeader) {
        merchantAccount = header.required("Merchant Account")
        payment = header.required("Psp Reference")
        paymentReference = header.required("Merchant Reference")
        modification = header.required("Modification Reference")
        modificationReference = header.optional("Modification Merchant Reference")
        type = header.required("Type")
        grossCurrency = header.required("Gross Currency")
        grossDebit = header.required("Gross Debit (GC)")
        grossCredit = header.required("Gross Credit (GC)")
        exchangeRate = header.optional("Exchange Rate")
        netCurrency = header.required("Net Currency")
        netDebit = header.required("Net Debit (NC)")
        netCredit = header.required("Net Credit (NC)")
        costs = ["Commission (NC)", "Markup (NC)", "Scheme Fees (NC)", "Interchange (NC)"].map { header.optional($0) }
        paymentFees = header.optional("Payment Fees (NC)")
        batch = header.required("Batch Number")
        creationDate = header.optional("Creation Date")
        creationZone = header.optional("TimeZone")
        bookingDate = header.optional("Booking Date")
        bookingZone = header.optional("Booking Date TimeZone")
    }

    /// Reads a row.
    package func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine {
        let type = try row.required(self.type)
        let currency = try row.requiredCurrency(netCurrency)
        var line = SettlementLine(row: row.number, kind: AdyenJournalType.kind(type), type: type)
        guard let net = try balance(row, netDebit, netCredit, currency) else {
            throw .missing(column: netCredit.name)
        }
        line.net = net
        line.gross = try gross(row)
        line.fee = try fee(row, currency)
        line.account = try row.text(merchantAccount)
        line.paymentReference = try row.text(payment)
        line.objectReference = try row.text(modification)
        line.batch = try row.text(batch)
        line.exchangeRate = try row.text(exchangeRate)
        line.occurredOn = try row.date(creationDate, zone: row.text(creationZone))
        line.bookedOn = try row.date(bookingDate, zone: row.text(bookingZone))
        try name(&line, row)
        return line
    }

    /// Our names: the payment's reference is the attempt, a modification's the operation.
    private func name(_ line: inout SettlementLine, _ row: CSVRow) throws(RowProblem) {
        line.reference = try row.text(paymentReference)
        let payment = line.reference.flatMap { MerchantReference($0) }
        let modification = try row.text(modificationReference).flatMap { MerchantReference($0) }
        line.attempt = payment?.attempt ?? modification?.attempt
        line.operation = modification?.operation ?? payment?.operation
        line.submerchant = payment?.merchantAccount ?? modification?.merchantAccount
    }

    private func gross(_ row: CSVRow) throws(RowProblem) -> SettlementAmount? {
        if let currency = try row.currency(grossCurrency) {
            return try balance(row, grossDebit, grossCredit, currency)
        }
        guard try row.text(firstOf: grossDebit, grossCredit) == nil else {
            throw .missing(column: grossCurrency.name)
        }
        return nil
    }

    /// Credit less debit; nil if both fields are empty.
    private func balance(
        _ row: CSVRow,
        _ debitColumn: ReportColumn,
        _ creditColumn: ReportColumn,
        _ currency: Currency
    ) throws(RowProblem) -> SettlementAmount? {
        let debit = try row.amount(debitColumn, in: currency)
        let credit = try row.amount(creditColumn, in: currency)
        if let debit, let credit, debit.units != 0, credit.units != 0 {
            throw .contradictory(column: creditColumn.name)
        }
        if let credit, credit.units != 0 { return credit }
        return debit?.negated ?? credit
    }

    /// The sum of the costs by cause; where the report has none of them, its own total.
    private func fee(_ row: CSVRow, _ currency: Currency) throws(RowProblem) -> SettlementAmount? {
        var sum: SettlementAmount?
        for column in costs {
            guard let cost = try row.amount(column, in: currency) else { continue }
            do throws(AmountProblem) {
                sum = if let sum { try sum.adding(cost) } else { cost }
            } catch {
                throw .amount(column: column.name, error)
            }
        }
        if let sum { return sum }
        return try row.amount(paymentFees, in: currency)
    }
}

/// The journal types of Adyen's settlement details.
///
/// Adyen adds types, and no full list could be read; what is not here is ``SettlementKind/other``. Source: four
/// independent parsers and the journal types of Adyen's platform API, read in November 2026.
private enum AdyenJournalType {
    /// What lines of a type are about.
    static func kind(_ type: String) -> SettlementKind { kinds[type.lowercased()] ?? .other }

    private static let kinds: [String: SettlementKind] = [
        "settled": .payment,
        "settledexternally": .payment,
        "settledreversed": .payment,
        "refunded": .refund,
        "refundedexternally": .refund,
        "refundedreversed": .refund,
        "chargeback": .chargeback,
        "chargebackexternally": .chargeback,
        "secondchargeback": .chargeback,
        "chargebackreversed": .chargebackReversal,
        "chargebackreversedexternally": .chargebackReversal,
        "fee": .fee,
        "invoicededuction": .fee,
        "misccosts": .fee,
        "paymentcost": .fee,
        "settlecost": .fee,
        "balancetransfer": .adjustment,
        "manualcorrected": .adjustment,
        "merchantpayin": .adjustment,
        "depositcorrection": .reserve,
        "reserveadjustment": .reserve,
        "merchantpayout": .payout,
    ]
}
