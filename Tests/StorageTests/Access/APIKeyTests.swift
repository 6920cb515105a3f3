import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("API keys in the database", .timeLimit(.minutes(10)))
struct APIKeyTests {
    @Test("are found by any of their hashes, and are valid until revoked", arguments: DatabaseEngine.allCases)
    func life(engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            var sample = OrderSample()
            let now = sample.now
            let keys = [["checkout", "operator"], ["merchant:hotel"]].map { scopes in
                APIKeyTable.Key(id: sample.make(), marketplace: "travel", scopes: Set(scopes), createdAt: now)
            }
            try await database.write { session in
                try APIKeyTable.insert(keys[0], hash: "h0", in: session)
                try APIKeyTable.insert(keys[1], hash: "h1", in: session)
            }
            try await database.read { session throws in
                #expect(try APIKeyTable.find(hash: "h0", in: session) == keys[0])
                #expect(try APIKeyTable.find(hash: "other", in: session) == nil)
                #expect(try APIKeyTable.all(in: session) == keys)
            }
            let revoked = try await database.write { session in
                [
                    try APIKeyTable.revoke(keys[0].id, at: now, in: session),
                    try APIKeyTable.revoke(keys[0].id, at: now, in: session),
                ]
            }
            #expect(revoked == [true, false])
            try await database.read { session throws in
                #expect(try APIKeyTable.find(hash: "h0", in: session)?.isValid(at: now) == false)
                #expect(try APIKeyTable.all(in: session).map(\.revokedAt) == [now, nil])
            }
        }
    }

    @Test("cannot share a hash, or belong to no marketplace", arguments: DatabaseEngine.allCases)
    func constraints(engine: DatabaseEngine) async throws {
        let taken: [DatabaseEngine: SQLError] = [
            .sqlite: .uniqueViolation(constraint: "api_key.hash"),
            .postgres: .uniqueViolation(constraint: "api_key_hash_key"),
        ]
        let homeless: [DatabaseEngine: SQLError] = [
            .sqlite: .constraintViolation(constraint: "FOREIGN KEY"),
            .postgres: .constraintViolation(constraint: "api_key_marketplace_fkey"),
        ]
        let expected = (try #require(taken[engine]), try #require(homeless[engine]))
        try await withDatabase(engine, prepare: .travel) { database in
            var sample = OrderSample()
            let keys = ["travel", "travel", "nowhere"].map { marketplace in
                APIKeyTable.Key(
                    id: sample.make(),
                    marketplace: marketplace,
                    scopes: ["checkout"],
                    createdAt: sample.now
                )
            }
            try await database.write { try APIKeyTable.insert(keys[0], hash: "h", in: $0) }
            await #expect(throws: expected.0) {
                try await database.write { try APIKeyTable.insert(keys[1], hash: "h", in: $0) }
            }
            await #expect(throws: expected.1) {
                try await database.write { try APIKeyTable.insert(keys[2], hash: "i", in: $0) }
            }
        }
    }
}
