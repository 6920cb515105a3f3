import StrictJSON

/// The statement of an account that Worldpay holds, on which movements are transfers without a fee of their own.
enum WorldpayLayout: ReportLayout {
    static let fileExtension = "json"

    static func rows(of line: ReportLine, in batch: ReportBatch) -> [ReportRow] {
        [item("TRANSFER", line.net, line.currency, line.name, line.reference, at: Moment.text(line.at))]
    }

    static func payout(_ amount: Int64, _ currency: String, of batch: ReportBatch) -> ReportRow {
        item("PAYOUT", -amount, currency, batch.payout, batch.payout, at: batch.day + "T00:00:00")
    }

    private static func item(
        _ type: String,
        _ amount: Int64,
        _ currency: String,
        _ name: String,
        _ reference: String,
        at time: String
    ) -> ReportRow {
        [
            "statementItemId": name, "transactionReference": reference, "transferType": type,
            "amount": decimal(abs(amount), currency), "fundingType": amount < 0 ? "debit" : "credit",
            "timestamp": time + ".000Z", "currency": currency,
        ]
    }

    /// A page for each currency; one without items if there are none.
    static func text(of rows: [ReportRow]) -> String {
        let pages = Dictionary(grouping: rows) { $0["currency"] ?? "" }.sorted { $0.key < $1.key }
        guard !pages.isEmpty else { return page("USD", []) }
        return pages.map { page($0.key, $0.value) }.joined()
    }

    private static func page(_ currency: String, _ rows: [ReportRow]) -> String {
        let page: JSON = [
            "accountNumber": "0000000000000001", "currency": .string(currency),
            "accountStatementItems": .array(rows.map(entry)),
        ]
        return page.text + "\n"
    }

    private static func entry(_ row: ReportRow) -> JSON {
        let names = ["transactionReference", "transferType", "timestamp", "fundingType", "statementItemId"]
        let members = names.map { JSON.Member($0, .string(row[$0] ?? "")) }
        return .object(members + [JSON.Member("amount", .number(row["amount"] ?? "0")), JSON.Member("cleared", "yes")])
    }
}

/// What a statement tells of a payment: the caller's reference.
extension WorldpayLayout {
    static func payment(_ authorization: Authorization) -> String { authorization.command.reference }

    static func reference(of authorization: Authorization) -> String? { authorization.command.reference }

    static func merchantAccount(of authorization: Authorization) -> String? { nil }

    static func capture(_ operation: BookedOperation?, of authorization: Authorization) -> String {
        operation?.id ?? authorization.id
    }

    static func refund(_ operation: BookedOperation, of authorization: Authorization) -> String { operation.id }

    static func dispute(_ dispute: BookedDispute, of authorization: Authorization) -> String { dispute.id }

    static func reference(of operation: BookedOperation, of authorization: Authorization) -> String? {
        operation.reference
    }
}
