package import SQL

/// What the role that serves may do with a table or a view; everything else is the owner's.
package struct TableRights: Hashable, Sendable {
    /// A right of PostgreSQL's.
    package enum Right: String, CaseIterable, Hashable, Sendable {
        /// Read rows.
        case select = "SELECT"
        /// Add rows.
        case insert = "INSERT"
        /// Change rows, or lock them.
        case update = "UPDATE"
        /// Delete rows.
        case delete = "DELETE"
        /// Empty it at once.
        case truncate = "TRUNCATE"
    }

    /// The table or view.
    package let table: String
    /// What is needed of it.
    package let rights: Set<Right>

    private init(_ table: String, _ rights: Set<Right>) { (self.table, self.rights) = (table, rights) }

    /// Rows that are only ever added; triggers refuse the rest to their owner, too.
    private static let kept = ["break_action", "invoice", "journal_entry", "order_step"]
    /// Rows that are only ever added, and numbered once; a trigger refuses every other change.
    private static let numbered = ["audit_entry"]
    /// Rows that nothing here changes or deletes.
    private static let added = ["agreement_event", "keyring_check", "psp_name", "refund", "wallet_token"]
    /// Rows that are added and changed.
    private static let changed = [
        "agreement", "api_key", "callback_endpoint", "dispute", "effect", "hashing_key", "import_file",
        "invoice_series",
        "ledger_audit", "ledger_balance", "ledger_close", "marketplace", "merchant", "merchant_hash", "orders",
        "payment", "payout", "payout_series", "psp_account", "recon_break", "reconciliation_turn", "retention_turn",
        "fulfillment", "wallet_details",
    ]
    /// Rows that come and go.
    private static let replaced = [
        "attention", "bank_entry", "ledger_audit_finding", "open_line", "route", "settlement_line",
        "wallet_push", "wallet_registration",
    ]
    /// Rows that are added, changed, and forgotten when they have served.
    private static let passing = [
        "agreement_method", "bank_match", "batch_match", "callback", "credential", "credential_refusal",
        "idempotency_key", "instance",
        "line_match", "merchant_token", "merchant_token_notice", "operation_failure", "order_waiter", "payment_request",
        "psp_webhook", "wallet_device",
        "wallet_order", "wallet_problem", "work",
    ]

    /// Every table and view of the schema, by names.
    package static let all: [TableRights] = {
        let rows: Set<Right> = [.select, .insert]
        return
            (kept.map { TableRights($0, rows) } + added.map { TableRights($0, rows) }
            + numbered.map { TableRights($0, rows.union([.update])) }
            + changed.map { TableRights($0, rows.union([.update])) }
            + replaced.map { TableRights($0, rows.union([.delete])) }
            + passing.map { TableRights($0, rows.union([.update, .delete])) } + [
                TableRights("ledger_period", rows), TableRights("posting", [.select]),
                TableRights("schema_migration", [.select]),
                // Emptied into a new file, so that destroyed keys stand in none; nothing else is ever emptied.
                TableRights("credential_key", rows.union([.update, .delete, .truncate])),
            ]).sorted { $0.table < $1.table }
    }()

    /// The functions that statements call; those of triggers need no right.
    package static let functions = [
        "add_order_step_month(TIMESTAMP)", "order_step_month(BIGINT, BIGINT)", "order_step_partition(TIMESTAMP)",
        "posting_rows(TEXT)",
    ]
}

/// The rights of the role that serves, on PostgreSQL.
package enum RoleRights {
    /// What is wrong with a role.
    package struct Findings: Hashable, Sendable {
        /// The role.
        package let role: String
        /// Whether no right is refused to it.
        package let isSuperuser: Bool
        /// The tables that it owns, or whose owner it may become: it can switch their triggers off.
        package let owned: [String]
        /// What it lacks, each as `SELECT on orders` or `EXECUTE on posting_rows(TEXT)`.
        package let missing: [String]
    }

    /// The statements that give a role what it needs to serve, and take from it what an earlier version needed; to be run
    /// by the owner of the tables.
    ///
    /// - Parameters:
    ///   - role: the role's name.
    ///   - schema: the schema that the tables stand in.
    /// - Returns: the statements, in their order.
    package static func grants(to role: String, in schema: String) -> [String] {
        let (role, schema) = (quoted(role), quoted(schema))
        let tables = TableRights.all.flatMap { entry in
            let rights = TableRights.Right.allCases.filter(entry.rights.contains).map(\.rawValue)
            let table = "\(schema).\(quoted(entry.table))"
            return [
                "REVOKE ALL ON \(table) FROM \(role);",
                "GRANT \(rights.joined(separator: ", ")) ON \(table) TO \(role);",
            ]
        }
        let functions = TableRights.functions.map { "GRANT EXECUTE ON FUNCTION \(schema).\($0) TO \(role);" }
        return [
            "BEGIN;", "REVOKE CREATE ON SCHEMA \(schema) FROM PUBLIC;",
            "REVOKE CREATE ON SCHEMA \(schema) FROM \(role);", "GRANT USAGE ON SCHEMA \(schema) TO \(role);",
        ] + tables + functions + ["COMMIT;"]
    }

    /// What is wrong with the role that this session has; nil on SQLite.
    ///
    /// - Throws: `SQLError`.
    package static func findings(in session: any Session) throws(SQLError) -> Findings? {
        guard session.dialect == .postgres else { return nil }
        let (roles, owned) = try session.rows(
            """
            SELECT CAST(current_user AS TEXT) AS role, CAST(rolsuper AS INT) AS is_superuser
            FROM pg_roles WHERE rolname = current_user
            """,
            """
            SELECT CAST(relname AS TEXT) AS name FROM pg_class
            WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
                AND relkind IN ('r', 'p') AND pg_has_role(relowner, 'MEMBER')
            ORDER BY relname
            """
        )
        guard let role = roles.first else { throw .unexpectedValue(column: "role") }
        let needed = TableRights.all.flatMap { entry in
            TableRights.Right.allCases.filter(entry.rights.contains).map { (right: $0.rawValue, table: entry.table) }
        }
        let answers = try session.rows(
            needed.map { right, table -> SQL in
                """
                SELECT CAST(COALESCE(has_table_privilege(to_regclass(CAST(\(table) AS TEXT)), CAST(\(right) AS TEXT)),
                    FALSE) AS INT) AS may
                """
            }
        )
        let functions = try session.rows(
            TableRights.functions.map { function -> SQL in
                """
                SELECT CAST(COALESCE(has_function_privilege(to_regprocedure(CAST(\(function) AS TEXT)), 'EXECUTE'), FALSE)
                    AS INT) AS may
                """
            }
        )
        let names = needed.map { "\($0.right) on \($0.table)" } + TableRights.functions.map { "EXECUTE on \($0)" }
        var missing: [String] = []
        for (name, answer) in zip(names, answers + functions) where try answer.first?.integer("may") != 1 {
            missing.append(name)
        }
        return Findings(
            role: try role.text("role"),
            isSuperuser: try role.integer("is_superuser") == 1,
            owned: try owned.map { row throws(SQLError) in try row.text("name") },
            missing: missing
        )
    }

    /// The schema that the tables stand in.
    ///
    /// - Throws: `SQLError`.
    package static func schema(in session: any Session) throws(SQLError) -> String {
        let rows = try session.rows(
            """
            SELECT CAST(nspname AS TEXT) AS name FROM pg_namespace
            WHERE oid = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('schema_migration'))
            """
        )
        guard let row = rows.first else { throw .unexpectedValue(column: "name") }
        return try row.text("name")
    }

    private static func quoted(_ name: String) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
