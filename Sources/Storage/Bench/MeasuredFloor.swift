package import SQL

/// The floor that orders are measured against: the least that a durable order of three payments has to leave behind in a
/// relational database, whatever the product.
///
/// A key, an order, three payments, three steps, nine postings and three callbacks, in three transactions that each begin
/// with the order's row; steps of 600 and 1,200 bytes, callbacks of 900. It has the indexes without which nobody could find
/// what is due, an order's payments, or an account's postings.
package enum MeasuredFloor {
    /// Makes the tables anew.
    package static let schema: [SQL] = [
        "DROP SCHEMA IF EXISTS floor CASCADE",
        "CREATE SCHEMA floor",
        "CREATE TABLE floor.key (tenant text, key text, hash text, order_id text, PRIMARY KEY (tenant, key))",
        """
        CREATE TABLE floor.orders (id text PRIMARY KEY, tenant text, reference text, amount bigint, currency \
        text, status text, version int, terms text, UNIQUE (tenant, reference))
        """,
        """
        CREATE TABLE floor.payment (id text PRIMARY KEY, order_id text, merchant text, account text, amount \
        bigint, status text, psp_reference text, due_at bigint)
        """,
        "CREATE INDEX ON floor.payment (order_id)",
        "CREATE INDEX ON floor.payment (due_at) WHERE due_at IS NOT NULL",
        """
        CREATE TABLE floor.step (order_id text, version int, at bigint, document text, PRIMARY KEY (order_id, \
        version))
        """,
        """
        CREATE TABLE floor.posting (order_id text, version int, position int, debit text, credit text, currency \
        text, amount bigint, at bigint, PRIMARY KEY (order_id, version, position))
        """,
        "CREATE INDEX ON floor.posting (credit, at)",
        """
        CREATE TABLE floor.callback (id text PRIMARY KEY, order_id text, type text, body text, due_at bigint)
        """,
        "CREATE INDEX ON floor.callback (due_at) WHERE due_at IS NOT NULL",
    ]

    /// One order, as a script of pgbench.
    package static let script = """
        \\set o random(1, 4000000000000000000)
        \(merchants)
        \(transaction([key, order, payments, step(1, bytes: 600)]))
        \(later(version: 2, status: "capturing", due: moment, postings: held, callbacks: 1))
        \(later(version: 3, status: "captured", due: "NULL", postings: earned, callbacks: 2))
        """

    private static let numbers = 0..<3
    private static let moment = "1795387517319639"
    private static let merchants = numbers.map { "\\set m\($0) random(1, 3000)" }.joined(separator: "\n")
    private static let orderID = "'ord_' || :o::text"

    private static let key = "INSERT INTO floor.key VALUES ('t', 'key_' || :o::text, repeat('h', 64), \(orderID))"

    private static let order = """
        INSERT INTO floor.orders VALUES (\(orderID), 't', 'ref_' || :o::text, 6000, 'USD', 'processing', 1, \
        repeat('y', 300))
        """

    private static let payments =
        "INSERT INTO floor.payment VALUES "
        + numbers.map {
            "(\(payment($0)), \(orderID), 'mer_' || :m\($0)::text, 'psp-\($0)', \(1000 * ($0 + 1)), 'authorizing', NULL, \(moment))"
        }.joined(separator: ", ")

    private static func payment(_ number: Int) -> String { "'pay_' || :o::text || '_\(number)'" }

    private static func step(_ version: Int, bytes: Int) -> String {
        "INSERT INTO floor.step VALUES (\(orderID), \(version), \(moment), repeat('z', \(bytes)))"
    }

    private static func transaction(_ statements: [String]) -> String {
        "\\startpipeline\nBEGIN;\n" + statements.map { $0 + ";\n" }.joined() + "COMMIT;\n\\endpipeline\n"
    }

    /// A step that locks the order's row first.
    private static func later(
        version: Int,
        status: String,
        due: String,
        postings: [String],
        callbacks: Int
    ) -> String {
        let references = numbers.map { "(\(payment($0)), 'au_' || :o::text || '_\($0)')" }.joined(separator: ", ")
        let rows = postings.enumerated().map { "(\(orderID), \(version), \($0), \($1), \(moment))" }
        let told = (0..<callbacks).map {
            "('cb_' || :o::text || '_\(version)_\($0)', \(orderID), 'order.\(status)', repeat('b', 900), \(moment))"
        }
        let statements = [
            "UPDATE floor.orders SET status = '\(status)', version = \(version) WHERE id = \(orderID)",
            """
            UPDATE floor.payment p SET status = '\(status)', psp_reference = v.r, due_at = \(due) \
            FROM (VALUES \(references)) v(id, r) WHERE p.id = v.id
            """,
            step(version, bytes: 1200), "INSERT INTO floor.posting VALUES " + rows.joined(separator: ", "),
            "INSERT INTO floor.callback VALUES " + told.joined(separator: ", "),
        ]
        return """
            \\startpipeline
            BEGIN;
            SELECT version FROM floor.orders WHERE id = \(orderID) FOR UPDATE;
            \\endpipeline
            \\startpipeline
            \(statements.map { $0 + ";\n" }.joined())COMMIT;
            \\endpipeline

            """
    }

    private static let held = numbers.map {
        "'psp-\($0)/held', 'mer_' || :m\($0)::text || '/held', 'USD', \(1000 * ($0 + 1))"
    }

    private static let earned =
        numbers.map { "'psp-\($0)/clearing', 'mer_' || :m\($0)::text || '/payable', 'USD', \(900 * ($0 + 1))" }
        + numbers.map { "'psp-\($0)/clearing', 't/commission', 'USD', \(100 * ($0 + 1))" }
}
