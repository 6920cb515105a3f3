import CPostgres
import Glibc
import SQL

/// A connection in pipeline mode: any number of statements go out and come back in one round trip.
///
/// It blocks its thread, which must be a worker's own and the only one to touch it.
final class PostgresConnection {
    private enum Step {
        case prepare(text: String, PreparedStatements.Entry)
        case run(SQL, PreparedStatements.Entry, readsRows: Bool)
    }

    private let handle: ConnectionHandle
    private let silenceMilliseconds: Int32
    private var prepared: PreparedStatements
    private var parameters = ParameterBuffer()
    /// False once the connection is lost or out of step; it can only be dropped then.
    private(set) var isUsable = true
    /// Whether as many statements are prepared as may be: then another connection takes its place, with none.
    ///
    /// They are not given up one by one, because a pooler that lends connections for one transaction each gives statements
    /// names of its own, and does not know them in `DEALLOCATE`.
    var isFull: Bool { prepared.isFull }

    private var raw: OpaquePointer { unsafe handle.raw }

    /// Opens a connection and sets its limits on the server.
    ///
    /// - Throws: ``SQLError/unavailable(_:)``, or ``SQLError/broken(_:)`` for a server too old or of another encoding.
    init(_ url: PostgresURL, _ limits: PostgresLimits) throws(SQLError) {
        handle = try ConnectionHandle(parameters: PostgresConnection.parameters(url, limits))
        silenceMilliseconds = Int32(limits.silenceMilliseconds)
        prepared = PreparedStatements(limit: limits.preparedStatements)
        guard unsafe PQstatus(raw) == CONNECTION_OK else { throw .unavailable(handle.reason()) }
        guard unsafe PQserverVersion(raw) >= 140_000 else { throw .broken("PostgreSQL 14 or later is needed") }
        guard unsafe PQenterPipelineMode(raw) == 1 else { throw .unavailable(handle.reason()) }
        let settings = try roundTrip([PostgresConnection.settings(limits)], readingLast: 1)
        guard try settings.first?.rows.first?.text("encoding") == "UTF8" else {
            throw .broken("the PostgreSQL database must have the encoding UTF8")
        }
    }

    private static func parameters(_ url: PostgresURL, _ limits: PostgresLimits) -> [(keyword: String, value: String)] {
        [
            // What stands before the URL is a default that the URL may override.
            ("application_name", "tributary"), ("connect_timeout", String(limits.connectSeconds)),
            ("tcp_user_timeout", String(limits.unacknowledgedMilliseconds)), ("keepalives_idle", "10"),
            ("keepalives_interval", "5"), ("keepalives_count", "3"), ("gssencmode", "disable"),
            ("dbname", url.text), ("client_encoding", "UTF8"),
        ]
    }

    private static func settings(_ limits: PostgresLimits) -> SQL {
        """
        SELECT set_config('statement_timeout', \(String(limits.statementMilliseconds)), false) AS statement,
            set_config('lock_timeout', \(String(limits.lockMilliseconds)), false) AS lock,
            set_config('idle_in_transaction_session_timeout',
                \(String(limits.idleInTransactionMilliseconds)), false) AS idle,
            set_config('synchronous_commit', 'on', false) AS durability,
            current_setting('server_encoding') AS encoding
        """
    }

    /// Whether no transaction is open on the server.
    var isOutsideTransaction: Bool { unsafe PQtransactionStatus(raw) == PQTRANS_IDLE }

    /// Notices, without a round trip, that the server closed the connection while it lay idle.
    ///
    /// A server has nothing to say to an idle connection that listens for nothing but that it ends, which can come
    /// before the end itself. A changed setting is announced too; then a fresh connection does no harm.
    func noticeClosing() {
        var socket = unsafe pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
        if unsafe poll(&socket, 1, 0) > 0 { isUsable = false }
    }

    /// Sends statements in one pipeline, which prepares those that are new, and answers each.
    ///
    /// Rows are read of the last `count` only. What the others give is not looked at, so that nothing in it can make a
    /// commit behind it look failed.
    ///
    /// - Throws: the first statement's error; the server has skipped all behind it.
    func roundTrip(_ statements: [SQL], readingLast count: Int = 0) throws(SQLError) -> [Answer] {
        guard isUsable else { throw lost() }
        var steps: [Step] = []
        for (number, statement) in statements.enumerated() {
            let (entry, isNew) = prepared.entry(for: statement.text)
            if isNew { steps.append(.prepare(text: statement.text, entry)) }
            steps.append(.run(statement, entry, readsRows: number >= statements.count - count))
        }
        guard steps.allSatisfy(send), unsafe PQpipelineSync(raw) == 1 else { throw lost() }
        return try collect(steps)
    }

    private func send(_ step: Step) -> Bool {
        switch step {
        case .prepare(let text, let entry):
            return unsafe PQsendPrepare(raw, entry.name, text, 0, nil) == 1
        case .run(let statement, let entry, _):
            parameters.fill(statement.values)
            let count = Int32(statement.values.count)
            return unsafe parameters.withPointers { lent in
                unsafe PQsendQueryPrepared(raw, entry.name, count, lent.values, lent.lengths, lent.formats, 0) == 1
            }
        }
    }

