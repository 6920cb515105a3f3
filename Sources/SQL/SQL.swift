/// A statement whose interpolations are bindings, never text.
///
/// They are numbered `$1`, `$2`… in the order written, each with a fresh number, which PostgreSQL reads as
/// positions and SQLite as names that it numbers by first appearance: the same text and values serve both.
package struct SQL: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The text with its placeholders.
    package private(set) var text: String
    /// The bound values, the first for `$1`.
    package private(set) var values: [SQLValue]
    /// Where the placeholders stand in `text`, in UTF-8 units; a literal `$` is not one.
    private var marks: [Int]

    /// The most values a statement may bind: what SQLite takes; PostgreSQL takes twice as many.
    package static let valueLimit = 32_766

    package init(stringLiteral text: String) {
        self.text = text
        values = []
        marks = []
    }

    package init(stringInterpolation parts: StringInterpolation) {
        text = parts.text
        values = parts.values
        marks = parts.marks
    }

    /// Refuses what the engines cannot bind alike, before anything is sent.
    ///
    /// - Throws: ``SQLError/broken(_:)`` for text with NUL and for more than ``valueLimit`` values.
    package func checkValues() throws(SQLError) {
        guard values.count <= SQL.valueLimit else { throw .broken("more than \(SQL.valueLimit) values in a statement") }
        for case .text(let text) in values where Self.hasNUL(text) {
            throw .broken("text with NUL cannot be stored")
        }
    }

    /// Whether text has a NUL; its bytes are read as they lie in memory, since every text that is bound is.
    private static func hasNUL(_ text: String) -> Bool {
        let bytes = text.utf8.span
        for place in bytes.indices where bytes[place] == 0 { return true }
        return false
    }

    /// One statement behind the other, placeholders renumbered.
    package static func + (left: SQL, right: SQL) -> SQL { "\(left)\(right)" }

    /// Collects literals and bindings.
    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""
        fileprivate var values: [SQLValue] = []
        fileprivate var marks: [Int] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 3)
            values.reserveCapacity(interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) { text += literal }

        /// Binds a value.
        package mutating func appendInterpolation(_ value: some SQLBindable) {
            values.append(value.sqlValue)
            marks.append(text.utf8.count)
            text += values.count <= Self.names.count ? Self.names[values.count - 1] : "$\(values.count)"
        }

        /// The placeholders of the first values, made once.
        private static let names = (1...256).map { "$\($0)" }

        /// Binds a value or NULL.
        package mutating func appendInterpolation<Value: SQLBindable>(_ value: Value?) {
            appendInterpolation(value.sqlValue)
        }

        /// Splices another statement, its placeholders renumbered.
        package mutating func appendInterpolation(_ statement: SQL) {
            let source = statement.text.utf8
            var position = source.startIndex
            for (number, (mark, value)) in zip(statement.marks, statement.values).enumerated() {
                let placeholder = source.index(source.startIndex, offsetBy: mark)
                text += statement.text[position..<placeholder]
                appendInterpolation(value)
                position = source.index(placeholder, offsetBy: 1 + String(number + 1).utf8.count)
            }
            text += statement.text[position...]
        }

        /// `(v1, v2, …), (…)` for a multi-row insert.
        package mutating func appendInterpolation(rows: [[SQLValue]]) {
            for (number, row) in rows.enumerated() {
                text += number == 0 ? "(" : ", ("
                appendInterpolation(list: row)
                text += ")"
            }
        }

        /// `v1, v2, …` for an `IN` list; an empty list binds NULL, which nothing equals.
        package mutating func appendInterpolation(list values: [SQLValue]) {
            for (number, value) in (values.isEmpty ? [.null] : values).enumerated() {
                if number > 0 { text += ", " }
                appendInterpolation(value)
            }
        }

        /// Splices text that is not bound.
        ///
        /// Only for tokens of ``Dialect``, never for anything that came from outside.
        package mutating func appendInterpolation(unsafeText text: String) { self.text += text }
    }
}

/// A value either database can bind and give back.
package enum SQLValue: Hashable, Sendable {
    /// The absence of a value.
    case null
    /// A 64-bit integer; time is microseconds since 1970, UTC.
    case integer(Int64)
    /// Text without NUL.
    case text(String)
    /// Bytes.
    case bytes([UInt8])
}

/// A type that a statement may interpolate.
package protocol SQLBindable {
    /// The value as the databases know it.
    var sqlValue: SQLValue { get }
}

extension SQLValue: SQLBindable {
    package var sqlValue: SQLValue { self }
}

extension Int64: SQLBindable {
    package var sqlValue: SQLValue { .integer(self) }
}

extension Int: SQLBindable {
    package var sqlValue: SQLValue { .integer(Int64(self)) }
}

extension String: SQLBindable {
    package var sqlValue: SQLValue { .text(self) }
}

extension [UInt8]: SQLBindable {
    package var sqlValue: SQLValue { .bytes(self) }
}

extension Optional: SQLBindable where Wrapped: SQLBindable {
    package var sqlValue: SQLValue { self?.sqlValue ?? .null }
}
