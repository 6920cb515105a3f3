import SQL

import struct GRDB.DatabaseError
import struct GRDB.DatabaseValue
import protocol GRDB.DatabaseValueConvertible
import struct GRDB.ResultCode

extension SQLValue {
    /// The value as the engine binds it.
    var databaseValue: DatabaseValue {
        switch self {
        case .null: .null
        case .integer(let integer): integer.databaseValue
        case .text(let text): text.databaseValue
        case .bytes(let bytes): blob(bytes, DatabaseValue.Storage.blob)
        }
    }

    /// Reads a value.
    ///
    /// - Throws: ``SQLError/unexpectedValue(column:)`` for a floating point number.
    init(_ value: DatabaseValue, column: String) throws(SQLError) {
        switch value.storage {
        case .null: self = .null
        case .int64(let integer): self = .integer(integer)
        case .string(let text): self = .text(text)
        case .blob(let bytes): self = .bytes(Array(bytes))
        case .double: throw .unexpectedValue(column: column)
        }
    }
}

/// Bytes as the engine's own collection.
///
/// `storage` only tells the compiler which one: it is Foundation's, which this library does not import.
private func blob<Bytes: RangeReplaceableCollection & DatabaseValueConvertible>(
    _ bytes: [UInt8],
    _ storage: (Bytes) -> DatabaseValue.Storage
) -> DatabaseValue where Bytes.Element == UInt8 {
    Bytes(bytes).databaseValue
}

extension SQLError {
    /// Reads an error of the engine.
    ///
    /// SQLite's messages name tables, columns and tokens, never a bound value.
    init(sqlite error: any Error) {
        if let error = error as? SQLError {
            self = error
        } else if let error = error as? DatabaseError {
            self = SQLError(error)
        } else {
            self = .broken("SQLite failed in an unknown way")
        }
    }

    private init(_ error: DatabaseError) {
        let message = error.message ?? "SQLite error \(error.extendedResultCode.rawValue)"
        switch error.extendedResultCode {
        case .SQLITE_CONSTRAINT_UNIQUE, .SQLITE_CONSTRAINT_PRIMARYKEY, .SQLITE_CONSTRAINT_ROWID:
            self = .uniqueViolation(constraint: SQLError.subject(of: message))
        case .SQLITE_CONSTRAINT_FOREIGNKEY:
            self = .constraintViolation(constraint: "FOREIGN KEY")
        case .SQLITE_CONSTRAINT_CHECK, .SQLITE_CONSTRAINT_NOTNULL, .SQLITE_CONSTRAINT_TRIGGER:
            self = .constraintViolation(constraint: SQLError.subject(of: message))
        default:
            self = SQLError(error.resultCode, message)
        }
    }

    private init(_ code: ResultCode, _ message: String) {
        switch code {
        case .SQLITE_BUSY, .SQLITE_LOCKED: self = .unavailable("another process holds the database file's lock")
        case .SQLITE_FULL: self = .diskFull
        case .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_NOMEM, .SQLITE_PROTOCOL, .SQLITE_INTERRUPT:
            self = .unavailable(message)
        default: self = .broken(message)
        }
    }

    /// What follows the colon: `UNIQUE constraint failed: orders.id` is about `orders.id`.
    private static func subject(of message: String) -> String {
        guard let colon = message.firstRange(of: ": ") else { return message }
        return String(message[colon.upperBound...])
    }
}
