import SQL
import Synchronization

/// The columns that the answers to a text have, once they are known; the statements of several connections share them.
final class SharedColumns: Sendable {
    /// The names, and what all rows share.
    typealias Columns = (names: [String], shared: Row.Columns)

    private let known = Mutex<Columns?>(nil)

    /// The columns of a statement that was stepped.
    ///
    /// A migration can add some to those that a text with `*` gives.
    func columns(of statement: PreparedStatement) -> Columns {
        if let columns = known.withLock({ $0 }), columns.names.count == statement.columnCount { return columns }
        let names = statement.columnNames
        let columns = (names: names, shared: Row.Columns(names))
        known.withLock { $0 = columns }
        return columns
    }
}
