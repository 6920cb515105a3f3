/// The few places in which the two engines' SQL differs.
package struct Dialect: Hashable, Sendable {
    /// The engine's name, for people.
    package let name: String
    /// The type of integer columns: `BIGINT`, or `INTEGER` because STRICT tables refuse `BIGINT`.
    package let integerType: String
    /// The type of text columns; compared by bytes in both engines.
    package let textType: String
    /// The type of byte columns.
    package let bytesType: String
    /// What stands behind a table's closing parenthesis.
    package let tableSuffix: String
    /// What stands behind a SELECT to lock its rows until the transaction ends; SQLite has one writer.
    package let lock: String
    /// The same, passing over rows that others have locked.
    package let lockSkippingLocked: String
    /// A number above that of every transaction that has written anything so far; 0 where there is one writer.
    package let nextTransaction: String
    /// A number that no transaction lies below which may still commit; 0 where there is one writer.
    package let oldestTransaction: String

    /// PostgreSQL 14 or later.
    package static let postgres = Dialect(
        name: "PostgreSQL",
        integerType: "BIGINT",
        textType: "TEXT COLLATE \"C\"",
        bytesType: "BYTEA",
        tableSuffix: "",
        lock: "FOR UPDATE",
        lockSkippingLocked: "FOR UPDATE SKIP LOCKED",
        nextTransaction: "CAST(CAST(pg_snapshot_xmax(pg_current_snapshot()) AS TEXT) AS BIGINT)",
        oldestTransaction: "CAST(CAST(pg_snapshot_xmin(pg_current_snapshot()) AS TEXT) AS BIGINT)"
    )

    /// SQLite 3.40 or later.
    package static let sqlite = Dialect(
        name: "SQLite",
        integerType: "INTEGER",
        textType: "TEXT",
        bytesType: "BLOB",
        tableSuffix: "STRICT",
        lock: "",
        lockSkippingLocked: "",
        nextTransaction: "0",
        oldestTransaction: "0"
    )
}
