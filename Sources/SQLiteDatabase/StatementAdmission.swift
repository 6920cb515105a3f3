import SQL
import Synchronization

import class GRDB.Statement

/// Which statement texts stay prepared: the first so many that are seen, so that a connection's cache has a bound.
///
/// The texts a gateway runs are few and all seen early; what comes later (a long `IN` list) is prepared each time.
final class StatementAdmission: Sendable {
    private let limit: Int
    private let admitted = Mutex<Set<String>>([])

    init(limit: Int) {
        self.limit = limit
    }

    /// A prepared statement, from the connection's cache if its text is admitted.
    ///
    /// - Throws: the engine's error.
    func statement(_ text: String, on connection: SQLiteConnection) throws -> Statement {
        let isAdmitted = admitted.withLock { texts in
            if texts.contains(text) { return true }
            guard texts.count < limit else { return false }
            texts.insert(text)
            return true
        }
        return isAdmitted ? try connection.cachedStatement(sql: text) : try connection.makeStatement(sql: text)
    }
}
