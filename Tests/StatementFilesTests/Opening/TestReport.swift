import AdapterKit
import Domain

/// A settlement report of the tests' own: a PSP called `T`.
struct TestReport: ReportTable {
    static let format = "t-settlement"

    private let amount: ReportColumn
    private let currency: ReportColumn

    init(_ header: ReportHeader) {
        amount = header.required("amount")
        currency = header.required("currency")
    }

    func line(_ row: CSVRow) throws(RowProblem) -> SettlementLine {
        var line = SettlementLine(row: row.number, kind: .payment, type: "payment")
        line.net = try row.requiredAmount(amount, in: try row.requiredCurrency(currency))
        return line
    }
}
