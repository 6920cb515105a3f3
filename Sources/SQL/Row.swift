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
        fileprivate let positions: [String: Int]

        /// Makes the names, in the order of the columns.
        package init(_ names: [String]) {
            positions = Dictionary(zip(names, names.indices)) { first, _ in first }
        }
    }

    /// The value of a column.
    ///
    /// - Throws: ``SQLError/unexpectedValue(column:)`` if the answer has no such column.
    package func value(_ column: String) throws(SQLError) -> SQLValue {
        guard let position = columns.positions[column] else { throw .unexpectedValue(column: column) }
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
