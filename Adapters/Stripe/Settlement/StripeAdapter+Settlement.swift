package import AdapterKit

/// What Stripe reports of money that it settled.
extension StripeAdapter: SettlementReporter {
    /// The itemized payout reconciliation report.
    package static var settlementReports: [any SettlementReport.Type] { [TabularReport<StripePayoutTable>.self] }
}
