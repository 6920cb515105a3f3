import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Steps, what was done about breaks and by hand, and API keys", .timeLimit(.minutes(10)))
struct RecordsKeepTests {
    private static func fill(_ database: any Database) async throws -> APIKeyTable.Key {
        var sample = OrderSample()
        let key = APIKeyTable.Key(id: sample.make(), marketplace: "travel", scopes: ["checkout"], createdAt: sample.now)
        try await database.write { session in
            try session.run(
                """
                INSERT INTO order_step (order_id, version, marketplace, at, document)
                VALUES ('ord_1', 1, 'travel', 1, \(StoredStep.emptyDocument))
                """
            )
            try session.run(
                """
                INSERT INTO recon_break (id, marketplace, key, type, amount, places, explanation, suggestion, state,
                    opened_at, as_of, seen_in, actions)
                VALUES ('brk_1', 'travel', 'k', 'missing', 0, '[]', '', '', 'open', 1, '2026-01-01', '[]', 1)
                """
            )
            try session.run(
                """
                INSERT INTO break_action (break_id, number, actor, reason, at, from_state, to_state)
                VALUES ('brk_1', 1, 'a', 'b', 1, 'open', 'investigating')
                """
            )
            try APIKeyTable.insert(key, hash: "h", in: session)
            let subject = AuditSubject(.key, key.id.text)
            try AuditTrailTable.record(
                .createKey,
                by: .shell("ada", on: nil),
                on: subject,
                of: "travel",
                at: key.createdAt,
                in: session
            )
            let entry = try AuditTrailTable.unsealed(of: "travel", limit: 1, in: session).first
            _ = try entry.map { try AuditTrailTable.seal($0.id, .init(number: 1, hash: "x"), in: session) }
            try AuditTrailTable.record(
                .revokeKey,
                by: .shell("ada", on: nil),
                on: subject,
                of: "travel",
                at: key.createdAt,
                in: session
            )
        }
        return key
    }

    private static let changes: [SQL] = [
        "UPDATE order_step SET at = 2", "UPDATE order_step SET document = answer", "DELETE FROM order_step",
        "UPDATE break_action SET actor = 'b'", "DELETE FROM break_action", "DELETE FROM api_key",
        "UPDATE api_key SET scopes = 'operator'", "UPDATE api_key SET expires_at = 1", "UPDATE api_key SET hash = 'i'",
        "UPDATE api_key SET revoked_at = NULL", "UPDATE api_key SET revoked_at = 8",
        "UPDATE api_key SET last_used_at = 4", "UPDATE api_key SET last_used_at = NULL",
        "UPDATE api_key SET name = 'till 7'", "UPDATE api_key SET networks = '0.0.0.0/0'",
        "UPDATE audit_entry SET number = 2 WHERE number = 1", "UPDATE audit_entry SET hash = 'y' WHERE number = 1",
        "UPDATE audit_entry SET number = NULL, hash = NULL WHERE number = 1", "DELETE FROM audit_entry",
        "DELETE FROM audit_entry WHERE number IS NULL", "UPDATE audit_entry SET actor = 'eve' WHERE number IS NULL",
        "UPDATE audit_entry SET number = 2, hash = 'y', details = '{\"a\":1}' WHERE number IS NULL",
        "UPDATE api_key SET api_version = '2026-11-01'", "UPDATE api_key SET idempotency_key = 'again'",
    ]

    @Test("are not changed and not deleted", arguments: DatabaseEngine.allCases, changes)
    func kept(_ engine: DatabaseEngine, _ change: SQL) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let key = try await Self.fill(database)
            try await database.write { session in
                let used = Timestamp(microseconds: 5)
                try APIKeyTable.recordUse(of: key.id, at: used, since: used, in: session)
                #expect(try APIKeyTable.revoke(key.id, at: Timestamp(microseconds: 7), in: session))
            }
            await #expect(throws: SQLError.constraintViolation(constraint: "append_only")) {
                try await database.write { try $0.run(change) }
            }
        }
    }

    @Test("are not emptied at once", arguments: ["order_step", "break_action", "api_key", "audit_entry"])
    func notEmptied(_ table: String) async throws {
        try await withDatabase(.postgres, prepare: .travel) { database in
            await #expect(throws: SQLError.constraintViolation(constraint: "append_only")) {
                try await database.write { try $0.run("TRUNCATE \(unsafeText: table)") }
            }
        }
    }

    @Test(
        "a key's use is recorded again only behind the pause, and after its end is not taken back",
        arguments: DatabaseEngine.allCases
    )
    func uses(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            let key = try await Self.fill(database)
            for (now, since, expected) in [(10, 0, 10), (20, 10, 10), (30, 11, 30)] as [(Int64, Int64, Int64)] {
                let found = try await database.write { session in
                    try APIKeyTable.recordUse(
                        of: key.id,
                        at: Timestamp(microseconds: now),
                        since: Timestamp(microseconds: since),
                        in: session
                    )
                    return try APIKeyTable.find(hash: "h", in: session)?.lastUsedAt
                }
                #expect(found == Timestamp(microseconds: expected))
            }
        }
    }
}
