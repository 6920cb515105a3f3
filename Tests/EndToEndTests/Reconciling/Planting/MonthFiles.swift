import PSPSimulator
import Testing

/// A PSP's report and the bank's statement of the books' month, to plant something in.
struct MonthFiles: Sendable {
    var report: PSPReport
    var statement: BankStatement

    /// What is written as it was.
    init(_ psp: SettledPSP, _ books: SettledBooks) {
        report = PSPReport(psp, books)
        statement = BankStatement(paying: [report])
    }

    /// Pays out more, in cents, and the bank books it.
    mutating func pay(_ more: Int64) {
        report.paidOut += more
        statement.entries[0].amount += more
    }

    /// Changes the sale of an order.
    mutating func sale(of order: String, _ change: (inout ReportRow) -> Void) throws {
        let place = try #require(report.row(of: order))
        change(&report.rows[place])
    }

    /// Changes what a sale of an order came to before fees, in cents; its net, the payout and the bank follow.
    mutating func resell(_ order: String, _ change: (Int64) -> Int64) throws {
        let place = try #require(report.row(of: order))
        let (before, fee) = (try cents(place, "gross"), try cents(place, "fee"))
        report.rows[place]["gross"] = change(before).dollars
        report.rows[place]["net"] = (change(before) - fee).dollars
        pay(change(before) - before)
    }

    /// Takes the sale of an order out, of the payout and the bank as well.
    mutating func drop(_ order: String) throws {
        let place = try #require(report.row(of: order))
        pay(-(try cents(place, "net")))
        report.rows.remove(at: place)
    }

    /// Adds a row like the sale of an order, which is paid out.
    mutating func add(_ amount: Int64, _ fields: ReportRow, like order: String = "order-0") throws {
        let place = try #require(report.row(of: order))
        let own = ["gross": amount.dollars, "fee": "0.00", "net": amount.dollars, "balance_transaction_id": "txn_more"]
        report.rows.append(report.rows[place].merging(own) { $1 }.merging(fields) { $1 })
        pay(amount)
    }

    private func cents(_ place: Int, _ field: String) throws -> Int64 {
        try #require(report.rows[place][field].flatMap { Int64($0.replacing(".", with: "")) })
    }
}
