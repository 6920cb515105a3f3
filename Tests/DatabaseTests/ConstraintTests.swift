import SQL
import Testing
import TributaryTestKit

@Suite("A violated constraint", .timeLimit(.minutes(10)))
struct ConstraintTests {
    /// A statement against the filled accounts, and what each engine says to it.
    struct Violation: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let statement: SQL
        let errors: [DatabaseEngine: SQLError]
    }

    static let violations = [
        Violation(
            testDescription: "unique",
            statement: AccountTables.open(3, "a"),
            errors: [
                .sqlite: .uniqueViolation(constraint: "accounts.name"),
                .postgres: .uniqueViolation(constraint: "accounts_name_unique"),
            ]
        ),
        Violation(
            testDescription: "primary key",
            statement: AccountTables.open(1, "c"),
            errors: [
                .sqlite: .uniqueViolation(constraint: "accounts.id"),
                .postgres: .uniqueViolation(constraint: "accounts_pkey"),
            ]
        ),
        Violation(
            testDescription: "check",
            statement: "UPDATE accounts SET balance = balance - \(101) WHERE id = 1",
            errors: [
                .sqlite: .constraintViolation(constraint: "accounts_balance_check"),
                .postgres: .constraintViolation(constraint: "accounts_balance_check"),
            ]
        ),
        Violation(
            testDescription: "not null",
            statement: "UPDATE accounts SET name = \(SQLValue.null) WHERE id = 1",
            errors: [
                .sqlite: .constraintViolation(constraint: "accounts.name"),
                .postgres: .constraintViolation(constraint: "accounts.name"),
            ]
        ),
        Violation(
            testDescription: "foreign key",
            statement: "INSERT INTO notes (id, account, owner) VALUES (1, 1, \(9))",
            errors: [
                .sqlite: .constraintViolation(constraint: "FOREIGN KEY"),
                .postgres: .constraintViolation(constraint: "notes_owner_exists"),
            ]
        ),
        Violation(
            testDescription: "foreign key checked at the commit",
            statement: "INSERT INTO notes (id, account) VALUES (1, \(9))",
            errors: [
                .sqlite: .constraintViolation(constraint: "FOREIGN KEY"),
                .postgres: .constraintViolation(constraint: "notes_account_exists"),
            ]
        ),
    ]

    @Test("is told by its kind and name", arguments: violations, DatabaseEngine.allCases)
    func isTold(_ violation: Violation, _ engine: DatabaseEngine) async throws {
        let expected = try #require(violation.errors[engine])
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            await #expect(throws: expected) {
                try await database.write { session in
                    try session.run("UPDATE accounts SET balance = 0 WHERE id = 2")
                    try session.run(violation.statement)
                }
            }
            let found = try await database.read { try AccountTables.balance(of: 2, $0) }
            #expect(found == 100)
        }
    }

    @Test("of the schema's types is a broken statement, told without its values", arguments: DatabaseEngine.allCases)
    func hidesValues(_ engine: DatabaseEngine) async throws {
        let errors: [DatabaseEngine: SQLError] = [
            .sqlite: .broken("cannot store TEXT value in INTEGER column accounts.balance"),
            .postgres: .broken("PostgreSQL refused a statement (SQLSTATE 22P02)"),
        ]
        let error = try #require(errors[engine])
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            await #expect(throws: error) {
                try await database.write { try $0.run("UPDATE accounts SET balance = \("4111111111111111x")") }
            }
        }
    }

    @Test("differs from a statement that is wrong", arguments: DatabaseEngine.allCases)
    func tellsBrokenStatements(_ engine: DatabaseEngine) async throws {
        let errors: [DatabaseEngine: SQLError] = [
            .sqlite: .broken("no such table: nowhere"),
            .postgres: .broken("relation \"nowhere\" does not exist (SQLSTATE 42P01)"),
        ]
        let error = try #require(errors[engine])
        try await withDatabase(engine, prepare: AccountTables.filled) { database in
            await #expect(throws: error) {
                _ = try await database.read { try $0.rows("SELECT 1 FROM nowhere WHERE id = \("secret")") }
            }
        }
    }
}
