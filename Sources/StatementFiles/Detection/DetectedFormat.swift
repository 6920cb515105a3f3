import AdapterKit

/// A format with what it takes to read it.
enum DetectedFormat {
    case settlement(any SettlementReport.Type)
    case camt
    case mt940
    case table(BankTable)

    /// Its name.
    var format: ReportFormat {
        switch self {
        case .settlement(let report): .settlement(report.format)
        case .camt: .camt
        case .mt940: .mt940
        case .table(let table): .table(table.name)
        }
    }

    /// A reader at the beginning of a file.
    func reader() -> MemberReader {
        switch self {
        case .settlement(let report): .settlement(report.init())
        case .camt: .bank(CamtReader())
        case .mt940: .bank(MTReader())
        case .table(let table): .bank(BankTableReader(table))
        }
    }
}
