package import AdapterKit

/// What Worldpay reports of money that it settled.
extension WorldpayAdapter: SettlementReporter {
    /// The pages of an account's statement.
    package static var settlementReports: [any SettlementReport.Type] { [PagedReport<WorldpayStatementPages>.self] }
}
