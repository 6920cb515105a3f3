package import Domain

/// A report and the books in two tables of a SQLite file, compared by joins: the plain way to do what the engine of
/// reconciliation does, and what it is measured against.
///
/// It knows of a report's rules no more than it takes to find the same breaks: lines and expectations are joined by our
/// operation alone, in whole minor units. The file is thrown away, so nothing waits for the disk, and rows are inserted
/// by prepared statements in one transaction.
package final class PlainJoin {
    private let file: SQLiteFile

    /// Makes an empty file with both tables.
    ///
    /// - Throws: ``PlainJoinProblem`` if it cannot be made.
    package init(path: String) throws(PlainJoinProblem) {
        file = try SQLiteFile(path: path)
        try file.execute(Self.settings + Self.tables)
    }

    /// Takes in both sides, in one transaction.
    ///
    /// - Throws: ``PlainJoinProblem``, and what the body throws; nothing more can be taken in then.
    package func load(_ body: (PlainJoinTables) throws -> Void) throws {
        try file.execute("BEGIN")
        try body(PlainJoinTables(file))
        try file.execute("COMMIT")
    }

    /// The breaks: the word of each type, and the row or the operation that it is about.
    ///
    /// - Throws: ``PlainJoinProblem``.
    package func breaks() throws(PlainJoinProblem) -> [String] {
        var breaks: [String] = []
        for query in Self.queries { breaks += try file.texts(query) }
        return breaks
    }

    private static let settings = """
        PRAGMA journal_mode = OFF;
        PRAGMA synchronous = OFF;
        PRAGMA locking_mode = EXCLUSIVE;
        PRAGMA cache_size = -65536;

        """

    private static let tables = """
        CREATE TABLE line (
            number INTEGER PRIMARY KEY, kind INTEGER, operation TEXT, entry TEXT, batch TEXT, account TEXT,
            currency INTEGER, amount INTEGER, gross INTEGER, fee INTEGER, net INTEGER
        ) STRICT;
        CREATE TABLE expectation (
            operation TEXT PRIMARY KEY, account TEXT, currency INTEGER, amount INTEGER
        ) STRICT, WITHOUT ROWID;
        """

    /// One query for each way in which the sides can differ.
    private static let queries: [String] = [
        """
        SELECT CASE
                WHEN e.operation IS NULL AND l.kind = \(PlainJoinTables.payment) THEN 'missing_in_ours '
                WHEN e.operation IS NULL THEN 'refund_without_origin '
                WHEN e.currency <> l.currency THEN 'currency_mismatch '
                WHEN e.amount <> l.amount THEN 'amount_mismatch '
                ELSE 'wrong_merchant_account ' END || l.number
        FROM line l LEFT JOIN expectation e ON e.operation = l.operation
        WHERE l.kind <= \(PlainJoinTables.refund) AND (e.operation IS NULL OR e.currency <> l.currency
            OR e.amount <> l.amount OR e.account <> l.account)
        """,
        """
        SELECT 'missing_at_psp ' || operation FROM (SELECT operation FROM expectation
            EXCEPT SELECT operation FROM line)
        """,
        "SELECT 'fee_mismatch ' || number FROM line WHERE kind <= \(PlainJoinTables.refund) AND gross - fee <> net",
        "SELECT 'duplicate_line ' || max(number) FROM line GROUP BY entry HAVING count(*) > 1",
        """
        SELECT 'batch_sum_mismatch ' || max(CASE kind WHEN \(PlainJoinTables.payout) THEN number END)
        FROM line GROUP BY batch HAVING sum(net) <> 0
        """,
    ]
}

/// The two tables of a ``PlainJoin`` while they are filled.
package struct PlainJoinTables {
    /// What a line is about, as the table has it.
    static let (payment, refund, other, payout) = (Int64(0), Int64(1), Int64(2), Int64(3))

    private let line: SQLiteStatement
    private let expectation: SQLiteStatement

    init(_ file: SQLiteFile) throws(PlainJoinProblem) {
        line = try file.prepare("INSERT INTO line VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        expectation = try file.prepare("INSERT INTO expectation VALUES (?, ?, ?, ?)")
    }

    /// Takes a line of a report.
    ///
    /// - Throws: ``PlainJoinProblem``.
    package func add(_ line: SettlementLine) throws(PlainJoinProblem) {
        let amount = line.presentment ?? line.gross ?? line.net
        self.line.bind(Int64(line.row))
        self.line.bind(Self.number(line.kind))
        self.line.bind(line.operation?.text)
        self.line.bind(line.entryReference)
        self.line.bind(line.batch)
        self.line.bind(line.account)
        self.line.bind(amount.map { Int64($0.currency.numericCode) })
        self.line.bind(amount?.minorUnits)
        self.line.bind(line.gross?.minorUnits)
        self.line.bind(line.fee?.minorUnits)
        self.line.bind(line.net?.minorUnits)
        try self.line.run()
    }

    /// Takes an expectation; those of disputes have no operation, and are none of its business.
    ///
    /// - Throws: ``PlainJoinProblem``.
    package func add(_ expectation: Expectation) throws(PlainJoinProblem) {
        guard case .operation(let operation) = expectation.subject else { return }
        self.expectation.bind(operation.text)
        self.expectation.bind(expectation.merchantAccount)
        self.expectation.bind(Int64(expectation.currency.numericCode))
        self.expectation.bind(expectation.amount)
        try self.expectation.run()
    }

    private static func number(_ kind: SettlementKind) -> Int64 {
        switch kind {
        case .payment: payment
        case .refund: refund
        case .payout: payout
        default: other
        }
    }
}

/// SQLite refused something.
package struct PlainJoinProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's result code.
    package let code: Int32

    /// A sentence for the operator.
    package var description: String { "SQLite refused with the result code \(code)." }
}
