import Domain
import Foundation
import SQL
import Storage
import Testing
import TributaryTestKit

/// What PSPs and the bank would write about everything that orders came to, read from the orders alone.
struct SettledMonth {
    /// A line of a PSP account's report.
    struct Line {
        let account: String
        let isOurs: Bool
        let category: String
        let attempt: AttemptID
        let operation: OperationID?
        let object: String
        let payment: String
        let amount: Int64
        let at: Timestamp
    }

    private static let columns = [
        "automatic_payout_id", "automatic_payout_effective_at_utc", "balance_transaction_id", "created_utc", "currency",
        "gross", "fee", "net", "reporting_category", "source_id", "payment_intent_id", "payment_metadata[attempt]",
        "payment_metadata[operation]", "refund_metadata[operation]",
    ]
    private static let fee: Int64 = 30

    let lines: [Line]
    let payouts: [Payout]
    let end: Timestamp

    init(_ harness: GatewayHarness) async throws {
        let (orders, payouts) = try await harness.database.read { session in
            let found = try OrderSearch.list(OrderSearch.Filter(marketplace: "travel"), limit: 10_000, in: session)
            let paid = try PayoutTable.list(PayoutTable.Filter(marketplace: "travel"), limit: 10_000, in: session)
            return (found, paid.filter { $0.state == .paid })
        }
        // What a PSP pays merchants directly is in their reports, not in the marketplace's.
        lines = orders.flatMap { $0.payments.flatMap(Self.lines) }.filter(\.isOurs)
        self.payouts = payouts
        end = harness.clock.now()
    }

    /// The accounts that have lines.
    var accounts: [String] { Set(lines.map(\.account)).sorted() }

    /// What an account paid out.
    func paidOut(_ account: String) -> Int64 {
        lines.filter { $0.account == account }.reduce(0) { $0 + $1.amount - Self.fee($1) }
    }

    /// The report of an account: a batch and its payout; `change` gets at each row's fields by the columns' names.
    func report(_ account: String, _ change: (Int, inout [String: String]) -> Void = { _, _ in }) -> String {
        var rows = lines.filter { $0.account == account }.enumerated().map { row($0.element, $0.offset, account) }
        rows.append([
            "automatic_payout_id": "po_\(account)", "automatic_payout_effective_at_utc": Self.time(end),
            "balance_transaction_id": "txn_\(account)_payout", "created_utc": Self.time(end), "currency": "usd",
            "gross": Self.decimal(-paidOut(account)), "fee": "0.00", "net": Self.decimal(-paidOut(account)),
            "reporting_category": "payout", "source_id": "po_\(account)",
        ])
        let texts = rows.enumerated().map { number, row in
            var fields = row
            change(number, &fields)
            return Self.columns.map { fields[$0] ?? "" }.joined(separator: ",")
        }
        return ([Self.columns.joined(separator: ",")] + texts).joined(separator: "\n") + "\n"
    }

    /// The bank's statement: what the accounts paid out, and what merchants were paid.
    var statement: String {
        let day = Self.day(end)
        let entries =
            accounts.map { (paidOut($0), "NTRFpo_\($0)", day) }
            + payouts.map { (-$0.amount.minorUnits, "NTRF" + $0.reference, Self.day($0.paidAt)) }
        var text = ":20:MONTH\n:25:DE0012345678\n:28C:1/1\n:60F:C\(day)USD0,00\n"
        for (amount, reference, booked) in entries {
            let mark = amount < 0 ? "D" : "C"
            text +=
                ":61:\(booked)\(mark)\(Self.decimal(abs(amount)).replacing(".", with: ","))\(reference.prefix(19))\n"
        }
        let balance = entries.reduce(0) { $0 + $1.0 }
        let mark = balance < 0 ? "D" : "C"
        return text + ":62F:\(mark)\(day)USD\(Self.decimal(abs(balance)).replacing(".", with: ","))\n-\n"
    }

    /// The next day's statement of the same account, without entries.
    var emptyStatement: String {
        let day = Self.day(end.adding(milliseconds: 20 * 86_400_000))
        return ":20:NEXT\n:25:DE0012345678\n:28C:2/1\n:60F:C\(day)USD0,00\n:62F:C\(day)USD0,00\n-\n"
    }

    private func row(_ line: Line, _ number: Int, _ account: String) -> [String: String] {
        let isRefund = line.category == "refund"
        return [
            "automatic_payout_id": "po_\(account)", "automatic_payout_effective_at_utc": Self.time(end),
            "balance_transaction_id": "txn_\(account)_\(number)", "created_utc": Self.time(line.at), "currency": "usd",
            "gross": Self.decimal(line.amount), "fee": Self.decimal(Self.fee(line)),
            "net": Self.decimal(line.amount - Self.fee(line)), "reporting_category": line.category,
            "source_id": line.object, "payment_intent_id": line.payment,
            "payment_metadata[attempt]": line.attempt.text,
            "refund_metadata[operation]": isRefund ? line.operation?.text ?? "" : "",
        ]
    }

    private static func lines(of payment: Payment) -> [Line] {
        payment.attempts.flatMap { attempt in
            func line(
                _ category: String,
                _ amount: Int64,
                _ object: String?,
                _ at: Timestamp,
                _ operation: OperationID? = nil
            ) -> Line {
                Line(
                    account: attempt.route.pspAccount,
                    isOurs: attempt.route.settlesTo == .marketplace,
                    category: category,
                    attempt: attempt.id,
                    operation: operation,
                    object: object ?? "",
                    payment: attempt.pspReference ?? "",
                    amount: amount,
                    at: at
                )
            }
            let done = attempt.operations.filter { $0.state == .succeeded && $0.doneAmount > 0 }
            let sold = done.filter { $0.kind == .capture }
                .map { line("charge", $0.doneAmount, $0.reference, $0.createdAt, $0.id) }
            let returned = done.filter(\.givesBack)
                .map { line("refund", -$0.doneAmount, $0.reference, $0.createdAt, $0.id) }
            let disputed = payment.disputes.filter { $0.attempt == attempt.id }
                .flatMap { dispute in
                    let taken = line("dispute", -dispute.amount, dispute.reference, dispute.heardAt)
                    guard dispute.state == .won else { return [taken] }
                    return [taken, line("dispute_reversal", dispute.amount, dispute.reference, dispute.heardAt)]
                }
            return sold + returned + disputed
        }
    }

    private static func fee(_ line: Line) -> Int64 { line.category == "charge" ? fee : 0 }

    static func decimal(_ amount: Int64) -> String {
        let text = "\(amount.magnitude / 100).\(String(100 + amount.magnitude % 100).suffix(2))"
        return amount < 0 ? "-" + text : text
    }

    static func time(_ at: Timestamp) -> String {
        String(at.description.prefix(19)).replacing("T", with: " ")
    }

    private static func day(_ at: Timestamp) -> String {
        String(at.description.prefix(10)).replacing("-", with: "").suffix(6).description
    }
}
