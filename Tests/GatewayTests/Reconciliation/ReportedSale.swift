import Domain
import Foundation
import Reconciliation
import SQL
import Storage
import Testing
import TributaryTestKit

@testable import Gateway

/// A sale of 100.00, and what its PSP and the bank say of it in one file after the other.
struct ReportedSale {
    /// A line of the PSP's report.
    struct Line {
        var category: String
        var amount: Int64
        var entry: String
        var fee: Int64 = 0
        var object = ""

        /// Whether it names the payment.
        var isOfPayment: Bool { category != "fee" && category != "payout" }
    }

    static let account = "sim-a"

    let month: ReconciledMonth
    private let id: OrderID
    private let instance: GatewayInstance

    private var harness: GatewayHarness { month.harness }

    static func with(_ engine: DatabaseEngine, _ body: (ReportedSale) async throws -> Void) async throws {
        try await TemporaryFolder.with { folder in
            try await GatewayHarness.with(engine) { harness in
                let order = try await harness.run(TestCheckout([.init("airline", 10_000)])).order
                #expect(order.captured == 10_000)
                let month = ReconciledMonth(
                    harness: harness,
                    settled: try await SettledMonth(harness),
                    folder: folder
                )
                #expect(month.settled.accounts == [account])
                try await body(ReportedSale(month: month, id: order.id, instance: harness.instance("desk")))
            }
        }
    }

    /// The line of the sale.
    static func sale(fee: Int64 = 0) -> Line { Line(category: "charge", amount: 10_000, entry: "txn_sale", fee: fee) }

    /// The line of a payout, under its own name.
    static func payout(_ amount: Int64, _ name: String = "po_0001") -> Line {
        Line(category: "payout", amount: -amount, entry: "txn_\(name)", object: name)
    }

    func order() async throws -> Order { try await harness.order(id) }

    func nextDay() { harness.clock.advance(milliseconds: 86_400_000) }

    /// Gives a part back, and answers how the PSP calls that.
    func refund(_ amount: Int64) async throws -> String {
        let item = Refund.Item(payment: try await order().payments[0].id, amount: amount)
        let request = OrderRequest.refund(RefundRequest(.items([item])))
        _ = try await instance.gateway.request(request, of: .init(id, of: "travel"))
        let order = try await harness.order(id) { $0.refunded == amount }
        return try #require(order.payments[0].attempt.operations.last { $0.kind == .refund }?.reference)
    }

    /// Lets a refund fail of which the PSP had said that it was done.
    func fail(_ refund: String) async throws {
        let rejection = Rejection(.unsupported, code: "returned", message: "It came back.")
        try await harness.hear(.reversed(.refund, rejection), refund, try await order().payments[0], of: id)
        #expect(try await order().refunded == 0)
    }

    /// News of the dispute `dp_0001` over 20.00.
    func dispute(_ state: DisputeNotice.State) async throws {
        let news = DisputeNotice(state: state, amount: 2_000, reason: nil)
        try await harness.hear(.dispute(news), "dp_0001", try await order().payments[0], of: id)
    }

    /// Writes a report of this day, all of its lines in a batch or none in any.
    func report(_ lines: [Line], as name: String, batch: String = "") async throws -> String {
        let attempt = try await order().payments[0].attempt.id.text
        let at = SettledMonth.time(harness.clock.now())
        let rows = lines.map { line in
            let amounts = [line.amount, line.fee, line.amount - line.fee].map(SettledMonth.decimal)
            let names = [line.category, line.object, line.isOfPayment ? attempt : ""]
            return ([batch, line.entry, at, "usd"] + amounts + names).joined(separator: ",")
        }
        let columns = """
            automatic_payout_id,balance_transaction_id,created_utc,currency,gross,fee,net,reporting_category,source_id,\
            payment_metadata[attempt]
            """
        return try month.write(([columns] + rows).joined(separator: "\n") + "\n", as: "\(name).csv")
    }

    /// Takes a report of this day in, and answers what kinds of breaks it has.
    func take(_ lines: [Line], as name: String, batch: String = "") async throws -> [BreakType] {
        let path = try await report(lines, as: name, batch: batch)
        return try await month.reconcile([path], Self.account).found.map(\.type)
    }

    /// What is left: breaks that are open by their types, money at the PSP, broken rules of the ledger, and open lines.
    func leftovers() async throws -> [String] {
        let open = try await harness.database.read { session in
            try session.rows("SELECT line FROM open_line ORDER BY import_id, line").map { try $0.integer("line") }
        }
        return try await complaints() + open.map { "line \($0) is open" }
    }

    /// What stands in the way of a clean month, breaks by their types.
    func complaints() async throws -> [String] {
        let types = Set(BreakType.allCases.map(\.rawValue))
        return try await month.complaints().map { complaint in
            let type = String(complaint.prefix { $0 != ":" })
            return types.contains(type) ? type : complaint
        }
    }

    /// What an account of the ledger holds, debits less credits.
    func balance(of account: Account) async throws -> Int64 {
        try await harness.database.read { session in
            try LedgerBalances.all(of: "travel", in: session).filter { $0.account == account.path }
                .reduce(0) { $0 + $1.balance }
        }
    }
}
