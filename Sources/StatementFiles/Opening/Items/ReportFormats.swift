package import AdapterKit

/// The formats that a file may be in.
package struct ReportFormats: Sendable {
    /// The PSPs' settlement reports.
    package var settlementReports: [any SettlementReport.Type]
    /// Whether camt.052, .053 and .054, MT940 and MT942 are among them.
    package var readsBankStatements: Bool
    /// The banks' tables that the operator declared.
    package var tables: [BankTable]

    /// Makes a list.
    package init(
        settlementReports: [any SettlementReport.Type] = [],
        readsBankStatements: Bool = true,
        tables: [BankTable] = []
    ) {
        self.settlementReports = settlementReports
        self.readsBankStatements = readsBankStatements
        self.tables = tables
    }
}
