package import SQL

/// A session that has PostgreSQL explain every statement as it runs it; for measurements.
///
/// What is queued is run by its explanation, once; what answers rows is run a second time for them.
package final class ExplainingSession: Session {
    private let base: any Session
    /// The plans so far, each in the server's words.
    package private(set) var plans: [String] = []

    /// Explains what runs on another session.
    package init(_ base: any Session) { self.base = base }

    package var dialect: Dialect { base.dialect }

    package func rows(_ statement: SQL) throws(SQLError) -> [Row] {
        try explain(statement)
        return try base.rows(statement)
    }

    package func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] {
        for statement in statements { try explain(statement) }
        return try base.rows(statements)
    }

    package func run(_ statement: SQL) throws(SQLError) { try explain(statement) }

    package func change(_ statement: SQL) throws(SQLError) -> Int { try base.change(statement) }

    private func explain(_ statement: SQL) throws(SQLError) {
        var lines: [String] = []
        for row in try base.rows("EXPLAIN (ANALYZE, BUFFERS) \(statement)") { lines.append(try row.text("QUERY PLAN")) }
        plans.append(lines.joined(separator: "\n"))
    }
}

/// What the plans of PostgreSQL say of large tables; for measurements.
package enum MeasuredPlans {
    /// The tables that the planner believes to have so many rows.
    ///
    /// - Throws: `SQLError`.
    package static func tables(withRows count: Int64, in session: any Session) throws(SQLError) -> Set<String> {
        let rows = try session.rows(
            """
            SELECT CAST(c.relname AS TEXT) AS name FROM pg_class AS c JOIN pg_namespace AS s ON s.oid = c.relnamespace
            WHERE c.relkind = 'r' AND s.nspname = current_schema() AND CAST(c.reltuples AS BIGINT) >= \(count)
            """
        )
        var names: Set<String> = []
        for row in rows { names.insert(try row.text("name")) }
        return names
    }

    /// The tables among `tables` that a plan reads from one end to the other, alone or with others in parallel.
    package static func sequentialScans(in plan: String, of tables: Set<String>) -> Set<String> {
        let mark = "Seq Scan on "
        let scanned = plan.split(separator: "\n").compactMap { line -> String? in
            guard let range = line.firstRange(of: mark) else { return nil }
            return line[range.upperBound...].split(separator: " ").first.map(String.init)
        }
        return tables.intersection(scanned)
    }
}
