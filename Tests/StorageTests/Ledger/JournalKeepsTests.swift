import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("The journal's tables", .timeLimit(.minutes(10)))
struct JournalKeepsTests {
    private static let changes: [SQL] = [
        "UPDATE journal_entry SET at = at + 1", "UPDATE journal_entry SET at = at", "DELETE FROM journal_entry",
        "UPDATE journal_entry SET postings = replace(postings, '10', '11')",
    ]

    private static let postings = #"[["psp/a/clearing","marketplace/commission",10]]"#

    private static func insert(
        _ id: String,
        at time: Int64,
        _ postings: String = postings,
        in session: any Session
    ) throws {
        try session.run(
            """
            INSERT INTO journal_entry (id, marketplace, merchant, order_id, payment_id, operation_id, kind, currency, at,
                postings)
            VALUES (\(id), 'travel', 'mer_1', \("ord_" + id), 'pay_1', \("op_" + id), 'capture', 'USD', \(time), \(postings))
            """
        )
    }

    @Test(
        "refuse an entry that does not balance",
        arguments: DatabaseEngine.allCases,
        [
            "[]", #"[["a","b",0]]"#, #"[["a","b",-1]]"#, #"[["a","a",1]]"#, #"[["a","b"]]"#,
            #"[["a","b",1],["a","a",2]]"#, #"["a"]"#, #"[["a","b","1"]]"#, #"[["a","b",1,1]]"#, #"[["a","b",1.5]]"#,
            #"{"a":1}"#,
        ]
    )
    func balanced(_ engine: DatabaseEngine, _ postings: String) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            await #expect(throws: SQLError.constraintViolation(constraint: "journal_entry_balances")) {
                try await database.write { try Self.insert("je_1", at: 7, postings, in: $0) }
            }
        }
    }

    @Test("refuse every change of what is posted", arguments: DatabaseEngine.allCases, changes)
    func kept(_ engine: DatabaseEngine, _ change: SQL) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            try await database.write { try Self.insert("je_1", at: 7, in: $0) }
            await #expect(throws: SQLError.constraintViolation(constraint: "append_only")) {
                try await database.write { try $0.run(change) }
            }
        }
    }

    @Test("refuse to be emptied at once") func notEmptied() async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            await #expect(throws: SQLError.constraintViolation(constraint: "append_only")) {
                try await database.write { try $0.run("TRUNCATE journal_entry") }
            }
        }
    }

    @Test("take nothing into a time that is closed", arguments: DatabaseEngine.allCases)
    func closed(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let closed = Timestamp(microseconds: 3_600_000_000)
            try await database.write { session in
                try Self.insert("je_1", at: 7, in: session)
                try LedgerRollup.close("travel", before: closed, in: session)
            }
            let refusal: SQLError =
                switch engine {
                case .sqlite: .constraintViolation(constraint: "closed_time")
                // Tried again, a gateway's transaction would see what is closed.
                case .postgres: .serializationFailure
                }
            await #expect(throws: refusal) {
                try await database.write { try Self.insert("je_2", at: closed.microseconds - 1, in: $0) }
            }
            try await database.write { try Self.insert("je_3", at: closed.microseconds, in: $0) }
        }
    }
}
