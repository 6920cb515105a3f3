import AdapterKit
import Domain
import Foundation
import Gateway
import Keyring
import SQL
import Storage
import Testing
import TributaryTestKit
import Wiring

@Suite("Secrets at rest", .timeLimit(.minutes(10)))
struct SecretsAtRestTests {
    private static let number = "4000056655665556"
    private static let cryptogram = "AgAAAAAAAIR8CQrXcIhbQAAAAAA="
    private static let token = "tok_hotel_ad8f1c0e"
    private static let secrets = [number, cryptogram, token, "key_test"]

    /// A trip paid with a network token and a PSP's own token.
    private static func draft() throws -> OrderDraft {
        var draft = try TestCheckout.trip.draft()
        draft.contexts[0].payment = .init(
            credential: .networkToken(
                NetworkToken(
                    number: Secret(number),
                    expiryMonth: 12,
                    expiryYear: 2031,
                    cryptogram: Secret(cryptogram),
                    eci: "05",
                    source: .applePay
                )
            )
        )
        draft.contexts[1].payment = .init(credential: .pspToken(Secret(token)))
        draft.onDeadline = .continue
        return draft
    }

    /// Everything any table holds, as text.
    private static func dump(_ database: any Database) async throws -> String {
        try await database.read { session in
            let tables = [
                "marketplace", "psp_account", "merchant", "route", "orders", "payment", "work", "operation_failure",
                "psp_name", "effect", "order_step", "attention", "credential", "credential_key", "journal_entry",
                "payout",
                "idempotency_key",
            ]
            var text = ""
            for table in tables {
                for row in try session.rows(SQL(stringLiteral: "SELECT * FROM \(table)")) {
                    text += Self.text(row) + "\n"
                }
            }
            // The documents of steps are packed, which would hide what is in them.
            return try StoredStep.all(in: session).reduce(text) { $0 + $1.text + "\n" }
        }
    }

    /// A row with its bytes as characters.
    private static func text(_ row: Row) -> String {
        var text = ""
        Swift.dump(row, to: &text)
        let bytes = text.components(separatedBy: .newlines).compactMap { line -> Character? in
            guard let value = UInt8(line.split(separator: " ").last ?? "") else { return nil }
            return Character(UnicodeScalar(value))
        }
        return text + String(bytes)
    }

