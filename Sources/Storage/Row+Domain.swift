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
