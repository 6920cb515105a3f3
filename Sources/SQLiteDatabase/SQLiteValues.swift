import SQL

import struct GRDB.DatabaseError
import struct GRDB.ResultCode

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
