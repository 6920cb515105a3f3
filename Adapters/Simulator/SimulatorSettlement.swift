public import AdapterKit
package import Domain

/// What the simulator reports of money that it settled.
extension SimulatorAdapter: SettlementReporter {
    /// Its only report.
    public static var settlementReports: [any SettlementReport.Type] { [TabularReport<SimulatorMovementTable>.self] }
}

/// The simulator's settlement report (`GET /reports/settlement`), one row a movement of money.
///
/// Amounts are signed decimal major units; the fee is positive. Source: README.md.
package struct SimulatorMovementTable: ReportTable {
    /// `simulator-settlement`.
    package static let format = "simulator-settlement"

    /// What a type is about; others are ``SettlementKind/other``.
    private static let kinds: [String: SettlementKind] = [
        "capture": .payment,
        "refund": .refund,
        "dispute": .chargeback,
        "dispute_won": .chargebackReversal,
        "commission": .commission,
        "fee": .fee,
        "payout": .payout,
    ]

    /// The simulator's name of the movement; no other report has a column of this name.
    private let movement: ReportColumn
    private let type: ReportColumn
    /// The simulator's names of the authorization and of what moved the money, and ours.
    private let authorization: ReportColumn
    private let reference: ReportColumn
    private let operation: ReportColumn
    private let operationReference: ReportColumn
    private let merchantAccount: ReportColumn
    /// The three amounts, and their currency.
    private let gross: ReportColumn
    private let fee: ReportColumn
    private let net: ReportColumn
    private let currency: ReportColumn
    /// When it happened, in UTC.
    private let at: ReportColumn
    /// The payout, and its day.
    private let payout: ReportColumn
    private let paidOn: ReportColumn

    /// Finds its columns.
    package init(_ header: ReportHeader) {
        movement = header.required("simulator_movement")
        type = header.required("type")
        authorization = header.required("authorization")
        reference = header.required("reference")
        operation = header.required("operation")
        operationReference = header.required("operation_reference")
        merchantAccount = header.optional("merchant_account")
        gross = header.required("gross")
        fee = header.required("fee")
        net = header.required("net")
        currency = header.required("currency")
        at = header.required("at")
        payout = header.required("payout")
        paidOn = header.optional("paid_on")
    }

    /// Reads a row.
    package func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine {
        let currency = try row.requiredCurrency(self.currency)
        let type = try row.required(self.type)
        var line = SettlementLine(row: row.number, kind: Self.kinds[type] ?? .other, type: type)
        line.gross = try row.requiredAmount(gross, in: currency)
        line.fee = try row.requiredAmount(fee, in: currency)
        line.net = try row.requiredAmount(net, in: currency)
        try row.copyRequired(movement, to: .entryReference, of: &line)
        try row.copy(merchantAccount, to: .submerchant, of: &line)
        try row.copy(authorization, to: .paymentReference, of: &line)
        try row.copy(operation, to: .objectReference, of: &line)
        try row.copy(reference, to: .reference, of: &line)
        try row.copy(payout, to: .batch, of: &line)
        line.attempt = try row.identifier(reference)
        line.operation = try row.identifier(operationReference)
        line.occurredOn = try row.date(at, zone: "UTC")
        line.paidOn = try row.date(paidOn)
        return line
    }
}
