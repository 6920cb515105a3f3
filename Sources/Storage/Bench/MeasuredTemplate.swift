import Domain
package import SQL

/// The rows of one order, or of one merchant, as a template that PostgreSQL makes many of; for measurements.
///
/// Tables and columns come from the catalog, so that the template follows the schema. An identifier, wherever it stands
/// in a text or a document, has the number of the copy in its midst, behind the time it begins with and before the digits
/// that tell an order's parts apart; times move with the number; everything else stays as it is.
package struct MeasuredTemplate: Hashable, Sendable {
    /// A column of a table.
    package struct Column: Hashable, Sendable {
        /// What it is called.
        package let name: String
        /// Its type, as `information_schema.columns` names it.
        package let type: String

        /// Makes a column.
        package init(name: String, type: String) {
            self.name = name
            self.type = type
        }
    }

    /// The template's rows in one table.
    package struct Table: Hashable, Sendable {
        /// What it is called.
        package let name: String
        /// The columns that are written.
        package let columns: [Column]
        /// The rows, each with a value for each column.
        package let rows: [[SQLValue]]

        /// Gathers rows.
        package init(name: String, columns: [Column], rows: [[SQLValue]]) {
            self.name = name
            self.columns = columns
            self.rows = rows
        }
    }

    /// A piece of a text.
    package enum Part: Hashable, Sendable {
        /// Text that every copy has.
        case literal(String)
        /// The number's digits in an identifier of the order.
        case orderCode
        /// The number's digits in a merchant's identifier.
        case merchantCode
    }

    /// How many digits of an identifier are the copy's number.
    private static let codeLength = 7
    /// How many digits stand behind it: 35 bits.
    private static let tailLength = 7
    /// How many digits an identifier has: ``Domain/Identifier``.
    private static let digitCount = 26
    /// Numbers from here on are moments in microseconds since 1970, the first in 2001.
    private static let firstMoment: Int64 = 1_000_000_000_000_000
    private static let digits = "0123456789abcdefghjkmnpqrstvwxyz"
    private static let digitBytes = Set(digits.utf8)

    /// The rows, table by table.
    package let tables: [Table]

    /// Takes rows.
    ///
    /// - Throws: `SQLError.broken` if two identifiers differ in nothing but the digits that become the number.
    package init(_ tables: [Table]) throws(SQLError) {
        self.tables = tables.filter { !$0.rows.isEmpty }
        var known: [String: Substring] = [:]
        for case .text(let text) in tables.flatMap({ $0.rows.joined() }) {
            for identifier in Self.identifiers(in: text) {
                let copy = Self.identifier(String(identifier), 0)
                guard known[copy, default: identifier] == identifier else {
                    throw .broken("two identifiers of the template would become one")
                }
                known[copy] = identifier
            }
        }
    }

    /// The number as digits of an identifier.
    package static func code(_ number: Int64) -> String {
        let alphabet = Array(digits)
        return String((0..<codeLength).reversed().map { alphabet[Int(number >> Int64($0 * 5)) & 31] })
    }

    /// The identifier of a copy.
    package static func identifier(_ text: String, _ number: Int64) -> String {
        String(text.dropLast(codeLength + tailLength)) + code(number) + String(text.suffix(tailLength))
    }

    /// The identifiers in a text, in their order.
    package static func identifiers(in text: String) -> [Substring] {
        let bytes = text.utf8
        return marks(in: Array(bytes)).map { mark in
            text[
                bytes.index(bytes.startIndex, offsetBy: mark.start)..<bytes.index(bytes.startIndex, offsetBy: mark.end)
            ]
        }
    }

    /// A text as every copy has it.
    package static func parts(of text: String) -> [Part] {
        let bytes = Array(text.utf8)
        var parts: [Part] = []
        var start = 0
        for mark in marks(in: bytes) {
            parts.append(.literal(String(decoding: bytes[start..<(mark.end - tailLength - codeLength)], as: UTF8.self)))
            parts.append(mark.isMerchant ? .merchantCode : .orderCode)
            start = mark.end - tailLength
        }
        if start < bytes.count || parts.isEmpty {
            parts.append(.literal(String(decoding: bytes[start...], as: UTF8.self)))
        }
        return parts
    }

    /// Where an identifier stands in a text: a prefix of two letters or more, an underscore and 26 digits.
    private struct Mark {
        let start: Int
        let end: Int
        let isMerchant: Bool
    }

    private static func marks(in bytes: [UInt8]) -> [Mark] {
        var marks: [Mark] = []
        var place = 0
        while place < bytes.count {
            guard bytes[place] == UInt8(ascii: "_"), let end = end(ofDigitsAfter: place, in: bytes) else {
                place += 1
                continue
            }
            let prefix = bytes[..<place].suffix(while: { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
            if prefix.count >= 2 {
                let isMerchant = prefix.elementsEqual(MerchantTag.prefix.utf8)
                marks.append(Mark(start: prefix.startIndex, end: end, isMerchant: isMerchant))
            }
            place = end
        }
        return marks
    }

    private static func end(ofDigitsAfter underscore: Int, in bytes: [UInt8]) -> Int? {
        let run = bytes[(underscore + 1)...].prefix { digitBytes.contains($0) }
        guard run.count == digitCount else { return nil }
        guard run.endIndex < bytes.count else { return run.endIndex }
        let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(bytes[run.endIndex])
        return isLetter ? nil : run.endIndex
    }
}

extension Array<UInt8>.SubSequence {
    /// The longest end whose bytes all pass.
    fileprivate func suffix(while isWanted: (UInt8) -> Bool) -> Self {
        var start = endIndex
        while start > startIndex, isWanted(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}

extension MeasuredTemplate {
    /// Reads the rows that name an order or a merchant, or something whose row names it.
    ///
    /// - Parameters:
    ///   - root: the identifier.
    ///   - session: the transaction, of PostgreSQL; every table is read whole.
    /// - Returns: the rows.
    /// - Throws: `SQLError`.
    package static func read(of root: String, in session: any Session) throws(SQLError) -> MeasuredTemplate {
        let catalog = try columns(in: session)
        var known: Set<String> = [root]
        while true {
            var tables: [Table] = []
            var found = known
            for (name, columns) in catalog {
                let rows = try rows(of: name, columns, naming: known, in: session)
                tables.append(Table(name: name, columns: columns, rows: rows))
                guard let place = columns.firstIndex(where: { $0.name == "id" }) else { continue }
                for row in rows { if case .text(let id) = row[place] { found.insert(id) } }
            }
            if found == known { return try MeasuredTemplate(tables) }
            known = found
        }
    }

    /// The tables with the columns that can be written, in the order of their names.
    private static func columns(in session: any Session) throws(SQLError) -> [(String, [Column])] {
        let rows = try session.rows(
            """
            SELECT CAST(c.table_name AS TEXT) AS table_name, CAST(c.column_name AS TEXT) AS column_name,
                CAST(c.data_type AS TEXT) AS data_type
            FROM information_schema.columns AS c JOIN information_schema.tables AS t
                ON t.table_schema = c.table_schema AND t.table_name = c.table_name
                JOIN pg_class AS k ON k.oid = CAST(quote_ident(c.table_schema) || '.' || quote_ident(c.table_name) AS regclass)
                    AND NOT k.relispartition
            WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE' AND c.is_generated = 'NEVER'
            ORDER BY 1, c.ordinal_position
            """
        )
        var tables: [(String, [Column])] = []
        for row in rows {
            let name = try row.text("table_name")
            let column = Column(name: try row.text("column_name"), type: try row.text("data_type"))
            if tables.last?.0 == name {
                tables[tables.count - 1].1.append(column)
            } else {
                tables.append((name, [column]))
            }
        }
        return tables
    }

    private static func rows(
        of table: String,
        _ columns: [Column],
        naming known: Set<String>,
        in session: any Session
    ) throws(SQLError) -> [[SQLValue]] {
        let ids = known.sorted().map(\.sqlValue)
        let conditions = columns.filter { $0.type == "text" }.map { column -> SQL in
            "\(unsafeText: quoted(column.name)) IN (\(list: ids))"
        }
        guard let first = conditions.first else { return [] }
        let condition = conditions.dropFirst().reduce(first) { "\($0) OR \($1)" }
        let list = columns.map(\.selected).joined(separator: ", ")
        var rows: [[SQLValue]] = []
        for row in try session.rows("SELECT \(unsafeText: list) FROM \(unsafeText: quoted(table)) WHERE \(condition)") {
            rows.append(try columns.map { column throws(SQLError) in try row.value(column.name) })
        }
        return rows
    }

    /// A name as SQL writes it.
    fileprivate static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}

extension MeasuredTemplate.Column {
    /// The types that a row has as they are.
    fileprivate static let plain: Set<String> = ["text", "bigint", "bytea"]

    /// The column in a list of what is read.
    fileprivate var selected: String {
        let name = MeasuredTemplate.quoted(name)
        return Self.plain.contains(type) ? name : "CAST(\(name) AS TEXT) AS \(name)"
    }
}

extension MeasuredTemplate {
    /// The statement that writes copies, whose rows all refer to one another: foreign keys are looked at when it ends.
    ///
    /// - Parameters:
    ///   - numbers: the numbers of the copies.
    ///   - stride: which of them: the first, and every so many.
    ///   - merchants: how many merchants the copies are of, in turn.
    ///   - step: how much later than the one before it a copy is, in microseconds.
    ///   - shift: how much later than the template the copy 0 is, in microseconds.
    /// - Returns: the statement, which answers how many copies it wrote.
    package func statement(
        _ numbers: Range<Int64>,
        every stride: Int64,
        merchants: Int64,
        step: Int64,
        shift: Int64
    ) -> SQL {
        let inserts = tables.flatMap { table in table.rows.map { Self.insert($0, table) } }
        let copies = inserts.enumerated().map { ", t\($0.offset) AS (\($0.element))" }.joined(separator: "\n")
        return """
            WITH s AS MATERIALIZED (
                SELECT \(unsafeText: Self.code("n")) AS code, \(unsafeText: Self.code("n % \(merchants)")) AS merchant,
                    n * \(unsafeText: String(step)) + (\(unsafeText: String(shift))) AS later
                FROM generate_series(CAST(\(numbers.lowerBound) AS BIGINT), CAST(\(numbers.upperBound - 1) AS BIGINT),
                    CAST(\(stride) AS BIGINT)) AS n
            )\(unsafeText: copies)
            SELECT COUNT(*) AS number FROM s
            """
    }

    private static func insert(_ row: [SQLValue], _ table: Table) -> String {
        let names = table.columns.map { quoted($0.name) }.joined(separator: ", ")
        let values = zip(table.columns, row).map { expression(for: $1, type: $0.type) }.joined(separator: ", ")
        return "INSERT INTO \(quoted(table.name)) (\(names)) SELECT \(values) FROM s"
    }

    /// The expression that makes a copy's value of the template's.
    package static func expression(for value: SQLValue, type: String) -> String {
        let plain =
            switch value {
            case .null: "NULL"
            case .integer(let number) where number >= firstMoment: "s.later + \(number)"
            case .integer(let number): "\(number)"
            case .text(let text): expression(for: text)
            case .bytes(let bytes):
                if let text = String(validating: bytes, as: UTF8.self), !text.utf8.contains(0) {
                    "convert_to(\(expression(for: text)), 'UTF8')"
                } else {
                    "CAST('\\x\(bytes.map(hexadecimal).joined())' AS bytea)"
                }
            }
        return Column.plain.contains(type) || value == .null ? plain : "CAST(\(plain) AS \(type))"
    }

    private static func expression(for text: String) -> String {
        parts(of: text).map { part in
            switch part {
            case .literal(let text): "'" + text.replacing("'", with: "''") + "'"
            case .orderCode: "s.code"
            case .merchantCode: "s.merchant"
            }
        }.joined(separator: " || ")
    }

    /// The expression that makes of a number what ``code(_:)-(Int64)`` makes of it.
    private static func code(_ number: String) -> String {
        (0..<codeLength).reversed().map { place in
            "substr('\(digits)', CAST(((\(number)) >> \(place * 5)) & 31 AS INTEGER) + 1, 1)"
        }.joined(separator: " || ")
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16)
        return byte < 16 ? "0" + digits : digits
    }
}
