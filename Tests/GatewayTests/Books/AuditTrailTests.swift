import Domain
import Gateway
import SQL
import Storage
import StrictJSON
import Testing
import TributaryTestKit

@Suite("The audit trail", .timeLimit(.minutes(10)))
struct AuditTrailTests {
    private static let start: Int64 = 1_700_000_000_000_000

    /// Writes down that merchants were paused, one microsecond after the other, in one transaction.
    private static func record(
        _ merchants: [String],
        of marketplace: String = "travel",
        from moment: Int64 = start,
        in database: any Database
    ) async throws {
        try await database.write { session in
            for (place, merchant) in merchants.enumerated() {
                try AuditTrailTable.record(
                    .pauseMerchant,
                    by: .shell("ada", on: "till-7"),
                    on: AuditSubject(.merchant, merchant),
                    of: marketplace,
                    at: Timestamp(microseconds: moment + Int64(place)),
                    ["place": .integer(Int64(place))],
                    in: session
                )
            }
        }
    }

    private static func chain(
        of marketplace: String = "travel",
        _ database: any Database
    ) async throws -> [AuditTrailTable.Entry] {
        try await database.read { session in
            try AuditTrailTable.chain(of: marketplace, after: 0, limit: 1_000, in: session)
        }
    }

    private static func verify(
        _ database: any Database,
        having heads: [AuditHead] = []
    ) async throws -> AuditTrail.Verification {
        try await AuditTrail(of: "travel", in: database).verify(having: heads)
    }

    @Test("has the hash that its page says, over the text that its page says", arguments: DatabaseEngine.allCases)
    func format(_ engine: DatabaseEngine) async throws {
        // printf '%064d\n1\n{}' 0 | sha256sum
        let known = "857ee6299d26533d1f5f46c02209ae8bc34dc4898a8a9545493946b4ea59d6f3"
        #expect(AuditHash.hash("{}", number: 1, after: AuditHash.origin) == known)
        try await withDatabase(engine, prepare: .travel) { database in
            try await Self.record(["a", "b"], in: database)
            #expect(try await AuditSealer.seal("travel", in: database) == 2)
            let entries = try await Self.chain(database)
            #expect(entries.map(\.subject) == ["a", "b"] && entries.map(\.seal?.number) == [1, 2])
            let first = try #require(entries.first)
            let text =
                #"{"id":"\#(first.id)","marketplace":"travel","at":1700000000000000,"act":"merchant.pause","#
                + #""actor":{"kind":"shell","id":"ada","origin":"till-7"},"#
                + #""subject":{"kind":"merchant","id":"a"},"details":{"place":0}}"#
            #expect(first.canonicalText == text)
            let hash = AuditHash.hash(text, number: 1, after: AuditHash.origin)
            #expect(first.seal?.hash == hash)
            #expect(entries[1].seal?.hash == AuditHash.hash(entries[1].canonicalText, number: 2, after: hash))
        }
    }

    /// What is done to five sealed entries, and what verifying finds of it.
    struct Damage: Sendable, CustomTestStringConvertible {
        let changes: [SQL]
        let missing: [Int64]
        let changed: [Int64]

        var testDescription: String { "\(changes)" }

        init(_ changes: SQL..., missing: [Int64] = [], changed: [Int64] = []) {
            (self.changes, self.missing, self.changed) = (changes, missing, changed)
        }
    }

    private static let damages = [
        Damage("UPDATE audit_entry SET subject = 'x' WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET subject_kind = 'order' WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET act = 'merchant.resume' WHERE number = 1", changed: [1]),
        Damage("UPDATE audit_entry SET act = 'nothing' WHERE number = 5", changed: [5]),
        Damage("UPDATE audit_entry SET actor = 'eve' WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET actor_kind = 'key' WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET actor_name = 'eve' WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET shown_key = 'key_1' WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET origin = NULL WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET request = 'req_1' WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET details = '{' WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET at = at + 1 WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET id = 'aud_1' WHERE number = 3", changed: [3]),
        Damage("UPDATE audit_entry SET marketplace = 'other' WHERE number = 3", missing: [3]),
        Damage("UPDATE audit_entry SET hash = 'x' WHERE number = 3", changed: [3, 4]),
        Damage("DELETE FROM audit_entry WHERE number = 3", missing: [3]),
        Damage("DELETE FROM audit_entry WHERE number = 1", missing: [1]),
        // Reordered.
        Damage(
            "UPDATE audit_entry SET number = 100 WHERE number = 3",
            "UPDATE audit_entry SET number = 3 WHERE number = 4",
            "UPDATE audit_entry SET number = 4 WHERE number = 100",
            changed: [3, 4, 5]
        ),
        // Inserted.
        Damage(
            """
            INSERT INTO audit_entry (id, marketplace, at, act, actor_kind, actor, subject_kind, subject, details, number,
                hash)
            VALUES ('aud_1', 'travel', 1, 'order.refund', 'shell', 'ada', 'order', 'ord_1', '{}', 6, 'x')
            """,
            changed: [6]
        ),
    ]

