import Callbacks
import Domain
import Gateway
import Keyring
import SQL
import Storage
import Testing
import TributaryTestKit
import Wiring

@Suite("Rotating the ring", .timeLimit(.minutes(10)))
struct KeyringRotationTests {
    private static let now = Timestamp(microseconds: 1_800_000_000_000_000)
    private struct Stopped: Error {}

    private static func secrets(_ ring: Keyring) -> SecretStore {
        SecretStore(ring) { _ in throw KeyringError.cannotOpen }
    }

    /// Gives every endpoint of the marketplace a secret under a ring, the first one a secret before that, too, and another
    /// one that signs nothing any more; answers them.
    private static func fill(_ ring: Keyring, _ database: any Database) async throws -> [CallbackEndpoint] {
        let secrets = secrets(ring)
        return try await database.write { session in
            var endpoints = try CallbackEndpointTable.all(of: "travel", in: session)
            for index in endpoints.indices {
                let id = endpoints[index].id
                endpoints[index].secrets = CallbackSecrets(try secrets.seal(Secret("whsec_old"), id))
                if index == 0 {
                    let past = now.adding(milliseconds: 1)
                    endpoints[0].secrets.rotate(to: try secrets.seal(Secret("whsec_middle"), id), until: past, at: now)
                    let future = now.adding(milliseconds: 60_000)
                    endpoints[0].secrets.rotate(to: try secrets.seal(Secret("whsec_new"), id), until: future, at: now)
                }
                try CallbackEndpointTable.save(endpoints[index], in: session)
            }
            return endpoints
        }
    }

    /// The moment at which of the first endpoint's three secrets two still sign.
    private static let later = now.adding(milliseconds: 2)

    private static func status(_ ring: Keyring, _ database: any Database) async throws -> KeyringStatus {
        try await KeyringRotation(database, RingKeys(ring)).status(at: later)
    }

    private static func counts(_ status: KeyringStatus) -> [String: [SealedKind: Int64]] {
        Dictionary(status.lines.map { ($0.key, $0.counts) }) { first, _ in first }
    }

