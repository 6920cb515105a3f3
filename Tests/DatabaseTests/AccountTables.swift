import Dispatch
import SQL
import Synchronization
import TributaryTestKit

/// The tables these tests work on: one with every kind of column and constraint.
enum AccountTables {
    /// Empty.
    static let empty = DatabaseTemplate(
        name: "accounts",
        tables: """
            CREATE TABLE accounts (
                id {int} PRIMARY KEY,
                name {text} NOT NULL CONSTRAINT accounts_name_unique UNIQUE,
                balance {int} NOT NULL CONSTRAINT accounts_balance_check CHECK (balance >= 0)
            ) {table};
            CREATE TABLE notes (
                id {int} PRIMARY KEY,
                account {int} NOT NULL CONSTRAINT notes_account_exists REFERENCES accounts (id)
                    DEFERRABLE INITIALLY DEFERRED,
                owner {int} CONSTRAINT notes_owner_exists REFERENCES accounts (id),
                text {text},
                bytes {bytes}
            ) {table};

            """
    )

    /// With the accounts 1 and 2, named `a` and `b`, each with 100.
    static let filled = DatabaseTemplate(name: "accounts_filled") { database in
        try await empty.prepare(database)
        try await database.write { session in
            try session.run("INSERT INTO accounts (id, name, balance) VALUES \(rows: [a, b])")
        }
    }

    private static let a: [SQLValue] = [.integer(1), .text("a"), .integer(100)]
    private static let b: [SQLValue] = [.integer(2), .text("b"), .integer(100)]

    /// Inserts an account with nothing on it.
    static func open(_ id: Int, _ name: String) -> SQL {
        "INSERT INTO accounts (id, name, balance) VALUES (\(id), \(name), 0)"
    }

    /// The names of all accounts, in the order of their numbers.
    static func names(_ session: any Session) throws(SQLError) -> [String] {
        var names: [String] = []
        for row in try session.rows("SELECT name FROM accounts ORDER BY id") { names.append(try row.text("name")) }
        return names
    }

    /// One account's balance, its row locked where the engine has row locks.
    static func balance(of id: Int, locking: Bool = false, _ session: any Session) throws(SQLError) -> Int64? {
        let lock = locking ? session.dialect.lock : ""
        let rows = try session.rows("SELECT balance FROM accounts WHERE id = \(id) \(unsafeText: lock)")
        return try rows.first?.integer("balance")
    }
}

/// Holds a transaction's body, on the thread it blocks, until the test lets it go on.
final class Gate: Sendable {
    /// A test that fails before it opens the gate would otherwise never end.
    private static let longestSeconds = 30.0

    private let arrived: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let departure = DispatchSemaphore(value: 0)
    private let arrivals = Mutex(0)

    init() {
        (arrived, arrival) = AsyncStream.makeStream()
    }

    /// How many bodies have come here.
    var count: Int { arrivals.withLock { $0 } }

    /// Said by a body: counts it, tells the test that it is here, and blocks.
    func pass() {
        arrivals.withLock { $0 += 1 }
        arrival.yield()
        _ = departure.wait(timeout: .now() + Gate.longestSeconds)
    }

    /// Waits until a body is here.
    func someoneArrives() async {
        for await _ in arrived { return }
    }

    /// Lets so many bodies go on, those that have yet to come included.
    func open(for count: Int = 1) {
        for _ in 0..<count { departure.signal() }
    }
}

/// Waits until a condition holds that another task will bring about; a test's time limit ends the waiting.
func eventually(_ condition: () async throws -> Bool) async throws {
    while try await !condition() {
        try Task.checkCancellation()
        await Task.yield()
    }
}
