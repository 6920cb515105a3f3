import Domain
import StrictJSON

/// Square's payout entries: a seller's sales in the seller's payout, the marketplace's fees in its own.
enum SquareLayout: ReportLayout {
    static func rows(of line: ReportLine, number: Int) -> [PSPReport.Row] {
        let type =
            switch line.kind {
            case .payment: "CHARGE"
            case .refund: "REFUND"
            case .chargeback, .chargebackReversal: "DISPUTE"
            case .commission: line.amount < 0 ? "APP_FEE_REFUND" : "APP_FEE_REVENUE"
            }
        var row = [
            "id": "poe_\(number)", "payout_id": line.kind == .commission ? line.psp.payout : "PO_SELLER", "type": type,
            "effective_at": line.at.spaced.replacing(" ", with: "T") + "Z", "gross": line.amount.dollars,
            "fee": line.fee.dollars, "net": line.net.dollars, "payment_id": line.payment,
            "location_id": line.merchantAccount,
        ]
        if line.kind == .refund { row["refund_id"] = line.object }
        if type == "DISPUTE" { row["dispute_id"] = line.object }
        return [row]
    }

    static func payout(_ amount: Int64) -> PSPReport.Row {
        [
            "id": "poe_payout", "payout_id": SettledPSP.square.payout, "type": "PAYOUT",
            "effective_at": SettledBooks.lastDay + "T00:00:00Z", "gross": (-amount).dollars, "fee": "0.00",
            "net": (-amount).dollars,
        ]
    }

    /// Two pages, of which the first leads to the second.
    static func text(of rows: [PSPReport.Row]) -> String {
        let entries = rows.map(entry)
        let half = entries.count / 2
        let first: JSON = ["payout_entries": .array(Array(entries[..<half])), "cursor": "next"]
        let second: JSON = ["payout_entries": .array(Array(entries[half...]))]
        return first.text + "\n" + second.text + "\n"
    }

    private static func entry(_ row: PSPReport.Row) -> JSON {
        var members: [JSON.Member] = ["id", "payout_id", "type", "effective_at"].map { name in
            JSON.Member(name, .string(row[name] ?? ""))
        }
        for name in ["gross", "fee", "net"] {
            let cents = row[name].flatMap { Int64($0.replacing(".", with: "")) } ?? 0
            members.append(JSON.Member("\(name)_amount_money", ["amount": .integer(cents), "currency": "USD"]))
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
