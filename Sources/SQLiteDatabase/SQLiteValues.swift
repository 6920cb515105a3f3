import SQL

import struct GRDB.DatabaseValue
import protocol GRDB.DatabaseValueConvertible

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