    @Test("counts what needs which key, and puts it under the current one", arguments: DatabaseEngine.allCases)
    func counting(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let rings = try RotatedRings()
            _ = try await KeyringCheck(database, RingKeys(rings.old)).begin(at: Self.now)
            let endpoints = try await Self.fill(rings.old, database)
            var ids = IdentifierSource()
            let attempt: AttemptID = ids.make(at: Self.now)
            try await database.write { session in
                let sealed = try Vault(rings.old).seal([1, 2], attempt.text)
                try CredentialTable.insert([(attempt, sealed)], eraseAt: Self.now, in: session)
            }
            let before = try await Self.status(rings.both, database)
            let secrets = Int64(endpoints.count + 1)
            #expect(Self.counts(before)["k1"] == [.credentials: 1, .endpointSecrets: secrets, .hashingKey: 1])
            #expect(before.lines.map(\.key) == ["k2", "k1"] && before.left == secrets + 2 && before.removable == [])

            var told = 0
            let rotation = KeyringRotation(database, RingKeys(rings.both))
            let result = try await rotation.run(at: Self.later) { told += $0 }
            #expect(Int64(result.resealed) == before.left && result.unreadable == 0 && told == result.resealed)
            let after = try await Self.status(rings.both, database)
            #expect(after.left == 0 && after.removable == ["k1"])
            #expect(try await rotation.run(at: Self.later) == KeyringRotation.Result())

            let opened = try await database.read { session in
                let sealed = try #require(try CredentialTable.find(attempt, in: session))
                return try Vault(rings.new).open(sealed, attempt.text)
            }
            #expect(opened == [1, 2])
            let store = Self.secrets(rings.new)
            for (index, known) in endpoints.enumerated() {
                let endpoint = try #require(
                    try await database.read { try CallbackEndpointTable.find(known.id, in: $0) }
                )
                let texts = try endpoint.secrets.valid(at: Self.later).map { try store.open($0, endpoint.id).reveal() }
                #expect(texts == (index == 0 ? ["whsec_new", "whsec_middle"] : ["whsec_old"]))
            }
        }
    }

    @Test("goes on where it was stopped, and writes nothing twice", arguments: DatabaseEngine.allCases)
    func stopped(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let rings = try RotatedRings()
            let endpoints = try await Self.fill(rings.old, database)
            let rotation = KeyringRotation(database, RingKeys(rings.both))
            let whole = try await rotation.status(at: Self.later).left
            await #expect(throws: Stopped.self) {
                try await rotation.run(at: Self.later, batch: 2) { _ in throw Stopped() }
            }
            let left = try await rotation.status(at: Self.later).left
            #expect(left > 0 && left < whole && whole == Int64(endpoints.count + 1))
            let result = try await rotation.run(at: Self.later, batch: 2)
            #expect(Int64(result.resealed) == left)
            #expect(try await rotation.status(at: Self.later).left == 0)
        }
    }

    @Test("leaves alone what somebody changes meanwhile, and what it cannot open", arguments: DatabaseEngine.allCases)
    func races(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let rings = try RotatedRings()
            let first = try await Self.fill(rings.old, database)[1]
            let page = try await database.read { try SealedValues.endpoints(after: "", limit: 100, in: $0) }
            let read = try #require(page.first { $0.id == first.id })
            var changed = first
            changed.secrets = CallbackSecrets(.reference("env:OTHER"))
            try await database.write { [changed] in try CallbackEndpointTable.save(changed, in: $0) }
            let isReplaced = try await database.write { try SealedValues.replace(read, by: read.secrets, in: $0) }
            #expect(!isReplaced)
            let kept = try await database.read { try CallbackEndpointTable.find(first.id, in: $0)?.secrets }
            #expect(kept == changed.secrets)

            let left = try await Self.status(rings.new, database).left
            let result = try await KeyringRotation(database, RingKeys(rings.new)).run(at: Self.later)
            #expect(result.resealed == 0 && Int64(result.unreadable) == left && left > 0)
            let status = try await Self.status(rings.new, database)
            #expect(status.left == left && status.lines.map(\.isInRing) == [true, false])
        }
    }

    @Test(
        "goes on beside orders, whose credentials a ring without the old key opens",
        arguments: DatabaseEngine.allCases
    )
    func underLoad(_ engine: DatabaseEngine) async throws {
        try await withDatabase(engine, prepare: .listening) { database in
            let rings = try RotatedRings()
            let harness = try GatewayHarness(database, keyring: rings.added)
            await harness.psp.script("tok_hotel", .authorize, .init(.approve, .delayed))
            let (before, beside) = (harness.instance("before"), harness.instance("beside", keyring: rings.both))
            try await before.driving {
                async let answer = before.place(TestCheckout([.init("hotel", 1_500)]), key: "open")
                try await harness.psp.arrival(of: .authorize, "tok_hotel")
                let open = try await harness.order(placedUnder: "open")
                let counted = Self.counts(try await Self.status(rings.both, database))
                #expect(counted["k1"] == [.credentialKeys: 1])
                let rotation = KeyringRotation(database, RingKeys(rings.both))
                try await beside.driving {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for number in 0..<4 {
                            let checkout = TestCheckout([.init("airline", 1_000, token: "tok_\(number)")])
                            group.addTask { _ = try await beside.place(checkout, key: "load\(number)") }
                        }
                        group.addTask { _ = try await rotation.run(at: Self.later) }
                        try await group.waitForAll()
                    }
                }
                #expect(try await rotation.status(at: Self.later).left == 0)
                // Whoever has the new key alone opens what the old one had sealed.
                let attempt = try await harness.order(open).payments[0].attempt.id
                let document = try await database.read { session in
                    let sealed = try #require(try CredentialTable.find(attempt, in: session))
                    let id = try #require(CredentialKeyID(sealed.keyID))
                    let key = try #require(try CredentialKeyTable.find(id, in: session))
                    let minute = try Vault(rings.new).open(key.sealed, id.text)
                    let own = try Vault(rings.new).single(Secret(String(decoding: minute, as: UTF8.self)), id.text)
                    return try own.open(sealed, attempt.text)
                }
                #expect(String(decoding: document, as: UTF8.self).contains("tok_hotel"))
                await harness.psp.release("tok_hotel", .authorize)
                #expect(try await answer.order == open)
                #expect(try await harness.orderAtRest(open).status == .paid)
            }
            _ = try await KeyringCheck(database, RingKeys(rings.new)).begin(at: Self.later)
            let last = harness.instance("last", keyring: rings.new)
            try await last.driving {
                let order = try await last.place(TestCheckout([.init("taxi", 900)]), key: "last").order
                #expect(try await harness.orderAtRest(order).status == .paid)
            }
            #expect(try await harness.complaints() == [])
            await harness.end()
        }
    }
}
