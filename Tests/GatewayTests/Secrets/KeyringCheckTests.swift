import Callbacks
import Domain
import Gateway
import Keyring
import SQL
import Storage
import Testing
import TributaryTestKit
import Wiring

@Suite("A ring and its database", .timeLimit(.minutes(10)))
struct KeyringCheckTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)

    private static func begin(
        _ ring: Keyring,
        _ database: any Database,
        losing lost: Set<String> = []
    ) async throws -> String {
        try await KeyringCheck(database, RingKeys(ring), acceptingLost: lost).begin(at: now).reveal()
    }

    /// Stores an endpoint's secret, sealed with a ring.
    private static func store(_ ring: Keyring, _ database: any Database) async throws {
        let secrets = SecretStore(ring) { _ in throw KeyringError.cannotOpen }
        try await database.write { session in
            var endpoint = try #require(try CallbackEndpointTable.all(of: "travel", in: session).first)
            endpoint.secrets = CallbackSecrets(try secrets.seal(Secret("whsec_1"), endpoint.id))
            try CallbackEndpointTable.save(endpoint, in: session)
        }
    }

    @Test("draw one key of hashes, whoever begins, and keep it through a rotation", arguments: DatabaseEngine.allCases)
    func hashing(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let rings = try RotatedRings()
            async let one = Self.begin(rings.old, database)
            async let two = Self.begin(rings.old, database)
            let keys = try await [one, two, Self.begin(rings.added, database), Self.begin(rings.both, database)]
            #expect(Set(keys).count == 1)
            #expect(keys[0].utf8.count == 2 * Keyring.keyLength)
            _ = try await KeyringRotation(database, RingKeys(rings.both)).run(at: Self.now)
            #expect(try await Self.begin(rings.new, database) == keys[0])
            let checks = try await database.read { try KeyringCheckTable.all(in: $0) }
            #expect(checks.keys.sorted() == ["k1", "k2"])
        }
    }

    @Test("refuse each other for another key under a known name", arguments: DatabaseEngine.allCases)
    func wrong(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let rings = try RotatedRings()
            _ = try await Self.begin(rings.old, database)
            let other = try Keyring.fresh(id: "k1")
            await #expect(throws: KeyringRefusal.wrongKey("k1")) { _ = try await Self.begin(other, database) }
            let beside = try Keyring(current: "k2", keys: ["k1": Keyring.makeKey(), "k2": rings.second])
            await #expect(throws: KeyringRefusal.wrongKey("k1")) {
                try await KeyringCheck(database, RingKeys(beside)).verify(at: Self.now)
            }
            let checks = try await database.read { try KeyringCheckTable.all(in: $0) }
            #expect(checks.keys.sorted() == ["k1"], "what is refused leaves nothing behind")
            #expect(
                KeyringRefusal.wrongKey("k1").description
                    == "the key k1 of the keyring is not the one that this database was used with under that name; "
                    + "put the right key there, and give a new key a new name"
            )
        }
    }

    @Test("refuse each other where no key is known", arguments: DatabaseEngine.allCases)
    func strange(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let rings = try RotatedRings()
            _ = try await Self.begin(rings.old, database)
            let refusal = KeyringRefusal.strangeRing(["k2"], known: ["k1"])
            await #expect(throws: refusal) { _ = try await Self.begin(rings.new, database) }
            await #expect(throws: refusal) { try await KeyringCheck(database, RingKeys(rings.new)).verifyKeys() }
            try await KeyringCheck(database, RingKeys(rings.both)).verifyKeys()
            #expect(
                refusal.description
                    == "this database was used with k1, of which the keyring has none (it has k2); "
                    + "put that key back beside the others"
            )
        }
    }

    @Test("refuse each other while something stored needs a key that is gone", arguments: DatabaseEngine.allCases)
    func lacks(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let rings = try RotatedRings()
            _ = try await Self.begin(rings.both, database)
            try await Self.store(rings.old, database)
            let refusal = KeyringRefusal.lacks([KeyringNeed("k1", .endpointSecrets, 1)])
            await #expect(throws: refusal) { _ = try await Self.begin(rings.new, database) }
            #expect(refusal.description.contains("k1 for 1 endpoint secrets"))
            let result = try await KeyringRotation(database, RingKeys(rings.both)).run(at: Self.now)
            #expect(result.resealed == 1 && result.unreadable == 0)
            _ = try await Self.begin(rings.new, database)
        }
    }

    @Test(
        "go on without a key that is said to be lost, and with a new key of hashes",
        arguments: DatabaseEngine.allCases
    )
    func lost(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let rings = try RotatedRings()
            let before = try await Self.begin(rings.old, database)
            try await Self.store(rings.old, database)
            let after = try await Self.begin(rings.new, database, losing: ["k1"])
            #expect(after != before)
            #expect(try await Self.begin(rings.new, database, losing: ["k1"]) == after)
            let status = try await KeyringRotation(database, RingKeys(rings.new)).status(at: Self.now)
            #expect(status.lines.map(\.key) == ["k2", "k1"])
            #expect(status.lines[1].counts == [.endpointSecrets: 1] && !status.lines[1].isInRing)
            #expect(status.left == 1 && status.removable == [])
        }
    }

    @Test("hash bodies and API keys as they always will")
    func hashes() throws {
        #expect(
            APIKeyHash.of(Array("tk_0123".utf8)) == "6f8460ea55abd3e52fa747fc8e4bb0b2ba40a9a1b270a4faa14d9f4f24525b1a"
        )
        let fingerprints = try Fingerprints(key: Secret(String(repeating: "5a", count: Keyring.keyLength)))
        #expect(
            fingerprints.hash(of: Array("body".utf8))
                == "ca63fe74cc486e6d3cbda21a360ab3d28bfec236dba734fd4eb7a574fc261793"
        )
        #expect(throws: KeyringError.malformedKey("hashing")) { _ = try Fingerprints(key: Secret("5a")) }
    }
}
