import PSPSimulator

/// Stripe's month in more than twenty thousand rows: each sale in several hundred captures, thousands of single fees, and
/// hundreds of charges that nobody knows.
struct LongReport {
    static let strangers = 200
    private static let fees = 9_000
    private static let partsOfSale = 1_050

    let report: PSPReport

    init(_ books: SettledBooks) {
        var report = PSPReport(.stripe, books)
        var rows: [ReportRow] = []
        for row in report.rows {
            guard row["reporting_category"] == "charge" else {
                rows.append(row)
                continue
            }
            rows += Self.parts(of: row, firstNumber: rows.count)
        }
        let template = report.rows[0]
        for number in 0..<Self.fees {
            rows.append(Self.row("fee", -1, named: "fee_\(number)", at: template))
        }
        for number in 0..<Self.strangers {
            rows.append(Self.row("charge", 1_000 + Int64(number), named: "stranger_\(number)", at: template))
        }
        report.paidOut += (0..<Self.strangers).reduce(Int64(-Self.fees)) { $0 + 1_000 + Int64($1) }
        report.rows = rows
        self.report = report
    }

    /// A sale captured bit by bit; the fee is in the first one.
    private static func parts(of row: ReportRow, firstNumber: Int) -> [ReportRow] {
        let gross = Int64((row["gross"] ?? "").replacing(".", with: "")) ?? 0
        let fee = Int64((row["fee"] ?? "").replacing(".", with: "")) ?? 0
        let count = Int64(partsOfSale)
        return (0..<count).map { number in
            let amount = number == 0 ? gross - (count - 1) * (gross / count) : gross / count
            var part = row
            part["balance_transaction_id"] = "part_\(firstNumber)_\(number)"
            part["gross"] = amount.dollars
            part["fee"] = (number == 0 ? fee : 0).dollars
            part["net"] = (amount - (number == 0 ? fee : 0)).dollars
            return part
        }
    }

    private static func row(
        _ category: String,
        _ amount: Int64,
        named name: String,
        at other: ReportRow
    ) -> ReportRow {
        var row: ReportRow = [
            "balance_transaction_id": "txn_\(name)", "currency": "usd", "gross": amount.dollars, "fee": "0.00",
            "net": amount.dollars, "reporting_category": category, "source_id": name,
        ]
        for field in ["automatic_payout_id", "automatic_payout_effective_at_utc", "created_utc"] {
            row[field] = other[field]
        }
        return row
    }
}
