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