    @Test("none is in any table, while an order is open and when it is done", arguments: DatabaseEngine.allCases)
    func tables(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script(Self.token, .authorize, ScriptedBehaviour(.approve, .delayed))
            await harness.psp.script(Self.number, .authorize, ScriptedBehaviour(.approve, .delayed))
            let instance = harness.instance("one")
            try await instance.driving {
                let draft = try Self.draft()
                async let answer = instance.gateway.place(draft, under: TestCheckout.use("k"))
                try await harness.psp.arrival(of: .authorize, Self.token)
                try await harness.psp.arrival(of: .authorize, Self.number)
                let open = try await Self.dump(harness.database)
                #expect(open.contains("env:SIMULATOR_KEY"))
                for secret in Self.secrets { #expect(!open.contains(secret)) }
                let id = try await harness.order(placedUnder: "k")
                let order = try await harness.order(id)
                let kept = try await harness.database.read { session in
                    try order.payments.prefix(2).map { try CredentialTable.find($0.attempt.id, in: session) }
                }
                #expect(kept.count { $0 != nil } == 2)

                await harness.psp.release(Self.token, .authorize)
                await harness.psp.release(Self.number, .authorize)
                _ = try await answer
                #expect(try await harness.orderAtRest(id).status == .paid)
                let done = try await Self.dump(harness.database)
                for secret in Self.secrets { #expect(!done.contains(secret)) }
                let complaints = try await harness.complaints()
                #expect(complaints == [])
            }
        }
    }

    @Test("none is in the file or its log, while an order is open and when it is done")
    func file() async throws {
        try await DatabaseLocation.with(.sqlite, prepare: .travel) { location in
            guard case .sqlite(let path) = location else { return }
            func found() throws -> [String] {
                try [path, path + "-wal", path + "-shm"].flatMap { name -> [String] in
                    guard FileManager.default.fileExists(atPath: name) else { return [] }
                    let bytes = try Data(contentsOf: URL(fileURLWithPath: name))
                    return (Self.secrets + ["env:SIMULATOR_KEY"]).filter { bytes.range(of: Data($0.utf8)) != nil }
                }
            }
            try await location.withOpen { database in
                let harness = try GatewayHarness(database)
                await harness.psp.script(Self.token, .authorize, ScriptedBehaviour(.approve, .delayed))
                let instance = harness.instance("one")
                let draft = try Self.draft()
                async let answer = instance.gateway.place(draft, under: TestCheckout.use("k"))
                try await harness.psp.arrival(of: .authorize, Self.token)
                // The reference to a secret is there, so the search can find what is there.
                #expect(Set(try found()) == ["env:SIMULATOR_KEY"])
                await harness.psp.release(Self.token, .authorize)
                _ = try await answer
                #expect(Set(try found()) == ["env:SIMULATOR_KEY"])
                // The documents of steps stand packed in the file.
                let steps = try await database.read { try StoredStep.all(in: $0).map(\.text) }
                #expect(steps.contains { $0.contains("order.placed") })
                for secret in Self.secrets { #expect(!steps.contains { $0.contains(secret) }) }
                await harness.end()
            }
            #expect(Set(try found()) == ["env:SIMULATOR_KEY"])
        }
    }

    @Test("a credential is sealed for its attempt alone", arguments: DatabaseEngine.allCases)
    func sealed(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            await harness.psp.script("tok_airline", .authorize, .requestLost, .silence)
            await harness.psp.script("tok_hotel", .authorize, .silence)
            let instance = harness.instance("one")
            let placing = Task { try await instance.place(.trip, key: "k") }
            defer { placing.cancel() }
            let id = try await harness.order(placedUnder: "k")
            let order = try await harness.order(id) { $0.payments[0].state == .unresolved }
            let sealed = try await harness.database.read { session in
                try order.payments.prefix(2).map { try CredentialTable.find($0.attempt.id, in: session) }
            }
            let (airline, hotel) = (try #require(sealed[0]), try #require(sealed[1]))
            #expect(airline.bytes != hotel.bytes)
            #expect(airline.keyID == hotel.keyID)
            let row = try await harness.database.read { session in
                try CredentialKeyID(airline.keyID).flatMap { try CredentialKeyTable.find($0, in: session) }
            }
            let key = try #require(row)
            let ring = Vault(harness.keyring)
            let text = String(decoding: try ring.open(key.sealed, key.id.text), as: UTF8.self)
            let minute = try ring.single(Secret(text), key.id.text)
            #expect(throws: KeyringError.cannotOpen) {
                try minute.open(airline, order.payments[1].attempt.id.text)
            }
            let opened = try minute.open(airline, order.payments[0].attempt.id.text)
            #expect(String(decoding: opened, as: UTF8.self).contains("tok_airline"))
        }
    }

    @Test("a credential whose order was never decided is erased all the same", arguments: DatabaseEngine.allCases)
    func erased(engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine, adapter: MuteAdapter.self, keys: .none) { harness in
            await harness.psp.script("tok_hotel", .authorize, .requestLost)
            let instance = harness.instance("one")
            try await instance.driving {
                let placing = Task { try await instance.place(.trip, key: "k") }
                let id = try await harness.order(placedUnder: "k")
                let attempt = try await harness.order(id) { $0.payments[1].state == .unresolved }.payments[1].attempt.id
                @Sendable func isKept() async throws -> Bool {
                    try await harness.database.read { try CredentialTable.find(attempt, in: $0) } != nil
                }
                #expect(try await isKept())
                harness.clock.advance(milliseconds: harness.settings.decideByMilliseconds)
                _ = try await harness.order(id) { $0.decision.state == .refused }
                #expect(try await isKept())
                harness.clock.advance(milliseconds: 300_000)
                let end = ContinuousClock.now + .patience
                while try await isKept(), ContinuousClock.now < end {
                    // It is looked for once a minute.
                    harness.clock.advance(milliseconds: 60_000)
                    await harness.signal.wait(beyond: harness.signal.count, atMost: .milliseconds(5))
                }
                #expect(try await !isKept())
                _ = await placing.result
            }
        }
    }
}
