package import AdapterKit

/// What Square reports of money that it settled.
extension SquareAdapter: SettlementReporter {
    /// The pages of `ListPayoutEntries`.
    package static var settlementReports: [any SettlementReport.Type] { [PagedReport<SquarePayoutPages>.self] }
}
