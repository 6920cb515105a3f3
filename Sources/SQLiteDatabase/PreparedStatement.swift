import GRDBSQLite
import SQL

import struct GRDB.DatabaseError
import struct GRDB.ResultCode
import class GRDB.Statement

/// A prepared statement, bound, stepped and read without a layer between.
///
/// GRDB keeps it and ends it with its connection; but what it makes of values and rows would only be made into ours again.
@safe final class PreparedStatement {
    /// Has SQLite copy what it is given, since that is gone when the call returns.
    private static let copied = unsafe unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private let statement: Statement
    private let handle: OpaquePointer
    private let columns: SharedColumns

    /// Uses a statement that is not in use, whose columns may be known from an earlier one of the same text.
    init(_ statement: Statement, _ columns: SharedColumns) {
        (self.statement, self.columns) = (statement, columns)
        unsafe handle = statement.sqliteStatement
    }

    /// Runs it and answers its rows.
    ///
    /// - Throws: `DatabaseError`, or ``SQLError``.
    func rows(_ values: [SQLValue]) throws -> [Row] {
        defer { unsafe sqlite3_reset(handle) }
        try bind(values)
        guard try step() else { return [] }
        // Not before the first step, which prepares the statement anew if the schema is another one by now.
        let shared = columns.columns(of: self).shared
        let count = unsafe sqlite3_column_count(handle)
        var rows: [Row] = []
        repeat {
            var values: [SQLValue] = []
            values.reserveCapacity(Int(count))
            for place in 0..<count { values.append(try value(place)) }
            rows.append(Row(columns: shared, values: values))
        } while try step()
        return rows
    }

    /// Runs it.
    ///
    /// - Throws: `DatabaseError`, or ``SQLError``.
    func run(_ values: [SQLValue] = []) throws {
        defer { unsafe sqlite3_reset(handle) }
        try bind(values)
        while try step() {}
    }

    /// Runs it, and answers how many rows it changed.
    ///
    /// - Throws: `DatabaseError`, or ``SQLError``.
    func change(_ values: [SQLValue]) throws -> Int {
        let connection = unsafe sqlite3_db_handle(handle)
        let before = unsafe sqlite3_total_changes(connection)
        try run(values)
        // A statement that changes nothing may leave the count of the one before it.
        return unsafe sqlite3_total_changes(connection) == before ? 0 : Int(sqlite3_changes(connection))
    }

    /// How many rows were changed on its connection so far.
    var totalChanges: Int { unsafe Int(sqlite3_total_changes(sqlite3_db_handle(handle))) }

    /// How many columns its answers have.
    var columnCount: Int { Int(unsafe sqlite3_column_count(handle)) }

    /// Their names.
    var columnNames: [String] {
        (0..<Int32(columnCount)).map { place in
            guard let name = unsafe sqlite3_column_name(handle, place) else { return "" }
            return unsafe String(cString: name)
        }
    }

    private func bind(_ values: [SQLValue]) throws {
        guard unsafe Int(sqlite3_bind_parameter_count(handle)) == values.count else {
            throw SQLError.broken("a statement has another number of values than of places for them")
        }
        for (place, value) in values.enumerated() {
            let code = bind(value, at: Int32(place + 1))
            guard code == SQLITE_OK else { throw error(code) }
        }
    }

    private func bind(_ value: SQLValue, at place: Int32) -> Int32 {
        switch value {
        case .null: return unsafe sqlite3_bind_null(handle, place)
        case .integer(let integer): return unsafe sqlite3_bind_int64(handle, place, integer)
        case .text(var text):
            return text.withUTF8 { utf8 in
                unsafe utf8.withMemoryRebound(to: CChar.self) { text in
                    unsafe sqlite3_bind_text(handle, place, text.baseAddress, Int32(text.count), Self.copied)
                }
            }
        case .bytes(let bytes):
            // Without an address it would be NULL.
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, place, 0) }
            return unsafe sqlite3_bind_blob(handle, place, bytes, Int32(bytes.count), Self.copied)
        }
    }

    /// Goes to the next row; false behind the last.
    private func step() throws -> Bool {
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw error(code)
        }
    }

    private func error(_ code: Int32) -> DatabaseError {
        let message = unsafe sqlite3_errmsg(sqlite3_db_handle(handle)).map { unsafe String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }

    /// A value of the row that was stepped to.
    ///
    /// - Throws: ``SQLError/unexpectedValue(column:)`` for a floating point number.
    private func value(_ place: Int32) throws(SQLError) -> SQLValue {
        switch unsafe sqlite3_column_type(handle, place) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(unsafe sqlite3_column_int64(handle, place))
        case SQLITE_TEXT:
            let start = unsafe sqlite3_column_text(handle, place)
            let count = unsafe Int(sqlite3_column_bytes(handle, place))
            return unsafe .text(String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        case SQLITE_BLOB:
            let start = unsafe sqlite3_column_blob(handle, place)
            let count = unsafe Int(sqlite3_column_bytes(handle, place))
            return unsafe .bytes(Array(UnsafeRawBufferPointer(start: start, count: count)))
        default: throw .unexpectedValue(column: columnNames[Int(place)])
        }
    }
}
