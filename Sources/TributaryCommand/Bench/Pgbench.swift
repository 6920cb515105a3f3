import Foundation
import PostgresDatabase
import SQL
import Synchronization

/// Runs PostgreSQL's own benchmark with a script.
struct Pgbench {
    private let program: String
    private let url: String
    private let connections: Int
    private let transactions: Int

    /// Finds the program.
    ///
    /// It runs so many transactions rather than so many seconds: it would need an alarm signal for that, which
    /// Foundation's child processes have blocked.
    ///
    /// - Throws: ``CommandFailure`` that says what to install.
    init(url: String, connections: Int, transactions: Int) throws {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let found = folders.map { $0 + "/pgbench" }.first { FileManager.default.isExecutableFile(atPath: $0) }
        guard let found else { throw CommandFailure.unusable("there is no pgbench; install the package postgresql") }
        program = found
        self.url = url
        self.connections = connections
        self.transactions = transactions
    }

    /// Transactions of the script a second.
    ///
    /// - Throws: ``CommandFailure`` with pgbench's words if it fails.
    func run(_ script: PgbenchScript) async throws -> Double {
        let folder = try TemporaryDirectory()
        defer { folder.remove() }
        let file = folder.path + "/order.sql"
        try script.text.write(toFile: file, atomically: true, encoding: .utf8)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = [
            "-n", "-M", "prepared", "-f", file, "-c", "\(connections)", "-j", "2", "-t",
            "\(max(1, transactions / connections))", url,
        ]
        let output = Pipe()
        let complaints = folder.path + "/complaints"
        guard FileManager.default.createFile(atPath: complaints, contents: nil) else {
            throw CommandFailure.unusable("the folder for temporary files cannot be written")
        }
        process.standardOutput = output
        process.standardError = FileHandle(forWritingAtPath: complaints)
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let complaint = (try? String(contentsOfFile: complaints, encoding: .utf8)) ?? ""
        guard process.terminationStatus == 0, let match = text.firstMatch(of: /tps = ([0-9.]+)/),
            let rate = Double(match.1)
        else { throw CommandFailure.unusable("pgbench failed: \(complaint.prefix(500))") }
        return rate
    }
}

/// Recorded statements as a pgbench script, in the same pipelines.
///
/// Whatever must differ from order to order (identifiers, keys, references) becomes a variable that counts from a
/// random start; everything else stays as it was recorded.
struct PgbenchScript {
    /// The script.
    let text: String

    /// Takes a script as it is.
    init(text: String) { self.text = text }

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
                guard Self.differs(text) else { return Self.quoted(text) }
                let number = numbers[text] ?? numbers.count + 1
                numbers[text] = number
                // As long as an identifier is, whose end an index may have alone.
                return "lpad(:v\(number)::text, 30, '0')"
            }
        }

        /// The text as a literal; a colon as an escape, because pgbench takes `:true` for a variable inside quotes too
        /// (`parseQuery` of pgbench.c).
        private static func quoted(_ text: String) -> String {
            let quoted = "'" + text.replacing("'", with: "''")
            guard text.contains(":") else { return quoted + "'" }
            return "E" + quoted.replacing("\\", with: "\\\\").replacing(":", with: "\\x3a") + "'"
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

/// A transaction as it went over the wire.
struct RecordedTransaction: Sendable {
    /// Whether it only reads.
    let isRead: Bool
    /// The round trips, each with its statements.
    var steps: [Step] = []

    /// How many statements it has, its beginning and its end among them.
    var statements: Int { 2 + steps.reduce(0) { $0 + $1.statements.count } }
    /// How many round trips it takes; one that only reads is rolled back in one of its own.
    var roundTrips: Int { steps.count }

    /// Statements that go out together.
    struct Step: Sendable {
        var statements: [SQL]
    }
}

/// A database that writes down what is sent to the one behind it, and in which round trips.
final class RecordingDatabase: Database {
    private let base: any Database
    private let recorded = Mutex<[RecordedTransaction]>([])

    init(_ base: any Database) { self.base = base }

    var dialect: Dialect { base.dialect }

    /// What was recorded, in the order of the commits.
    var transactions: [RecordedTransaction] { recorded.withLock { $0 } }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try await record(isRead: false) { recording in try await base.write(recording(body)) }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any Session) throws -> Value
    ) async throws -> Value {
        try await record(isRead: true) { recording in try await base.read(recording(body)) }
    }

    func now() async throws -> Int64 { try await base.now() }

    func scrub() async throws { try await base.scrub() }

    func notifications(on channel: String) -> AsyncStream<DatabaseNotification>? { base.notifications(on: channel) }

    private typealias Body<Value> = @Sendable (any Session) throws -> Value

    private func record<Value: Sendable>(
        isRead: Bool,
        _ run: (@Sendable (@escaping Body<Value>) -> Body<(Value, [RecordedTransaction.Step])>) async throws -> (
            Value, [RecordedTransaction.Step]
        )
    ) async throws -> Value {
        let (value, steps) = try await run { body in
            { session in
                let recorder = RecordingSession(session)
                let value = try body(recorder)
                return (value, recorder.finished)
            }
        }
        recorded.withLock { $0.append(RecordedTransaction(isRead: isRead, steps: steps)) }
        return value
    }
}

/// Writes down what a body sends: queued statements go out with the next read.
private final class RecordingSession: Session {
    private let base: any Session
    private var steps: [RecordedTransaction.Step] = []
    private var queued: [SQL] = []

    init(_ base: any Session) { self.base = base }

    var dialect: Dialect { base.dialect }

    /// Every round trip; what is still queued goes out with the commit.
    var finished: [RecordedTransaction.Step] { steps + [RecordedTransaction.Step(statements: queued)] }

    func rows(_ statement: SQL) throws(SQLError) -> [Row] {
        flush(adding: [statement])
        return try base.rows(statement)
    }

    func rows(_ statements: [SQL]) throws(SQLError) -> [[Row]] {
        flush(adding: statements)
        return try base.rows(statements)
    }

    func run(_ statement: SQL) throws(SQLError) {
        queued.append(statement)
        try base.run(statement)
    }

    func change(_ statement: SQL) throws(SQLError) -> Int {
        flush(adding: [statement])
        return try base.change(statement)
    }

    private func flush(adding statements: [SQL]) {
        steps.append(RecordedTransaction.Step(statements: queued + statements))
        queued = []
    }
}
