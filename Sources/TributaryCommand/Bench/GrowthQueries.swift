import Domain
import PostgresDatabase
import SQL
import Storage

/// What is asked of a large database: statements, balances, lists of orders, and what is due.
struct GrowthQueries {
    /// One question.
    struct Query: Sendable {
        /// What it is called in the report.
        let name: String
        /// Asks it about a subject, in a transaction; answers how long it took, in milliseconds.
        let run: @Sendable (any Session, _ subject: Int64) throws -> Double
    }

    /// Ends a transaction that nothing shall be left of.
    private struct Undone: Error {
        let milliseconds: Double
    }

    private static let dayMilliseconds: Int64 = 86_400_000
    private static let pageSize = 50
    /// As much as a gateway claims at once.
    private static let claimed = 256
    /// How far apart subjects are among merchants, so that none is asked about twice.
    private static let stride: Int64 = 37

    /// The marketplace.
    let stage: GrowthStage
    /// The end of the last hour that is rolled up.
    let end: Timestamp
    /// The time now.
    let now: Timestamp
    /// The reference of an order.
    let reference: String

    /// The questions, in the order of the report.
    var all: [Query] {
        [
            timed("statement_of_a_day") { session, subject in
                _ = try StatementTable.statement(scope(subject, to: end), in: session)
            },
            timed("merchant_balance") { session, subject in
                _ = try StatementTable.closing(scope(subject, to: now), in: session)
            },
            list("list_newest") { _ in },
            list("list_by_reference") { $0.reference = reference },
            list("list_by_status") { $0.status = .paid },
            list("list_by_rare_status") { $0.status = .canceled },
            Query(name: "claim") { session, _ in try claim(in: session) },
        ]
    }

    /// Asks a question in a transaction of its own that is rolled back, and says how long it took, in milliseconds.
    ///
    /// - Throws: `SQLError`.
    static func ask(_ query: Query, _ subject: Int64, in database: PostgresDatabase) async throws -> Double {
        do {
            return try await database.write { session -> Double in
                throw Undone(milliseconds: try query.run(session, subject))
            }
        } catch let undone as Undone {
            return undone.milliseconds
        }
    }

    /// Asks a question once, and answers the plans of its statements.
    ///
    /// - Throws: `SQLError`.
    static func plans(of query: Query, in database: PostgresDatabase) async throws -> [String] {
        struct Explained: Error { let plans: [String] }
        do {
            return try await database.write { session -> [String] in
                let explaining = ExplainingSession(session)
                _ = try query.run(explaining, 0)
                throw Explained(plans: explaining.plans)
            }
        } catch let explained as Explained {
            return explained.plans
        }
    }

    private func timed(
        _ name: String,
        _ body: @escaping @Sendable (any Session, Int64) throws -> Void
    ) -> Query {
        Query(name: name) { session, subject in try Self.milliseconds { try body(session, subject) } }
    }

    private func list(
        _ name: String,
        _ narrow: @escaping @Sendable (inout OrderSearch.Filter) -> Void
    ) -> Query {
        timed(name) { session, _ in
            var filter = OrderSearch.Filter(marketplace: GrowthStage.marketplace)
            narrow(&filter)
            _ = try OrderSearch.page(filter, limit: Self.pageSize, in: session)
        }
    }

    /// Claims as a gateway does a day later, when all is due that was in flight as the last one was killed.
    private func claim(in session: any Session) throws -> Double {
        try Self.milliseconds {
            let due = now.adding(milliseconds: Self.dayMilliseconds)
            let shares = try WorkQueue.shares(at: due, limit: Self.claimed, in: session)
            let until = due.adding(milliseconds: Self.dayMilliseconds)
            _ = try WorkQueue.reserve(shares, dueAt: due, until: until, limit: Self.claimed, in: session)
            // What is queued goes out with a read.
            try DatabaseProbe.touch(in: session)
        }
    }

    private func scope(_ subject: Int64, to end: Timestamp) throws -> StatementScope {
        let from = self.end.adding(milliseconds: -Self.dayMilliseconds)
        guard let merchant = stage.merchant(subject * Self.stride), let currency = Currency(code: "USD"),
            let scope = StatementScope(
                marketplace: GrowthStage.marketplace,
                merchant: merchant,
                currency: currency,
                from: from,
                to: end
            )
        else { throw CommandFailure.unusable("a merchant's statement has no scope") }
        return scope
    }

    private static func milliseconds(_ body: () throws -> Void) rethrows -> Double {
        let start = ContinuousClock.now
        try body()
        return (ContinuousClock.now - start).milliseconds
    }
}
