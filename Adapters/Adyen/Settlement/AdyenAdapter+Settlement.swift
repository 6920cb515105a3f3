package import AdapterKit

/// What Adyen reports of money that it settled.
extension AdyenAdapter: SettlementReporter {
    /// The settlement details report.
    package static var settlementReports: [any SettlementReport.Type] { [TabularReport<AdyenSettlementTable>.self] }
}
