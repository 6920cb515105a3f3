import StrictJSON

/// Square's payout entries: a seller's sales in the seller's payout, the marketplace's fees in its own.
enum SquareLayout: ReportLayout {
    static let fileExtension = "json"
    static let tellsCommission = true

    static func rows(of line: ReportLine, in batch: ReportBatch) -> [ReportRow] {
        let type =
            switch line.kind {
            case .payment: "CHARGE"
            case .refund: "REFUND"
            case .chargeback, .chargebackReversal: "DISPUTE"
            case .commission: line.amount < 0 ? "APP_FEE_REFUND" : "APP_FEE_REVENUE"
            }
        var row = [
            "id": "poe_" + line.name, "payout_id": batch.payout(of: line), "type": type,
            "effective_at": Moment.text(line.at) + "Z", "gross": decimal(line.amount, line.currency),
            "fee": decimal(line.fee, line.currency), "net": decimal(line.net, line.currency),
            "currency": line.currency, "payment_id": line.payment, "location_id": line.merchantAccount,
        ]
        if line.kind == .refund { row["refund_id"] = line.object }
        if type == "DISPUTE" { row["dispute_id"] = line.object }
        return [row]
    }

    static func payout(_ amount: Int64, _ currency: String, of batch: ReportBatch) -> ReportRow {
        [
            "id": "poe_" + batch.payout, "payout_id": batch.payout, "type": "PAYOUT",
            "effective_at": batch.day + "T00:00:00Z", "gross": decimal(-amount, currency),
            "fee": decimal(0, currency), "net": decimal(-amount, currency), "currency": currency,
        ]
    }

    /// Two pages, of which the first leads to the second.
    static func text(of rows: [ReportRow]) -> String {
        let entries = rows.map(entry)
        let half = entries.count / 2
        let first: JSON = ["payout_entries": .array(Array(entries[..<half])), "cursor": "next"]
        let second: JSON = ["payout_entries": .array(Array(entries[half...]))]
        return first.text + "\n" + second.text + "\n"
    }

    private static func entry(_ row: ReportRow) -> JSON {
        var members: [JSON.Member] = ["id", "payout_id", "type", "effective_at"].map { name in
            JSON.Member(name, .string(row[name] ?? ""))
        }
        let currency = JSON.string(row["currency"] ?? "")
        for name in ["gross", "fee", "net"] {
            let amount = row[name].flatMap(ReportAmount.minor) ?? 0
            members.append(JSON.Member("\(name)_amount_money", ["amount": .integer(amount), "currency": currency]))
        }
        let details = ["payment_id", "refund_id", "dispute_id", "location_id"].compactMap { name in
            row[name].map { JSON.Member(name, .string($0)) }
        }
        if !details.isEmpty {
            members.append(JSON.Member("type_\((row["type"] ?? "").lowercased())_details", .object(details)))
        }
        return .object(members)
    }
}

/// The names of Square's API; our own are not in its reports.
extension SquareLayout {
    static func payment(_ authorization: Authorization) -> String { SquareName.payment(authorization.id) }

    static func reference(of authorization: Authorization) -> String? { nil }

    static func merchantAccount(of authorization: Authorization) -> String? { SquareDocument.location(authorization) }

    static func capture(_ operation: BookedOperation?, of authorization: Authorization) -> String {
        payment(authorization)
    }

    static func refund(_ operation: BookedOperation, of authorization: Authorization) -> String {
        SquareName.refund(operation.id)
    }

    static func dispute(_ dispute: BookedDispute, of authorization: Authorization) -> String {
        SquareName.dispute(dispute.id)
    }

    static func reference(of operation: BookedOperation, of authorization: Authorization) -> String? { nil }

    /// What the request said; where it said nothing, as refunds in the dashboard do, the refund's share of what was kept
    /// ("Refund payments with application fees", read in November 2026).
    static func commission(returnedBy refund: BookedOperation, of authorization: Authorization) -> Int64? {
        guard refund.applicationFee == nil, authorization.captured > 0 else { return refund.applicationFee }
        let done = authorization.operations.dropFirst().filter { $0.status == .succeeded }
        let kept = done.last { $0.kind == .capture }?.applicationFee ?? authorization.command.applicationFee ?? 0
        let before = done.prefix { $0.id != refund.id }.filter { $0.kind == .refund }
        let told = before.reduce(0) { $0 + ($1.applicationFee ?? 0) }
        let untold = before.filter { $0.applicationFee == nil }.reduce(0) { $0 + $1.amount }
        func share(_ amount: Int64) -> Int64 {
            min(kept - told, Int64(Int128(kept) * Int128(amount) / Int128(authorization.captured)))
        }
        return max(0, share(untold + refund.amount) - share(untold))
    }
}
