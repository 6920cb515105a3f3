package import AdapterKit

/// What Braintree reports of money that it settled.
extension BraintreeAdapter: SettlementReporter {
    /// The transaction-level fee report.
    package static var settlementReports: [any SettlementReport.Type] { [TabularReport<BraintreeFeeTable>.self] }
}
