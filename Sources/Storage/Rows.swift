package import Domain
package import SQL

extension Row {
    /// An identifier of the kind the caller expects.
    func identifier<Tag>(_ column: String) throws(SQLError) -> Identifier<Tag> {
        guard let identifier = Identifier<Tag>(try text(column)) else { throw .unexpectedValue(column: column) }
        return identifier
    }

    /// An identifier or NULL.
    func optionalIdentifier<Tag>(_ column: String) throws(SQLError) -> Identifier<Tag>? {
        try value(column) == .null ? nil : identifier(column)
    }

    /// A word of a fixed vocabulary.
    func word<Word: RawRepresentable<String>>(_ column: String) throws(SQLError) -> Word {
        guard let word = Word(rawValue: try text(column)) else { throw .unexpectedValue(column: column) }
        return word
    }

    /// A currency by its code.
    func currency(_ column: String) throws(SQLError) -> Currency {
        guard let currency = Currency(code: try text(column)) else { throw .unexpectedValue(column: column) }
        return currency
    }

    /// An amount in minor units, not below zero.
    func money(_ column: String, in currency: Currency) throws(SQLError) -> Money {
        guard let money = try? Money(minorUnits: try integer(column), currency: currency) else {
            throw .unexpectedValue(column: column)
        }
        return money
    }

    /// An account by its path.
    func account(_ column: String) throws(SQLError) -> Account {
        guard let account = Account(path: try text(column)) else { throw .unexpectedValue(column: column) }
        return account
    }

    /// A word of a fixed vocabulary, or NULL.
    func optionalWord<Word: RawRepresentable<String>>(_ column: String) throws(SQLError) -> Word? {
        try value(column) == .null ? nil : word(column)
    }

    /// A moment.
    func time(_ column: String) throws(SQLError) -> Timestamp { Timestamp(microseconds: try integer(column)) }

    /// A moment or NULL.
    func optionalTime(_ column: String) throws(SQLError) -> Timestamp? {
        try optionalInteger(column).map(Timestamp.init(microseconds:))
    }
}

extension Identifier: SQLBindable {
    package var sqlValue: SQLValue { .text(text) }
}

extension Timestamp: SQLBindable {
    package var sqlValue: SQLValue { .integer(microseconds) }
}

/// Rows in statements of many, of which only two texts are ever made: the full one, and the last one's.
enum BulkInsert {
    /// How many rows a statement takes: more gain nothing, and the last statement's text should not be long.
    static let rowsPerStatement = 50

    /// Queues statements that insert `rows`.
    ///
    /// - Parameters:
    ///   - rows: the rows, all of one length.
    ///   - head: `INSERT INTO … (…)`.
    ///   - tail: what stands behind the rows.
    ///   - session: the transaction.
    /// - Throws: `SQLError`; much of it surfaces with the commit.
    static func run(_ rows: [[SQLValue]], _ head: SQL, _ tail: SQL = "", in session: any Session) throws(SQLError) {
        var start = 0
        while start < rows.count {
            let end = min(start + rowsPerStatement, rows.count)
            try session.run("\(head) VALUES \(rows: Array(rows[start..<end])) \(tail)")
            start = end
        }
    }
}
