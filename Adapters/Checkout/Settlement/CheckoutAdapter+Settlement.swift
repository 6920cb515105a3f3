package import AdapterKit

/// What Checkout.com reports of money that it settled.
extension CheckoutAdapter: SettlementReporter {
    /// The financial actions reports, by payout and by date.
    package static var settlementReports: [any SettlementReport.Type] { [TabularReport<CheckoutActionsTable>.self] }
}
