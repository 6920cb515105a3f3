package import Domain
import SQL

/// A search through rows in their order that looks at a bounded number of them.
///
/// What an index serves narrows the rows that are looked at; everything else is a condition on those. So a filter that
/// hardly anything passes costs no more than any other: the page is short then, and says where to go on.
struct BoundedScan {
    /// How many rows are looked at with one statement, and how many such statements a page takes at most.
    private static let (window, windows) = (5_000, 10)
    /// How many rows the first statement looks at, at least: most pages are full by then.
    private static let firstWindow = 200

    /// The rows, a query that ends in its conditions.
    let source: SQL
    /// What is answered of a row that passes, by the names that the source gives.
    let columns: SQL
    /// What a row of the source, called `looked`, has to fulfil.
    let condition: SQL
    /// The order, by the names that the source gives.
    let order: SQL
    /// What is behind a row, in the words of the source.
    let place: (Row) throws(SQLError) -> SQL

    /// The next rows that pass.
    ///
    /// - Parameters:
    ///   - limit: how many at most.
    ///   - start: what is behind the page before, in the words of the source; nil for the first page.
    ///   - session: the transaction.
    /// - Returns: the rows, and the row behind which to go on; nil if there is nothing behind.
    /// - Throws: `SQLError`.
    func page(
        limit: Int,
        from start: SQL?,
        in session: any Session
    ) throws(SQLError) -> (rows: [Row], last: Row?) {
        var found: [Row] = []
        var (start, last) = (start, Row?.none)
        for number in 0..<Self.windows {
            let size = number == 0 ? max(limit + 1, Self.firstWindow) : Self.window
            let behind: SQL = "\(source) AND \(start ?? "1 = 1") ORDER BY \(order)"
            found += try session.rows(
                """
                SELECT \(columns) FROM (\(behind) LIMIT \(unsafeText: String(size))) AS looked WHERE \(condition)
                ORDER BY \(order) LIMIT \(limit + 1 - found.count)
                """
            )
            if found.count > limit { return (Array(found.prefix(limit)), found[limit - 1]) }
            let end = try session.rows(
                "SELECT \(columns) FROM (\(behind) LIMIT 1 OFFSET \(unsafeText: String(size - 1))) AS looked"
            )
            guard let row = end.first else { return (found, nil) }
            (start, last) = (try place(row), row)
        }
        return (found, last)
    }
}

/// When what is listed came about: from a moment on, up to a moment, both included.
package struct CreationRange: Hashable, Sendable {
    /// How far the time in an identifier may be from the moment that is stored beside it.
    private static let slackMilliseconds: Int64 = 60_000

    /// The first moment; nil for any.
    package var from: Timestamp?
    /// The last moment; nil for any.
    package var to: Timestamp?

    /// All of time.
    package init() {}

    /// Whether a moment is in the range.
    package func contains(_ moment: Timestamp) -> Bool {
        (from.map { moment >= $0 } ?? true) && (to.map { moment <= $0 } ?? true)
    }

    /// The conditions on a column with the moment.
    func conditions(on column: SQL) -> [SQL] {
        [from.map { "\(column) >= \($0)" }, to.map { "\(column) <= \($0)" }].compactMap(\.self)
    }

    /// Conditions on a column with identifiers that let all of the time through and little else, for an index.
    func bounds<Tag>(on column: SQL, _ kind: Identifier<Tag>.Type) -> [SQL] {
        [
            from.map { "\(column) >= \(kind.first(at: $0.adding(milliseconds: -Self.slackMilliseconds)))" },
            to.map { "\(column) < \(kind.first(at: $0.adding(milliseconds: Self.slackMilliseconds)))" },
        ].compactMap(\.self)
    }
}

extension Identifier {
    /// What no identifier made at a moment or later comes before.
    fileprivate static func first(at time: Timestamp) -> Identifier {
        Identifier(bits: UInt128(max(0, time.microseconds / 1000)) << 80)
    }
}

extension SQL {
    /// All of these conditions; of none, what is always so.
    static func all(_ conditions: [SQL]) -> SQL { conditions.reduce("1 = 1") { "\($0) AND \($1)" } }

    /// Whether a column with the JSON text of metadata may have an item; it has it or, where a key ends in a quotation mark
    /// and this one, another.
    static func has(_ item: MetadataItem, in column: SQL) -> SQL {
        contains(String(OrderDocuments.text([item]).dropFirst().dropLast()), in: column)
    }

    /// Whether a column has some text in it, compared by bytes.
    static func contains(_ text: String, in column: SQL) -> SQL {
        "REPLACE(\(column), CAST(\(text) AS TEXT), '') <> \(column)"
    }
}
