import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The audit of the books", .timeLimit(.minutes(3)))
struct LedgerAuditTests {
    /// A wrong that is done to the books, and the rules that find it.
    struct Wrong: Sendable {
        let name: String
        let statement: SQL
        let rules: Set<LedgerFinding.Rule>
    }

    static let wrongs = [
        Wrong(
            name: "an authorization without postings",
            statement: """
                DELETE FROM posting WHERE entry_id IN (SELECT MIN(id) FROM journal_entry WHERE kind = 'authorization')
                """,
            rules: [.entryHasPostings]
        ),
        Wrong(
            name: "a posting in another currency",
            statement: "UPDATE posting SET currency = 'EUR' WHERE entry_id IN (SELECT MIN(id) FROM journal_entry)",
            rules: [.postingFitsEntry]
        ),
        Wrong(
            name: "an entry of another merchant's",
            statement: """
                UPDATE journal_entry SET merchant = (SELECT MAX(id) FROM merchant)
                WHERE id IN (SELECT MIN(j.id) FROM journal_entry AS j WHERE j.kind = 'authorization'
                    AND j.merchant <> (SELECT MAX(id) FROM merchant))
                """,
            rules: [.entryFitsPayment]
        ),
        Wrong(
            name: "a payment of another amount",
            statement: "UPDATE payment SET amount = amount + 1 WHERE id IN (SELECT MIN(id) FROM payment)",
            rules: [.orderIsItsPayments]
        ),
        Wrong(
            name: "an authorization that is not in the journal",
            statement: "UPDATE journal_entry SET kind = 'correction' WHERE kind = 'authorization'",
            rules: [.effectIsPosted]
        ),
        Wrong(
            name: "a payout of another amount",
            statement: "UPDATE payout SET amount = amount + 1 WHERE reference = 'SEPA-1'",
            rules: [.payoutIsPosted]
        ),
        Wrong(
            name: "commission that nobody agreed on",
            statement: """
                UPDATE posting SET amount = amount + 1 WHERE entry_id IN (SELECT MIN(entry_id) FROM posting
                    WHERE credit = 'marketplace/commission') AND credit = 'marketplace/commission'
                """,
            rules: [.commissionIsFrozen]
        ),
    ]

    private static func rules(_ database: any Database) async throws -> Set<LedgerFinding.Rule> {
        try await database.read { session in
            var findings = try LedgerAudit.findings(of: "travel", in: session)
            var last: OrderID?
            repeat {
                let page = try LedgerAudit.findings(of: "travel", ordersAfter: last, count: 3, in: session)
                findings += page.findings
                last = page.last
            } while last != nil
            return Set(findings.map(\.rule))
        }
    }

    /// Breaks off a transaction, so that each wrong is done to the same books.
    private struct Undone: Error {
        let rules: Set<LedgerFinding.Rule>
    }

    @Test("finds nothing in books that are right, and each wrong by its rule", arguments: DatabaseEngine.allCases)
    func audit(_ engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            var marketplace = try await BusyMarketplace(harness, seed: 1)
            try await marketplace.live(orders: 6)
            #expect(try await Self.rules(harness.database) == [])
            for wrong in Self.wrongs {
                do {
                    try await harness.database.write { session in
                        try session.run(wrong.statement)
                        var findings = try LedgerAudit.findings(of: "travel", in: session)
                        findings += try LedgerAudit.findings(
                            of: "travel",
                            ordersAfter: nil,
                            count: 100,
                            in: session
                        ).findings
                        throw Undone(rules: Set(findings.map(\.rule)))
                    }
                } catch let undone as Undone {
                    #expect(undone.rules == wrong.rules, "\(wrong.name)")
                }
            }
            #expect(try await Self.rules(harness.database) == [])
        }
    }
}
