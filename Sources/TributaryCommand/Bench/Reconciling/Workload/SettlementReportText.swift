import AdapterKit

/// The text of a made-up report: Stripe's itemised payout reconciliation.
struct SettlementReportText {
    /// The header, with its line end.
    static let header =
        "automatic_payout_id,automatic_payout_effective_at_utc,balance_transaction_id,created_utc,available_on_utc,"
        + "currency,gross,fee,net,reporting_category,source_id,description,customer_facing_amount,"
        + "customer_facing_currency,charge_id,payment_intent_id,connected_account_id,payment_metadata[attempt],"
        + "payment_metadata[operation],refund_metadata[operation]\n"

    private let workload: SettlementWorkload
    private var next = 0
    /// What the rows of the batch come to so far, in cents.
    private var batchCents: Int64 = 0

    /// Begins a text.
    init(_ workload: SettlementWorkload) { self.workload = workload }

    /// The next rows; empty behind the last.
    mutating func read(rows count: Int) -> [UInt8] {
        var text: [UInt8] = []
        let end = min(next + count, workload.rows)
        text.reserveCapacity((end - next) * 400)
        while next < end {
            write(workload.row(next), to: &text)
            next += 1
        }
        return text
    }

    private mutating func write(_ row: SettlementRow, to text: inout [UInt8]) {
        let batch = SettlementRow.name("po_", next / workload.batchRows)
        let entry = SettlementRow.name("txn_", row.number)
        text += "\(batch),2026-11-20 00:00:00,\(entry),2026-11-09 10:\(10 + row.number % 50):00,".utf8
        text += "2026-11-18 00:00:00,usd,".utf8
        switch row.kind {
        case .payment, .refund:
            batchCents += row.net
            let gross = Self.decimal(row.gross)
            text += "\(gross),\(Self.decimal(row.fee)),\(Self.decimal(row.net)),".utf8
            let (attempt, operation) = (SettlementWorkload.attempt(row.about), SettlementWorkload.operation(row.number))
            let isCharge = row.kind == .payment
            text += "\(isCharge ? "charge" : "refund"),\(row.objectReference),Order \(row.about),\(gross),".utf8
            text += "\(row.currency),\(SettlementRow.name("ch_", row.about)),\(row.paymentReference),".utf8
            text += "\(row.accountName),\(attempt),\(isCharge ? "\(operation)," : ",\(operation)")\n".utf8
        case .payout:
            let amount = Self.decimal(row.net - batchCents)
            batchCents = 0
            text += "\(amount),0.00,\(amount),payout,\(batch),STRIPE PAYOUT,,,,,,,,\n".utf8
        default:
            batchCents += row.net
            let amount = Self.decimal(row.net)
            text += "\(amount),0.00,\(amount),fee,\(SettlementRow.name("fee_", row.number)),Billing,,,,,,,,\n".utf8
        }
    }

    private static func decimal(_ cents: Int64) -> String {
        "\(cents < 0 ? "-" : "")\(cents.magnitude / 100).\(String(100 + cents.magnitude % 100).dropFirst())"
    }
}