    @Test("shows what was changed, removed, inserted or moved", arguments: DatabaseEngine.allCases, damages)
    func damaged(_ engine: DatabaseEngine, _ damage: Damage) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            try await Self.record(["a", "b", "c", "d", "e"], in: database)
            try await AuditSealer.seal("travel", in: database)
            let intact = try await Self.verify(database)
            #expect(intact.findings.isEmpty && intact.count == 5 && intact.head.number == 5)
            try await database.write { session in
                try session.letAuditTrailBeChanged()
                for change in damage.changes { try session.run(change) }
            }
            let found = try await Self.verify(database).findings
            let missing = found.compactMap { if case .missing(let number) = $0 { number } else { nil } }
            let changed = found.compactMap { if case .changed(let number, id: _) = $0 { number } else { nil } }
            #expect(missing == damage.missing && changed == damage.changed, "\(found)")
        }
    }

    @Test(
        "that ends earlier than it did, or was written anew, shows against a head that somebody kept",
        arguments: DatabaseEngine.allCases
    )
    func truncated(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            try await Self.record(["a", "b", "c"], in: database)
            try await AuditSealer.seal("travel", in: database)
            let head = try await Self.verify(database).head
            #expect(AuditHead("\(head)") == head)
            try await Self.record(["d"], from: Self.start + 10, in: database)
            try await AuditSealer.seal("travel", in: database)
            #expect(try await Self.verify(database, having: [.empty, head]).findings.isEmpty)
            try await database.write { session in
                try session.letAuditTrailBeChanged()
                try session.run("DELETE FROM audit_entry WHERE number > 2")
            }
            let found = try await Self.verify(database, having: [head])
            #expect(try await Self.verify(database).findings.isEmpty)
            #expect(found.findings == [.lost(head, found: nil)])
            try await Self.record(["x"], from: Self.start + 20, in: database)
            try await AuditSealer.seal("travel", in: database)
            let anew = try await Self.verify(database, having: [head])
            #expect(anew.findings == [.lost(head, found: anew.head.hash)])
        }
    }

    @Test("is sealed once by many at once, without a gap", arguments: DatabaseEngine.allCases)
    func race(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            try await Self.record((0..<220).map { "m\($0)" }, in: database)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<4 { group.addTask { try await AuditSealer.seal("travel", in: database) } }
                try await group.waitForAll()
            }
            // Who was overtaken leaves the rest to others.
            try await AuditSealer.seal("travel", in: database)
            let result = try await Self.verify(database)
            #expect(result.findings.isEmpty && result.count == 220 && result.unsealed.count == 0)
            #expect(try await Self.chain(database).map(\.subject) == (0..<220).map { "m\($0)" })
        }
    }

    @Test(
        "waits for its seal where who acted ends behind the act, and has what began earlier and ended later",
        arguments: DatabaseEngine.allCases
    )
    func late(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .travel) { database in
            try await Self.record(["a"], from: Self.start + 5, in: database)
            let waiting = try await Self.verify(database)
            #expect(waiting.unsealed.count == 1)
            #expect(waiting.unsealed.oldest == Timestamp(microseconds: Self.start + 5))
            #expect(waiting.count == 0 && waiting.head == .empty && waiting.findings.isEmpty)
            #expect(try await database.read { try AuditTrailTable.marketplacesToSeal(in: $0) } == ["travel"])
            try await AuditSealer.seal("travel", in: database)
            try await Self.record(["late"], in: database)
            try await Self.record(["elsewhere"], of: "other", in: database)
            try await AuditSealer.seal("travel", in: database)
            #expect(try await Self.chain(database).map(\.subject) == ["a", "late"])
            #expect(try await Self.verify(database).findings.isEmpty)
            try await AuditSealer.seal("other", in: database)
            #expect(try await Self.chain(of: "other", database).map(\.seal?.number) == [1])
            #expect(try await database.read { try AuditTrailTable.marketplacesToSeal(in: $0) } == [])
        }
    }

    @Test("has nothing of an act that was taken back", arguments: DatabaseEngine.allCases)
    func takenBack(_ engine: DatabaseEngine) async throws {
        struct Stop: Error {}
        try await withDatabase(engine, prepare: .travel) { database in
            await #expect(throws: Stop.self) {
                try await database.write { session in
                    try AuditTrailTable.record(
                        .apply,
                        by: .shell("ada", on: nil),
                        on: AuditSubject(.marketplace, "travel"),
                        of: "travel",
                        at: Timestamp(microseconds: Self.start),
                        in: session
                    )
                    throw Stop()
                }
            }
            let result = try await Self.verify(database)
            #expect(result.unsealed.count == 0)
        }
    }

    @Test("is handed out line by line, and each line is held to the one before")
    func export() async throws {
        try await withDatabase(.sqlite, prepare: .travel) { database in
            try await Self.record(["a", "b \"quoted\"", "c"], in: database)
            try await AuditSealer.seal("travel", in: database)
            var lines: [[UInt8]] = []
            let head = try await AuditTrail(of: "travel", in: database).export { lines.append(Array($0.utf8)) }
            #expect(try await Self.verify(database).head == head && lines.count == 3)
            func read(_ lines: [[UInt8]]) -> (isWhole: Bool, head: AuditHead) {
                var reader = AuditExportReader()
                let isWhole = lines.allSatisfy { reader.take($0) }
                return (isWhole, reader.head)
            }
            #expect(read(lines) == (true, head))
            #expect(!read([lines[0], lines[2]]).isWhole && !read([lines[1]]).isWhole)
            let edited = Array(String(decoding: lines[1], as: UTF8.self).replacing("ada", with: "eve").utf8)
            #expect(!read([lines[0], edited]).isWhole)
            #expect(!read([Array("{}".utf8)]).isWhole && !read([[]]).isWhole)
        }
    }
}
