import PostgresDatabase
import SQL

/// Recorded statements as a pgbench script, in the same pipelines.
///
/// Whatever must differ from order to order (identifiers, keys, references) becomes a variable that counts from a
/// random start; everything else stays as it was recorded.
struct PgbenchScript {
    /// The script.
    let text: String

    /// Writes the script of one order.
    init(_ transactions: [RecordedTransaction]) {
        var variables = Variables()
        let body = transactions.map { Self.lines(of: $0, &variables) }.joined()
        text = variables.declarations + body
    }

    private static func lines(of transaction: RecordedTransaction, _ variables: inout Variables) -> String {
        let begin = transaction.isRead ? TransactionText.beginReading : TransactionText.beginWriting
        var text = ""
        for (number, step) in transaction.steps.enumerated() {
            let isLast = number == transaction.steps.count - 1
            if isLast, transaction.isRead {
                text += TransactionText.rollBack + ";\n"
                continue
            }
            var statements = step.statements.map { variables.fill($0) }
            if number == 0 { statements.insert(begin, at: 0) }
            if isLast { statements.append(TransactionText.commit) }
            text += "\\startpipeline\n" + statements.map { $0 + ";\n" }.joined() + "\\endpipeline\n"
        }
        return text
    }

    /// The values that differ from order to order.
    private struct Variables {
        private var numbers: [String: Int] = [:]

        /// One variable for each value, counted from a random start.
        var declarations: String {
            let sets = numbers.values.sorted().map { "\\set v\($0) :base + \($0)\n" }.joined()
            return "\\set base random(1, 4000000000000000000)\n" + sets
        }

        /// The statement with its values written out.
        mutating func fill(_ statement: SQL) -> String {
            var text = ""
            var rest = statement.text[...]
            for value in statement.values {
                let mark = rest.firstIndex(of: "$") ?? rest.endIndex
                text += rest[..<mark]
                rest = rest[mark...].dropFirst().drop { $0.isNumber }
                text += literal(value)
            }
            return (text + rest).split(separator: "\n").joined(separator: " ")
        }

        private mutating func literal(_ value: SQLValue) -> String {
            switch value {
            case .null: return "NULL"
            case .integer(let integer): return String(integer)
            case .bytes(let bytes): return "'\\x" + bytes.map(Self.hexadecimal).joined() + "'"
            case .text(let text):
                guard Self.differs(text) else { return "'" + text.replacing("'", with: "''") + "'" }
                let number = numbers[text] ?? numbers.count + 1
                numbers[text] = number
                return ":v\(number)"
            }
        }

        private static func hexadecimal(_ byte: UInt8) -> String {
            let digits = String(byte, radix: 16)
            return byte < 16 ? "0" + digits : digits
        }

        /// Whether the text is an identifier or one of the bench's keys.
        ///
        /// Merchants stay what they are.
        private static func differs(_ text: String) -> Bool {
            guard !text.hasPrefix("mer_") else { return false }
            return text.hasPrefix("bench-") || text.wholeMatch(of: /[a-z]{2,3}_[0-9a-hjkmnp-tv-z]{26}/) != nil
        }
    }
}
