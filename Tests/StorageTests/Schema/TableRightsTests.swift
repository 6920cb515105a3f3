import Foundation
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("What the role that serves may do", .timeLimit(.minutes(10)))
struct TableRightsTests {
    @Test("is said of every table and view of the schema, and of nothing else")
    func tables() async throws {
        try await withDatabase(.postgres, prepare: .migrated) { database in
            let names = try await database.read { session in
                try session.rows(
                    """
                    SELECT CAST(relname AS TEXT) AS name FROM pg_class
                    WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
                        AND relkind IN ('r', 'p', 'v', 'm', 'S', 'f') AND NOT relispartition ORDER BY relname COLLATE "C"
                    """
                ).map { try $0.text("name") }
            }
            #expect(names == TableRights.all.map(\.table))
        }
    }

    @Test("keeps what is append-only from it, by what triggers are there")
    func appendOnly() async throws {
        try await withDatabase(.postgres, prepare: .migrated) { database in
            let guarded = try await database.read { session in
                try session.rows(
                    """
                    SELECT DISTINCT CAST(c.relname AS TEXT) AS name FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid
                    WHERE t.tgname = CAST(c.relname || '_not_changed' AS NAME) AND c.relname <> 'api_key'
                        AND NOT c.relispartition
                    """
                ).map { try $0.text("name") }
            }
            #expect(Set(guarded) == ["journal_entry", "order_step", "break_action", "invoice", "audit_entry"])
            for entry in TableRights.all where guarded.contains(entry.table) {
                // An entry of the audit trail is numbered behind the act, once.
                let numbering: Set<TableRights.Right> = entry.table == "audit_entry" ? [.update] : []
                #expect(entry.rights == numbering.union([.select, .insert]), "\(entry.table)")
            }
            #expect(TableRights.all.filter { $0.rights.contains(.truncate) }.map(\.table) == ["credential_key"])
        }
    }

    /// The words before a table's name in a statement, and the right that they need.
    private static let words: [(words: String, right: TableRights.Right)] = [
        ("INSERT INTO", .insert), ("UPDATE", .update), ("DELETE FROM", .delete), ("TRUNCATE", .truncate),
    ]

    /// Each right that a statement in the sources of storage needs, as `INSERT on orders`.
    private static func needed() throws -> Set<String> {
        let root = (0..<4).reduce(URL(filePath: #filePath)) { url, _ in url.deletingLastPathComponent() }
        let folder = root.appending(path: "Sources/Storage")
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap {
            $0 as? URL
        }
        let tables = Set(TableRights.all.map(\.table))
        var needed: Set<String> = []
        for file in files ?? [] where file.pathExtension == "swift" && !file.path().contains("/Schema/") {
            // What measures fills and empties tables as their owner.
            guard !file.lastPathComponent.hasPrefix("Measured") else { continue }
            let text = try String(contentsOf: file, encoding: .utf8)
            for (words, right) in words {
                for part in text.components(separatedBy: words + " ").dropFirst() {
                    let name = String(part.prefix { $0.isLowercase || $0 == "_" })
                    if tables.contains(name) { needed.insert("\(right.rawValue) on \(name)") }
                }
            }
        }
        return needed
    }

    /// What statements need that name their table otherwise: those that forget, lock rows, or add and change in one.
    private static let others: Set<String> = [
        "DELETE on callback", "DELETE on idempotency_key", "DELETE on payment_request",
        "DELETE on psp_webhook", "UPDATE on credential_key", "UPDATE on credential_refusal", "UPDATE on effect",
        "UPDATE on bank_match", "UPDATE on batch_match", "UPDATE on invoice_series", "UPDATE on line_match",
        "UPDATE on ledger_balance", "UPDATE on marketplace", "UPDATE on merchant",
        "UPDATE on order_waiter", "UPDATE on psp_account",
        "DELETE on merchant_token_notice", "DELETE on wallet_order", "UPDATE on wallet_problem",
        "UPDATE on wallet_details", "UPDATE on fulfillment",
    ]

    @Test("is what the statements need, neither less nor more")
    func statements() throws {
        let granted = TableRights.all.flatMap { entry in
            entry.rights.filter { $0 != .select }.map { "\($0.rawValue) on \(entry.table)" }
        }
        let needed = try Self.needed().union(Self.others)
        #expect(Set(granted).subtracting(needed) == [])
        #expect(needed.subtracting(granted) == [])
    }

    @Test("is printed for a role and a schema whose names are quoted")
    func grants() {
        let grants = RoleRights.grants(to: "the \"gate\"", in: "Books")
        #expect(grants.first == "BEGIN;" && grants.last == "COMMIT;")
        #expect(grants.contains("GRANT USAGE ON SCHEMA \"Books\" TO \"the \"\"gate\"\"\";"))
        #expect(grants.contains("GRANT SELECT, INSERT ON \"Books\".\"journal_entry\" TO \"the \"\"gate\"\"\";"))
        #expect(!grants.contains { $0.contains("TRIGGER") || $0.contains("OWNER") || $0.contains("ALL TABLES") })
    }
}
