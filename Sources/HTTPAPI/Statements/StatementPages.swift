import Domain
import SQL
import Storage

/// The lines of a statement, page by page, each page read by itself.
struct StatementPages: Sendable {
    /// How many lines are taken into memory at once.
    private static let size = 500

    private let scope: StatementScope
    private var place: StatementLine.Place?
    private var isAtEnd = false
    /// What is owed to the merchant behind the lines read so far.
    private(set) var balance: Int64

    /// Begins in front of the first line.
    init(_ statement: Statement) {
        scope = statement.scope
        balance = statement.opening
    }

    /// The next lines; nil behind the last.
    ///
    /// - Throws: `StatementMismatch` if the lines do not come to the closing balance that stood there as the last of
    ///   them was read, so that no statement ends that is not whole; `SQLError`.
    mutating func next(in database: any Database) async throws -> [StatementLine]? {
        guard !isAtEnd else { return nil }
        let (scope, place) = (scope, place)
        let (lines, closing) = try await database.read { session in
            let lines = try StatementTable.lines(scope, after: place, limit: Self.size, in: session)
            let isLast = lines.count < Self.size
            return (lines, isLast ? try StatementTable.closing(scope, in: session) : nil)
        }
        let opening = balance
        let net = lines.reduce(0) { $0 + $1.amounts.net }
        if let closing {
            isAtEnd = true
            try StatementMismatch.check(opening: opening, net: net, closing: closing)
        }
        self.place = lines.last?.place ?? place
        balance = opening + net
        return lines
    }
}
