import Domain
import PSPSimulator

/// A PSP's report of a batch and what it paid out of it, row by row and field by field, so that a test can get at each
/// before the simulator's layout makes a file of them.
struct PSPReport: Sendable {
    let psp: SettledPSP
    /// The rows of lines; amounts are decimal dollars.
    var rows: [ReportRow]
    /// What the batch pays out, in cents; at zero there is no row of it.
    var paidOut: Int64

    /// What the PSP would write of the books' month.
    init(_ psp: SettledPSP, _ books: SettledBooks) {
        self.psp = psp
        let lines = books.lines(at: psp)
        rows = lines.flatMap { psp.layout.rows(of: $0, in: psp.batch) }
        paidOut = psp.layout.paidOut(lines)
    }

    /// The file.
    var text: String {
        psp.layout.text(of: rows + (paidOut == 0 ? [] : [psp.layout.payout(paidOut, "USD", of: psp.batch)]))
    }

    /// The first row of a payment of an order.
    func row(of order: String) -> Int? { rows.firstIndex { row in row.values.contains("\(psp)_\(order)") } }
}

extension SettledPSP {
    /// How the PSP writes its reports.
    fileprivate var layout: any ReportLayout.Type {
        guard let layout = dialect.reportLayout else { preconditionFailure("\(self) has no report") }
        return layout
    }

    /// The month's batch; Square pays sellers out on their own.
    fileprivate var batch: ReportBatch {
        ReportBatch(payout: payout, merchantsPayout: "PO_SELLER", number: "10", day: SettledBooks.lastDay)
    }
}
