import AdapterKit
import Domain
import Keyring
import Logging
import SQL
import Storage
import Testing
import TributaryTestKit
import Wiring

@testable import Gateway

@Suite("Erased credentials", .timeLimit(.minutes(10)))
struct ErasedCredentialsTests {
    private static func keys(_ harness: GatewayHarness) -> CredentialKeys {
        CredentialKeys(
            database: harness.database,
            vault: Vault(harness.keyring),
            clock: harness.clock,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        )
    }

    private static func token(_ details: AuthorizationDetails?) -> String? {
        guard case .pspToken(let token, _) = details?.credential else { return nil }
        return token.reveal()
    }

    /// Stores a credential as placing an order does.
    private static func store(
        _ token: String,
        for attempt: AttemptID,
        with keys: CredentialKeys,
        in harness: GatewayHarness
    ) async throws {
        let sealed = try keys.seal([attempt: AuthorizationDetails(.pspToken(Secret(token)))])
        let eraseAt = harness.clock.now().adding(milliseconds: 3_600_000)
        try await harness.database.write { session in
            try CredentialTable.insert(sealed.rows, eraseAt: eraseAt, in: session)
            if let key = sealed.key { try CredentialKeyTable.insert([key], in: session) }
        }
        keys.confirm(sealed.key)
    }

    private static func stored(_ harness: GatewayHarness) async throws -> [CredentialKeyTable.Key] {
        try await harness.database.read { try CredentialKeyTable.all(in: $0) }
    }

    private static func attempt() -> AttemptID {
        var ids = IdentifierSource()
        return ids.make(at: Timestamp(microseconds: 1_800_000_000_000_000))
    }

    @Test("are opened by no key of the ring with whatever the files still have", arguments: DatabaseEngine.allCases)
    func files(engine: DatabaseEngine) async throws {
        try await DatabaseFiles.with(engine) { files in
            let harness = try GatewayHarness(files.database)
            await harness.psp.script("tok_hotel", .authorize, ScriptedBehaviour(.approve, .delayed))
            let instance = harness.instance("one")
            let placing = Task { try await instance.place(.trip, key: "k") }
            try await harness.psp.arrival(of: .authorize, "tok_hotel")
            let id = try await harness.order(placedUnder: "k")
            let attempts = try await harness.order(id).payments.map(\.attempt.id)
            let open = try await harness.database.read { session in
                try attempts.compactMap { try CredentialTable.find($0, in: session) }
            }
            let wrapped = try await Self.stored(harness)
            #expect(!open.isEmpty && wrapped.count == 1)
            for sealed in open {
                #expect(throws: KeyringError.unknownKey(sealed.keyID)) {
                    for attempt in attempts {
                        _ = try harness.keyring.open(sealed.bytes, keyID: sealed.keyID, context: attempt.text)
                    }
                }
            }
            // What is there is found.
            if engine == .sqlite {
                #expect(try await files.found(wrapped.map(\.sealed.bytes)) == wrapped.map(\.sealed.bytes))
            }
            await harness.psp.release("tok_hotel", .authorize)
            _ = try await placing.value
            _ = try await harness.orderAtRest(id)
            await harness.end()
            let left = try await harness.database.read { session in
                try attempts.compactMap { try CredentialTable.find($0, in: session) }
            }
            #expect(left == [])
            harness.clock.advance(milliseconds: CredentialKeys.lifeMilliseconds)
            try await Self.keys(harness).sweep()
            #expect(try await Self.stored(harness) == [])
            #expect(try await files.found(wrapped.map(\.sealed.bytes)) == [])
        }
    }

    @Test("leave others that are still needed, sealed with a younger key", arguments: DatabaseEngine.allCases)
    func needed(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (keys, other, attempt) = (Self.keys(harness), Self.keys(harness), Self.attempt())
            try await Self.store("tok_needed", for: attempt, with: keys, in: harness)
            let first = try await Self.stored(harness).map(\.id)
            harness.clock.advance(milliseconds: CredentialKeys.lifeMilliseconds)
            try await other.sweep()
            let second = try await Self.stored(harness).map(\.id)
            #expect(first.count == 1 && second.count == 1 && first != second)
            #expect(Self.token(try await other.details(of: attempt)) == "tok_needed")
            #expect(Self.token(try await Self.keys(harness).details(of: attempt)) == "tok_needed")
        }
    }

    @Test(
        "a key seals for a minute, is stored once, and opens for another instance",
        arguments: DatabaseEngine.allCases
    )
    func minute(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, clock: ManualClock()) { harness in
            let (keys, attempts) = (Self.keys(harness), (0..<3).map { _ in Self.attempt() })
            try await Self.store("tok_0", for: attempts[0], with: keys, in: harness)
            harness.clock.advance(milliseconds: CredentialKeys.sealingMilliseconds - 1)
            #expect(try keys.seal([attempts[1]: AuthorizationDetails(.pspToken(Secret("t")))]).key == nil)
            try await Self.store("tok_1", for: attempts[1], with: keys, in: harness)
            #expect(try await Self.stored(harness).count == 1)
            harness.clock.advance(milliseconds: 1)
            try await Self.store("tok_2", for: attempts[2], with: keys, in: harness)
            #expect(try await Self.stored(harness).count == 2)
            let other = Self.keys(harness)
            for (number, attempt) in attempts.enumerated() {
                #expect(Self.token(try await other.details(of: attempt)) == "tok_\(number)")
            }
            harness.clock.advance(milliseconds: CredentialKeys.sealingMilliseconds)
            try await other.sweep()
            #expect(try await Self.stored(harness).count == 2)
        }
    }

    @Test(
        "a key that the database lost in a crash is stored again by whoever made it",
        arguments: DatabaseEngine.allCases
    )
    func lost(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (keys, other, attempt) = (Self.keys(harness), Self.keys(harness), Self.attempt())
            try await Self.store("tok_kept", for: attempt, with: keys, in: harness)
            let before = try await Self.stored(harness)
            try await harness.database.write { try $0.run("DELETE FROM credential_key") }
            await #expect(throws: CredentialKeys.Destroyed.self) { _ = try await other.details(of: attempt) }
            #expect(Self.token(try await keys.details(of: attempt)) == "tok_kept")
            try await keys.sweep()
            #expect(try await Self.stored(harness) == before)
            #expect(Self.token(try await other.details(of: attempt)) == "tok_kept")
            // Its time may be over before anybody looks: what is sealed with it is needed all the same.
            try await harness.database.write { try $0.run("DELETE FROM credential_key") }
            harness.clock.advance(milliseconds: CredentialKeys.lifeMilliseconds + 1)
            try await keys.sweep()
            #expect(try await Self.stored(harness) == before)
            try await keys.sweep()
            #expect(try await Self.stored(harness).map(\.id) != before.map(\.id))
            #expect(Self.token(try await other.details(of: attempt)) == "tok_kept")
        }
    }

    @Test(
        "a credential that an earlier build sealed with the ring itself is opened",
        arguments: DatabaseEngine.allCases
    )
    func earlier(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let attempt = Self.attempt()
            let document = AuthorizationDetails(.pspToken(Secret("tok_old"))).document
            let sealed = try Vault(harness.keyring).seal(document, attempt.text)
            try await harness.database.write { [now = harness.clock.now()] session in
                try CredentialTable.insert([(attempt, sealed)], eraseAt: now, in: session)
            }
            #expect(Self.token(try await Self.keys(harness).details(of: attempt)) == "tok_old")
        }
    }
}
