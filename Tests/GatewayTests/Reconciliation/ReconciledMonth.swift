import Domain
import Foundation
import Reconciliation
import SQL
import StatementFiles
import Storage
import StripeAdapter
import Testing
import TributaryTestKit

/// What a random month's orders came to, and the means to reconcile it.
struct ReconciledMonth {
    /// Keeps the breaks that a run hands over.
    private struct Keeping: FindingOutput {
        var found: [Break] = []
        mutating func begin(asOf: CalendarDay?) {}
        mutating func take(_ matches: [Match]) {}
        mutating func take(_ breaks: [(id: BreakID, difference: Break)]) { found += breaks.map(\.difference) }
    }

    let harness: GatewayHarness
    let settled: SettledMonth
    let folder: TemporaryFolder

    static func with(_ engine: DatabaseEngine, _ body: (ReconciledMonth) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await GatewayHarness.with(engine) { harness in
                var marketplace = try await BusyMarketplace(harness, seed: 7)
                try await marketplace.live(orders: 12)
                let settled = try await SettledMonth(harness)
                try await body(ReconciledMonth(harness: harness, settled: settled, folder: folder))
            }
        }
    }

    func write(_ text: String, as name: String) throws -> String {
        let path = folder.path(name)
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    func reconcile(
        _ paths: [String],
        _ account: String? = nil,
        in database: (any Database)? = nil,
        _ change: (inout ReconciliationRequest) -> Void = { _ in }
    ) async throws -> (result: ReconciliationResult, found: [Break]) {
        var request = ReconciliationRequest(paths: paths, marketplace: "travel")
        request.psp = account
        change(&request)
        let run = ReconciliationRun(
            request,
            rules: .standard,
            formats: ReportFormats(settlementReports: StripeAdapter.settlementReports),
            psps: ["stripe-payout-reconciliation": "simulator"],
            database: database ?? harness.database
        )
        var output = Keeping()
        let result = try await run.run(into: &output) { _ in }
        return (result, output.found)
    }

    /// What stands in the way of a clean month: breaks, money left at PSPs, and broken rules.
    func complaints() async throws -> [String] {
        let accounts = Set(settled.accounts)
        return try await harness.database.read { session in
            var filter = BreakTable.Filter(marketplace: "travel")
            filter.states = [.open, .investigating]
            let breaks = try BreakTable.list(filter, after: nil, limit: 100, in: session)
            let balances = try PSPBalanceTable.balances(of: "travel", in: session)
            let audit = LedgerAudit(of: "travel")
            return breaks.map { "\($0.difference.type.rawValue): \($0.difference.explanation)" }
                + balances.filter { accounts.contains($0.pspAccount) && $0.clearing != 0 }
                .map { "\($0.pspAccount) still has \($0.clearing)" }
                + (try audit.findings(in: session)).map { "\($0)" }
        }
    }
}

extension ReconciledMonth {
    /// Lets a capture that a line confirmed turn out to be another one's, which took less by so much.
    ///
    /// - Returns: the other one, and what the line says.
    func replaceCapture(
        at account: String,
        less: Int64,
        daysLater: Int64 = 0
    ) async throws -> (capture: OperationID, amount: Int64) {
        var ids = IdentifierSource()
        let other: OperationID = ids.make(at: settled.end)
        let amount = try await harness.database.write { session in
            let row = try #require(
                try session.rows(
                    """
                    SELECT operation_id, amount FROM effect WHERE kind = 'capture' AND state = 'succeeded' AND amount > 1000
                        AND psp_account = \(account) AND operation_id IN (SELECT subject_id FROM line_match)
                    ORDER BY operation_id LIMIT 1
                    """
                ).first
            )
            let (old, amount) = (try row.text("operation_id"), try row.integer("amount"))
            try session.run(
                """
                INSERT INTO effect (operation_id, order_id, payment_id, attempt_id, marketplace, merchant, psp, psp_account,
                    merchant_account, settles_to, kind, state, currency, amount, commission, refund_id,
                    payment_reference, reference, is_voided, posted_at)
                SELECT \(other), order_id, payment_id, attempt_id, marketplace, merchant, psp, psp_account,
                    merchant_account, settles_to, kind, state, currency, \(amount - less), commission, refund_id,
                    payment_reference, reference, is_voided, posted_at + \(daysLater * 86_400_000_000)
                FROM effect WHERE operation_id = \(old)
                """
            )
            try session.run("UPDATE effect SET state = 'withdrawn', amount = 0 WHERE operation_id = \(old)")
            return amount
        }
        return (other, amount)
    }

    /// A refund, and the report of its account with a line more: of the commission that the PSP gave back with it.
    func reportReturning(_ commission: Int64) throws -> (refund: SettledMonth.Line, report: String) {
        let refund = try #require(settled.lines.first { $0.category == "refund" && -$0.amount > commission })
        let report = settled.report(refund.account)
        let number = settled.lines.filter { $0.account == refund.account }.firstIndex {
            $0.operation == refund.operation
        }
        let other = settled.report(refund.account) { _, fields in
            let amount = "-\(Double(commission) / 100)"
            (fields["gross"], fields["fee"], fields["net"]) = (amount, "0.00", amount)
            fields["reporting_category"] = "platform_earning_refund"
            fields["balance_transaction_id"] = "txn_commission"
            fields["refund_metadata[operation]"] = ""
        }
        let row = other.split(separator: "\n")[try #require(number) + 1]
        return (refund, report + row + "\n")
    }

    /// Lets a refund be known or not yet, with the commission that the PSP was told to give back.
    func setRefund(_ operation: OperationID?, isKnown: Bool, commission: Int64? = nil) async throws {
        try await harness.database.write { session in
            let changed = try session.change(
                """
                UPDATE effect SET state = \(isKnown ? "succeeded" : "pending"), commission = \(commission)
                WHERE operation_id = \(operation)
                """
            )
            #expect(changed == 1)
        }
    }

    /// By how much commissions differ, as breaks that are open say.
    func openSplits() async throws -> [Int64] {
        try await harness.database.read { session in
            var filter = BreakTable.Filter(marketplace: "travel")
            (filter.states, filter.types) = ([.open, .investigating], [.splitMismatch])
            return try BreakTable.list(filter, after: nil, limit: 100, in: session).map(\.difference.amount)
        }
    }

    /// How many imports there are, whatever became of them.
    func importCount() async throws -> Int {
        try await harness.database.read { session in try session.rows("SELECT id FROM import_file").count }
    }

    /// Everything of reconciliations that counts, a line each.
    func standing() async throws -> [String] {
        try await harness.database.read { session in
            let rows = try session.rows(
                """
                SELECT 'break ' || id || ' ' || state || ' ' || amount || ' ' || seen_in || ' ' || actions AS line
                    FROM recon_break
                UNION ALL SELECT 'line ' || m.import_id || ' ' || m.line || ' ' || COALESCE(m.subject_id, '')
                    FROM line_match AS m JOIN import_file AS f ON f.id = m.import_id WHERE f.state = 'done'
                UNION ALL SELECT 'bank ' || m.bank_line || ' ' || COALESCE(m.payout_import, m.payout_id)
                    FROM bank_match AS m JOIN import_file AS f ON f.id = m.bank_import WHERE f.state = 'done'
                ORDER BY line
                """
            )
            return try rows.map { try $0.text("line") }
        }
    }
}
