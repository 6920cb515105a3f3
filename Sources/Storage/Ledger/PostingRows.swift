import SQL

/// The postings of journal entries, one a row: of each its `position` in the entry, `debit`, `credit` and `amount`.
///
/// An entry's postings are a document in its row, so that PostgreSQL takes them from there, and no index has to lead to the
/// entry a second time. SQLite knows no subquery that looks aside, and finds them by the entry's identifier.
enum PostingRows {
    /// Joins the postings `posting` of entries `entry`; more conditions may follow with `AND`.
    static func join(as posting: String = "p", of entry: String = "e", _ dialect: Dialect) -> SQL {
        "JOIN \(of(entry, posting, dialect)) ON \(condition(entry, posting, dialect))"
    }

    /// The same, and a row without a posting for an entry that has none; none either where there is no entry.
    static func leftJoin(as posting: String = "p", of entry: String = "e", _ dialect: Dialect) -> SQL {
        "LEFT \(join(as: posting, of: entry, dialect))"
    }

    /// Whether an entry has a posting of which something is so.
    static func exists(
        as posting: String = "p",
        of entry: String = "e",
        where isSo: SQL,
        _ dialect: Dialect
    ) -> SQL {
        """
        EXISTS (SELECT 1 FROM \(of(entry, posting, dialect)) WHERE \(condition(entry, posting, dialect)) AND \(isSo))
        """
    }

    private static func of(_ entry: String, _ posting: String, _ dialect: Dialect) -> SQL {
        dialect == .postgres
            ? "LATERAL posting_rows(\(unsafeText: entry).postings) AS \(unsafeText: posting)"
            : "posting AS \(unsafeText: posting)"
    }

    private static func condition(_ entry: String, _ posting: String, _ dialect: Dialect) -> SQL {
        dialect == .postgres
            ? "TRUE" : "\(unsafeText: posting).entry_id = \(unsafeText: entry).id"
    }
}
