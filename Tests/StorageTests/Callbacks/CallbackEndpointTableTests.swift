import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("Endpoints", .timeLimit(.minutes(10)))
struct CallbackEndpointTableTests {
    @Test(
        "are one for each owner, which keeps its name and its state when it is saved again",
        arguments: DatabaseEngine.allCases
    )
    func saving(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, merchants: 1) { database, endpoints, _ in
            let (own, merchants) = (endpoints[0], endpoints[1])
            func all() async throws -> [CallbackEndpoint] {
                try await database.read { try CallbackEndpointTable.all(of: "travel", in: $0) }
            }
            #expect(try await all() == endpoints)
            var sample = OutboxSample()
            var again = sample.endpoint(url: "https://elsewhere.example/")
            again.secrets = CallbackSecrets(.sealed(keyID: "k1", hexadecimal: "0a"))
            again.identity = .init(certificate: "file:/etc/client.pem", key: "env:CLIENT_KEY")
            let changed = again
            try await database.write { session in
                #expect(try CallbackEndpointTable.disable(own.id, because: .undeclared, in: session))
                try CallbackEndpointTable.save(changed, in: session)
            }
            let saved = try #require(
                try await database.read { try CallbackEndpointTable.find(of: "travel", merchant: nil, in: $0) }
            )
            #expect(saved.id == own.id && saved.createdAt == own.createdAt)
            #expect(saved.url == changed.url && saved.secrets == changed.secrets)
            #expect(saved.identity == changed.identity && endpoints[0].identity == nil)
            for column: SQL in ["client_certificate", "client_key"] {
                await #expect(throws: SQLError.self, "half a pair is none") {
                    try await database.write { session in
                        try session.run("UPDATE callback_endpoint SET \(column) = NULL WHERE id = \(own.id)")
                    }
                }
            }
            #expect(saved.state == .disabled && saved.reason == .undeclared)
            #expect(try await all() == [saved, merchants])
            #expect(try await database.read { try CallbackEndpointTable.all(of: "other", in: $0) } == [])
            #expect(try await database.read { try CallbackEndpointTable.all(of: nil, in: $0) }.count == 2)
            let merchant = merchants.merchant
            let found = try await database.read { session in
                try CallbackEndpointTable.find(of: "travel", merchant: merchant, in: session)
            }
            #expect(found == merchants)
        }
    }

    @Test("are in nobody's hand once they are enabled", arguments: DatabaseEngine.allCases)
    func enabledInHand(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, callbacks: 1) { database, endpoints, _ in
            let (id, now) = (endpoints[0].id, OutboxSample.now)
            let until = now.adding(milliseconds: 1)
            func claim(as holder: String) async throws -> CallbackQueue.Claim? {
                try await database.write { session in
                    try CallbackQueue.claim(id, as: holder, at: now, until: until, limit: 1, in: session)
                }
            }
            let first = try #require(try await claim(as: "a"))
            #expect(try await claim(as: "b") == nil)
            #expect(try await database.write { try CallbackEndpointTable.enable(id, in: $0) })
            let isOurs = try await database.write { try CallbackQueue.release(first, first.endpoint.health, in: $0) }
            #expect(!isOurs)
            #expect(try await claim(as: "b") != nil)
        }
    }

    @Test("are disabled once and enabled as if nothing had failed", arguments: DatabaseEngine.allCases)
    func states(engine: DatabaseEngine) async throws {
        try await OutboxSample.withEndpoints(engine, callbacks: 1) { database, endpoints, _ in
            let id = endpoints[0].id
            var health = CallbackEndpoint.Health()
            health.failures = 3
            health.failingSince = OutboxSample.now
            health.retryAt = OutboxSample.now.adding(milliseconds: 1)
            health.lastStatus = 500
            health.lastError = "HTTP 500"
            let failing = health
            try await database.write { session in
                let claim = try #require(
                    try CallbackQueue.claim(
                        id,
                        as: "a",
                        at: OutboxSample.now,
                        until: OutboxSample.now.adding(milliseconds: 1),
                        limit: 1,
                        in: session
                    )
                )
                #expect(try CallbackQueue.release(claim, failing, in: session))
                #expect(try CallbackEndpointTable.disable(id, because: .gone, in: session))
                #expect(try CallbackEndpointTable.disable(id, because: .undeclared, in: session) == false)
            }
            let disabled = try #require(try await database.read { try CallbackEndpointTable.find(id, in: $0) })
            #expect(disabled.state == .disabled && disabled.reason == .gone && disabled.health == failing)
            #expect(try await database.write { try CallbackEndpointTable.enable(id, in: $0) })
            let enabled = try #require(try await database.write { try CallbackEndpointTable.lock(id, in: $0) })
            #expect(enabled.state == .enabled && enabled.reason == nil && enabled.health.failures == 0)
            #expect(enabled.health.retryAt == nil && enabled.health.failingSince == nil)
            #expect(enabled.health.lastStatus == 500)
            var sample = OutboxSample()
            let unknown: EndpointID = sample.make()
            #expect(try await database.write { try CallbackEndpointTable.enable(unknown, in: $0) } == false)
        }
    }
}