    /// Reads the answers to all steps, to the end even after an error: libpq refuses the next command before that.
    private func collect(_ steps: [Step]) throws(SQLError) -> [Answer] {
        var answers: [Answer] = []
        var failure: SQLError?
        for step in steps {
            do {
                if let answer = try answer(to: step) { answers.append(answer) }
            } catch {
                failure = failure ?? error
            }
            if !isUsable { break }
        }
        guard isUsable, let end = try nextResult(or: failure), end.kind == .synchronized else {
            throw lost(after: failure)
        }
        if let failure { throw failure }
        return answers
    }

    /// Reads one step's results up to the NULL that ends them.
    private func answer(to step: Step) throws(SQLError) -> Answer? {
        var answer: Answer?
        var failure: SQLError?
        var isDone = false
        while isUsable, let result = try nextResult(or: failure) {
            switch result.kind {
            case .done, .rows:
                isDone = true
                do { answer = try read(result, for: step) } catch { failure = error }
            case .skipped: break
            case .failed: failure = failure ?? explain(result)
            case .synchronized: throw lost(after: failure)
            }
        }
        if !isDone, case .prepare(let text, let entry) = step { prepared.forget(text, entry) }
        if let failure { throw failure }
        return answer
    }

    private func read(_ result: borrowing ResultHandle, for step: Step) throws(SQLError) -> Answer? {
        switch step {
        case .prepare: return nil
        case .run(_, let entry, let readsRows):
            guard readsRows, result.kind == .rows else { return try result.answer(nil) }
            let columns = entry.columns ?? result.columns()
            entry.columns = columns
            return try result.answer(columns)
        }
    }

    private func explain(_ result: borrowing ResultHandle) -> SQLError {
        let error = result.serverError()
        // The plan is stale on this connection only; a new one prepares it anew.
        if unsafe error.isStalePlan || PQstatus(raw) == CONNECTION_BAD { isUsable = false }
        return error.sqlError
    }

    /// The next result, or nil at the end of a step's results.
    ///
    /// Waits for the server, but not through a long silence.
    private func nextResult(or failure: SQLError? = nil) throws(SQLError) -> ResultHandle? {
        while unsafe PQisBusy(raw) == 1 {
            var socket = unsafe pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0)
            switch unsafe poll(&socket, 1, silenceMilliseconds) {
            case 0:
                isUsable = false
                throw .unavailable("PostgreSQL does not answer")
            case 1...: if unsafe PQconsumeInput(raw) == 0 { throw lost(after: failure) }
            default: if errno != EINTR { throw lost(after: failure) }
            }
        }
        return unsafe ResultHandle(PQgetResult(raw))
    }

    /// Gives the connection up; answers the failure that came before, if one did.
    private func lost(after failure: SQLError? = nil) -> SQLError {
        isUsable = false
        return failure ?? .unavailable("the connection to PostgreSQL is lost")
    }
}

extension PostgresConnection {
    /// Waits for what is said on the channels that the connection listens to.
    ///
    /// A server that has gone without a word is noticed by the connection's keepalives.
    ///
    /// - Parameter end: a descriptor that becomes readable when the wait is to end.
    /// - Returns: what was said, in its order; nil once `end` is readable.
    /// - Throws: ``SQLError/unavailable(_:)`` if the connection is lost.
    func notifications(until end: Int32) throws(SQLError) -> [String]? {
        while true {
            let said = takeNotifications()
            if !said.isEmpty { return said }
            guard unsafe PQstatus(raw) == CONNECTION_OK else { throw lost() }
            var watched = unsafe [
                pollfd(fd: PQsocket(raw), events: Int16(POLLIN), revents: 0),
                pollfd(fd: end, events: Int16(POLLIN), revents: 0),
            ]
            guard unsafe poll(&watched, 2, -1) > 0 else {
                if errno == EINTR { continue }
                throw lost()
            }
            if watched[1].revents != 0 { return nil }
            if unsafe PQconsumeInput(raw) == 0 { throw lost() }
        }
    }

    private func takeNotifications() -> [String] {
        var said: [String] = []
        while let notification = unsafe PQnotifies(raw) {
            unsafe said.append(String(cString: notification.pointee.extra))
            unsafe PQfreemem(notification)
        }
        return said
    }
}

/// The statements that a connection has prepared, by text.
private struct PreparedStatements {
    /// One prepared statement, whose columns are learned from its first answer.
    final class Entry {
        let name: String
        var columns: AnswerColumns?

        fileprivate init(name: String) { self.name = name }
    }

    private let limit: Int
    private var entries: [String: Entry] = [:]
    private var made: UInt64 = 0

    init(limit: Int) { self.limit = limit }

    /// Whether no more should be added; a transaction that has begun may add them all the same.
    var isFull: Bool { entries.count >= limit }

    /// The entry for a text, and whether it has yet to be prepared on the server.
    mutating func entry(for text: String) -> (entry: Entry, isNew: Bool) {
        if let known = entries[text] { return (known, false) }
        made += 1
        let entry = Entry(name: "s\(made)")
        entries[text] = entry
        return (entry, true)
    }

    /// Forgets an entry whose preparation failed or was skipped; the server does not know its name.
    mutating func forget(_ text: String, _ entry: Entry) {
        if entries[text] === entry { entries[text] = nil }
    }
}
