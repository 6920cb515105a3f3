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
    private let keepPrefix: String
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
        keepPrefix: "FOR KEY SHARE OF ",
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
        keepPrefix: "",
        nextTransaction: "0",
        oldestTransaction: "0"
    )

    /// What stands behind a SELECT whose rows are to be referred to: none of that table is deleted until the transaction
    /// ends, and those that another transaction deletes meanwhile are not selected.
    package func keep(_ table: String) -> String { keepPrefix.isEmpty ? "" : keepPrefix + table }
}

/// One step of the schema, applied once and never changed afterwards.
///
/// The text holds tokens that the dialect fills in: `{int}`, `{small}` (an integer of counts and flags, four bytes on
/// PostgreSQL), `{text}`, `{bytes}`, `{table}` (behind a table's closing parenthesis). `amount {int where VALUE > 0}` is a
/// column with a condition of its own, in which `VALUE` stands for it. Statements are separated by a semicolon at the end of a
/// line; one that begins with `{sqlite}` or `{postgres}` is for that engine alone.
package struct Migration: Hashable, Sendable {
    /// A number and a few words, as in `0001-schema`; names sort in the order of application.
    package let name: String
    /// The statements with their tokens.
    ///
    /// The checksum is taken over this text, so both engines record the same one.
    package let text: String
    /// The last migration that a program has to know at least to run beside this one; nil if it has to know this one.
    ///
    /// One that only adds what a program before does not mind names an earlier one; one that takes away, or that wants
    /// something of whoever writes, names none.
    package let needs: String?

    /// Makes a migration.
    package init(name: String, text: String, needs: String? = nil) {
        self.name = name
        self.text = text
        self.needs = needs
    }

    /// The statements for one engine.
    package func statements(for dialect: Dialect) -> [SQL] {
        let types = [
            "int": dialect.integerType, "text": dialect.textType, "bytes": dialect.bytesType, "small": "INTEGER",
            "table": dialect.tableSuffix,
        ]
        let filled = types.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) }
        return filled.split(separator: ";\n").flatMap { statement -> [String] in
            let text = statement.drop(while: \.isWhitespace)
            guard !text.isEmpty, let text = Self.statement(String(text), for: dialect) else { return [] }
            return Self.settingConditions(text, types, for: dialect)
        }
        .map { SQL(stringLiteral: $0) }
    }

    /// The statement; nil if it is for the other engine.
    private static func statement(_ text: String, for dialect: Dialect) -> String? {
        for (mark, engine) in [("{sqlite}", Dialect.sqlite), ("{postgres}", Dialect.postgres)]
        where text.hasPrefix(mark) {
            return engine == dialect ? String(text.dropFirst(mark.count)) : nil
        }
        return text
    }

    /// The statement with the conditions of single columns as the engine has them, behind what it takes to say them.
    ///
    /// On PostgreSQL each is a domain's, `orders_decision` of `orders.decision`: a connection keeps what it has read of a domain,
    /// while it reads all CHECKs of a table anew with every statement that writes there.
    private static func settingConditions(
        _ text: String,
        _ types: [String: String],
        for dialect: Dialect
    ) -> [String] {
        let parts = text.split(separator: "{", omittingEmptySubsequences: false)
        let table = parts[0].split(separator: " ").drop { $0 != "TABLE" }.dropFirst().first ?? ""
        var (filled, domains) = (String(parts[0]), [String]())
        for part in parts.dropFirst() {
            let words = part.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            let token = words[0].split(separator: " where ", maxSplits: 1)
            guard words.count == 2, token.count == 2, let type = types[String(token[0])] else {
                filled += "{" + part
                continue
            }
            let column = filled.split { $0 == " " || $0 == "(" }.last ?? ""
            switch dialect {
            case .postgres:
                domains.append("CREATE DOMAIN \(table)_\(column) AS \(type) CHECK (\(token[1]))")
                filled += "\(table)_\(column)"
            default: filled += "\(type) CHECK (\(token[1].replacing("VALUE", with: column)))"
            }
            filled += words[1]
        }
        return domains + [filled]
    }
}
