import SQL

/// How a transaction begins and which isolation it has.
enum PostgresTransaction {
    /// Sees what others commit meanwhile; rows are locked or compared and set.
    case write
    /// One snapshot, changes refused.
    case read

    /// Lost against another transaction, with nothing stored: it may be run again.
    struct Lost: Error {}

    private var begin: SQL {
        switch self {
        case .write: SQL(stringLiteral: TransactionText.beginWriting)
        case .read: SQL(stringLiteral: TransactionText.beginReading)
        }
    }

    /// Runs a body and commits, then answers; a reader is answered before its transaction is ended.
    func run<Value: Sendable>(
        _ body: (any Session) throws -> Value,
        on connection: PostgresConnection,
        answering caller: CheckedContinuation<Value, any Error>
    ) {
        let session = PostgresSession(connection, begin: begin)
        defer { session.end() }
        do {
            let value = try body(session)
            switch self {
            case .write:
                try session.commit()
                caller.resume(returning: value)
            case .read:
                if let failure = session.failure { throw failure }
                caller.resume(returning: value)
                session.rollBack()
            }
        } catch {
            session.rollBack()
            caller.resume(throwing: session.failure == .serializationFailure ? Lost() : error)
        }
    }
}
