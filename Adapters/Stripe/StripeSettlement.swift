package import AdapterKit
package import Domain

/// What Stripe reports of money that it settled.
extension StripeAdapter: SettlementReporter {
    /// The itemized payout reconciliation report.
    package static var settlementReports: [any SettlementReport.Type] { [TabularReport<StripePayoutTable>.self] }
}

/// Stripe's itemized payout reconciliation (`payout_reconciliation.itemized`), one row a balance transaction.
///
/// The itemized report on changes of the balance (`balance_change_from_activity.itemized`) has the same columns without
/// the payout's, and is read as well. Amounts are signed decimal major units; the fee is positive. Source: "Payout
/// reconciliation report" and public code that requests it, read in November 2026.
package struct StripePayoutTable: ReportTable {
    /// `stripe-payout-reconciliation`.
    package static let format = "stripe-payout-reconciliation"

    /// When the payout reaches the bank, in the report's time zone or in UTC.
    private let paidOn: ReportColumn
    private let paidOnUTC: ReportColumn
    /// When the money can be paid out.
    private let availableOn: ReportColumn
    private let availableOnUTC: ReportColumn
    /// When the transaction was made.
    private let created: ReportColumn
    private let createdUTC: ReportColumn
    /// The payout.
    private let payout: ReportColumn
    /// Stripe's name of the transaction.
    private let transaction: ReportColumn
    /// The currency that is settled, and the three amounts.
    private let currency: ReportColumn
    private let gross: ReportColumn
    private let fee: ReportColumn
    private let net: ReportColumn
    /// What the buyer saw.
    private let presentmentAmount: ReportColumn
    private let presentmentCurrency: ReportColumn
    /// What it is about.
    private let category: ReportColumn
    /// The object that moved the money: a charge, a refund, a dispute.
    private let source: ReportColumn
    private let charge: ReportColumn
    private let paymentIntent: ReportColumn
    /// The connected account, in reports over those.
    private let account: ReportColumn
    /// What we wrote on the payment and the refund.
    private let attempt: ReportColumn
    private let paymentOperation: ReportColumn
    private let refundOperation: ReportColumn

    /// Finds its columns.
    package init(_ header: ReportHeader) {
        paidOn = header.optional("automatic_payout_effective_at")
        paidOnUTC = header.optional("automatic_payout_effective_at_utc")
        availableOn = header.optional("available_on")
        availableOnUTC = header.optional("available_on_utc")
        created = header.optional("created")
        createdUTC = header.optional("created_utc")
        payout = header.optional("automatic_payout_id")
        transaction = header.required("balance_transaction_id")
        currency = header.required("currency")
        gross = header.required("gross")
        fee = header.required("fee")
        net = header.required("net")
        presentmentAmount = header.optional("customer_facing_amount")
        presentmentCurrency = header.optional("customer_facing_currency")
        category = header.required("reporting_category")
        source = header.required("source_id")
        charge = header.optional("charge_id")
        paymentIntent = header.optional("payment_intent_id")
        account = header.optional("connected_account_id")
        attempt = header.optional("payment_metadata[attempt]")
        paymentOperation = header.optional("payment_metadata[operation]")
        refundOperation = header.optional("refund_metadata[operation]")
    }

    /// Reads a row.
    package func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine {
        let currency = try row.requiredCurrency(self.currency)
        let type = try row.required(category)
        var line = SettlementLine(row: row.number, kind: StripeReportingCategory.kind(type), type: type)
        line.gross = try row.requiredAmount(gross, in: currency)
        line.fee = try row.requiredAmount(fee, in: currency)
        line.net = try row.requiredAmount(net, in: currency)
        line.presentment = try presentment(row)
        try row.copy(account, to: .account, of: &line)
        try row.copyRequired(transaction, to: .entryReference, of: &line)
        try row.copy(source, to: .objectReference, of: &line)
        if try !row.copy(paymentIntent, to: .paymentReference, of: &line) {
            try row.copy(charge, to: .paymentReference, of: &line)
        }
        try row.copy(payout, to: .batch, of: &line)
        try row.copy(attempt, to: .reference, of: &line)
        line.attempt = try row.identifier(attempt)
        line.operation = try operation(row, line.kind)
        line.occurredOn = try date(row, utc: createdUTC, local: created)
        line.bookedOn = try date(row, utc: availableOnUTC, local: availableOn)
        line.paidOn = try date(row, utc: paidOnUTC, local: paidOn)
        return line
    }

    private func presentment(_ row: CSVRow) throws(RowProblem) -> SettlementAmount? {
        guard let currency = try row.currency(presentmentCurrency) else { return nil }
        return try row.amount(presentmentAmount, in: currency)
    }

    /// Our operation; the payment's metadata names the authorization, which is not what a refund did.
    private func operation(_ row: CSVRow, _ kind: SettlementKind) throws(RowProblem) -> OperationID? {
        switch kind {
        case .payment: try row.identifier(paymentOperation)
        case .refund: try row.identifier(refundOperation)
        default: nil
        }
    }

    /// The time in UTC, or in the time zone that the report was asked for, which it does not name.
    private func date(_ row: CSVRow, utc: ReportColumn, local: ReportColumn) throws(RowProblem) -> SettlementDate? {
        if let date = try row.date(utc, zone: "UTC") { return date }
        return try row.date(local)
    }
}

/// Stripe's reporting categories.
///
/// Source: "Reporting categories and types" and the list of the reports API, read in November 2026.
private enum StripeReportingCategory {
    /// What lines of a category are about.
    ///
    /// What a capture left uncaptured is a negative payment: together with the charge it makes what was captured.
    static func kind(_ category: String) -> SettlementKind { kinds[category] ?? .other }

    private static let kinds: [String: SettlementKind] = [
        "charge": .payment,
        "partial_capture_reversal": .payment,
        "refund": .refund,
        "refund_failure": .refund,
        "dispute": .chargeback,
        "dispute_reversal": .chargebackReversal,
        "platform_earning": .commission,
        "platform_earning_refund": .commission,
        "fee": .fee,
        "network_cost": .fee,
        "tax": .fee,
        "charge_failure": .adjustment,
        "other_adjustment": .adjustment,
        "topup": .adjustment,
        "topup_reversal": .adjustment,
        "payout": .payout,
        "payout_reversal": .payout,
        "connect_reserved_funds": .reserve,
        "payment_network_reserved_funds": .reserve,
        "risk_reserved_funds": .reserve,
    ]
}
