/// One step of the schema, applied once and never changed afterwards.
///
/// The text holds tokens that the dialect fills in: `{int}`, `{text}`, `{bytes}`, `{table}` (behind a table's
/// closing parenthesis). Statements are separated by a semicolon at the end of a line; one that begins with `{sqlite}`
/// or `{postgres}` is for that engine alone.
package struct Migration: Hashable, Sendable {
    /// A number and a few words: .
    ///
    /// 0001-orders`. Names sort in the order of application.
    package let name: String
    /// The statements with their tokens.
    ///
    /// The checksum is taken over this text, so both engines record the same one.
    package let text: String

    /// Makes a migration.
    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }

    /// The statements for one engine.
    package func statements(for dialect: Dialect) -> [SQL] {
        let tokens = [
            ("{int}", dialect.integerType), ("{text}", dialect.textType), ("{bytes}", dialect.bytesType),
            ("{table}", dialect.tableSuffix),
        ]
        let filled = tokens.reduce(text) { $0.replacing($1.0, with: $1.1) }
        return filled.split(separator: ";\n").compactMap { statement in
            let text = statement.drop(while: \.isWhitespace)
            return text.isEmpty ? nil : Self.statement(String(text), for: dialect)
        }
    }

    /// The statement; nil if it is for the other engine.
    private static func statement(_ text: String, for dialect: Dialect) -> SQL? {
        for (mark, engine) in [("{sqlite}", Dialect.sqlite), ("{postgres}", Dialect.postgres)]
        where text.hasPrefix(mark) {
            return engine == dialect ? SQL(stringLiteral: String(text.dropFirst(mark.count))) : nil
        }
        return SQL(stringLiteral: text)
    }
}
