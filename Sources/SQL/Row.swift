/// One row of an answer, read by column name.
package struct Row: Sendable {
    private let columns: Columns
    private let values: [SQLValue]

    /// Makes a row; `columns` is shared by all rows of an answer.
    package init(columns: Columns, values: [SQLValue]) {
        self.columns = columns
        self.values = values
    }

    /// The names of an answer's columns.
    package final class Columns: Sendable {
        fileprivate let positions: [Name: Int]

        /// Makes the names, in the order of the columns.
        package init(_ names: [String]) {
            positions = Dictionary(zip(names.map(Name.init), names.indices)) { first, _ in first }
        }
    }

    /// A column's name, hashed by its length and its ends: an answer has few columns, each of which is looked for in each row.
    fileprivate struct Name: Hashable {
        let text: String

        func hash(into hasher: inout Hasher) {
            let bytes = text.utf8
            hasher.combine(bytes.count << 16 | Int(bytes.first ?? 0) << 8 | Int(bytes.last ?? 0))
        }
    }

    /// The value of a column.
    ///
    /// - Throws: ``SQLError/unexpectedValue(column:)`` if the answer has no such column.
    package func value(_ column: String) throws(SQLError) -> SQLValue {
        guard let position = columns.positions[Name(text: column)] else { throw .unexpectedValue(column: column) }
        return values[position]
    }

    /// An integer.
    package func integer(_ column: String) throws(SQLError) -> Int64 {
        guard case .integer(let integer) = try value(column) else { throw .unexpectedValue(column: column) }
        return integer
    }

    /// An integer or NULL.
    package func optionalInteger(_ column: String) throws(SQLError) -> Int64? {
        try value(column) == .null ? nil : integer(column)
    }

    /// Text.
    package func text(_ column: String) throws(SQLError) -> String {
        guard case .text(let text) = try value(column) else { throw .unexpectedValue(column: column) }
        return text
    }

    /// Text or NULL.
    package func optionalText(_ column: String) throws(SQLError) -> String? {
        try value(column) == .null ? nil : text(column)
    }

    /// Bytes.
    package func bytes(_ column: String) throws(SQLError) -> [UInt8] {
        guard case .bytes(let bytes) = try value(column) else { throw .unexpectedValue(column: column) }
        return bytes
    }

    /// Bytes or NULL.
    package func optionalBytes(_ column: String) throws(SQLError) -> [UInt8]? {
        try value(column) == .null ? nil : bytes(column)
    }
}
