import AdapterKit
import Callbacks
import Domain
import SQL
import Storage
import Testing
import TributaryTestKit

@Suite("A delivery's signature", .timeLimit(.minutes(10)))
struct SignatureTests {
    private static func key(_ signer: WebhookSigner) throws -> SigningKey {
        try #require(StandardWebhooks.key(signer.secret))
    }

    @Test(
        "is of the identifier, the time and the body, which is what was written down",
        arguments: DatabaseEngine.allCases
    )
    func single(engine: DatabaseEngine) async throws {
        let server = try ScriptedServer(each: .readRequest, .ok)
        try await DeliveryStage.with(engine, at: [server]) { stage in
            let callback = try await stage.write(1)[0]
            #expect(await stage.deliverer().beat() == 1)
            let request = try #require(server.requests.first)
            #expect(request.line == "POST /hooks HTTP/1.1")
            #expect(request.header("Content-Type") == "application/json")
            #expect(request.body == Array(callback.payload.utf8))
            #expect(request.header("webhook-id") == callback.id.text)
            #expect(request.header("webhook-timestamp") == "\(stage.clock.now().microseconds / 1_000_000)")
            let incoming = request.incoming(at: stage.clock.now())
            #expect(try StandardWebhooks.verify(incoming, with: [Self.key(.usual)]) == callback.id.text)
            #expect(throws: WebhookRefusal.wrongSignature) {
                try StandardWebhooks.verify(incoming, with: [Self.key(.stranger)])
            }
        }
    }

    @Test("is made with both secrets while one replaces the other, and with the new one alone afterwards")
    func rotation() async throws {
        let server = try ScriptedServer(each: .readRequest, .ok)
        var secrets = CallbackSecrets(.reference(WebhookSigner.usual.reference))
        let start = ManualClock().now()
        secrets.rotate(
            to: .reference(WebhookSigner.stranger.reference),
            until: start.adding(milliseconds: 60_000),
            at: start
        )
        try await DeliveryStage.with(.sqlite, at: [server], secrets: secrets) { stage in
            for (second, signers): (Int, [WebhookSigner]) in [(0, [.stranger, .usual]), (1, [.stranger])] {
                try await stage.write(1)
                #expect(await stage.deliverer().beat() == 1)
                let request = server.requests[second]
                #expect(request.header("webhook-signature")?.split(separator: " ").count == signers.count)
                for signer in signers {
                    let incoming = request.incoming(at: stage.clock.now())
                    #expect(try StandardWebhooks.verify(incoming, with: [Self.key(signer)]).hasPrefix("cb_"))
                }
                stage.clock.advance(milliseconds: 60_000)
            }
            #expect(throws: WebhookRefusal.wrongSignature) {
                let incoming = server.requests[1].incoming(at: stage.clock.now())
                _ = try StandardWebhooks.verify(incoming, with: [Self.key(.usual)])
            }
        }
    }

    @Test("is made with a sealed secret too, which opens for its endpoint alone")
    func sealed() async throws {
        let server = try ScriptedServer(each: .readRequest, .ok)
        try await DeliveryStage.with(.sqlite, at: [server]) { stage in
            let secret = SigningSecret.make()
            #expect(SigningSecret.problem(with: secret) == nil)
            var endpoint = stage.endpoints[0]
            endpoint.secrets = CallbackSecrets(try stage.secrets.seal(secret, endpoint.id))
            let changed = endpoint
            #expect(!changed.secrets.text.contains(secret.reveal().dropFirst(6)))
            try await stage.database.write { try CallbackEndpointTable.save(changed, in: $0) }
            try await stage.write(1)
            #expect(await stage.deliverer().beat() == 1)
            let key = try #require(StandardWebhooks.key(secret))
            let incoming = try #require(server.requests.first).incoming(at: stage.clock.now())
            #expect(try StandardWebhooks.verify(incoming, with: [key]).hasPrefix("cb_"))
            var ids = IdentifierSource()
            let stranger: EndpointID = ids.make(at: stage.clock.now())
            #expect(throws: (any Error).self) { try stage.secrets.open(changed.secrets.current, stranger) }
        }
    }

    @Test("that cannot be made is no callback's fault: nothing is sent, nothing is counted")
    func unusable() async throws {
        let server = try ScriptedServer(each: .readRequest, .ok)
        let kept = CallbackSecrets(.sealed(keyID: "gone", hexadecimal: "00"))
        try await DeliveryStage.with(.sqlite, at: [server], secrets: kept) { stage in
            let callback = try await stage.write(1)[0]
            #expect(await stage.deliverer().beat() == 1)
            #expect(server.connections == 0)
            let stored = try #require(try await stage.stored(callback.id))
            #expect(stored.attempts == 0 && stored.state == .waiting)
            let health = try #require(try await stage.endpoint()).health
            #expect(health.failures == 1 && health.retryAt != nil)
            #expect(health.lastError == "the signing secret cannot be read or is not base 64")
        }
    }

    @Test(
        "needs a secret of 24 to 64 bytes",
        arguments: [(23, false), (24, true), (64, true), (65, false), (0, false)]
    )
    func lengths(count: Int, isSound: Bool) {
        let secret = StandardWebhooks.secret(of: Array(repeating: 7, count: count))
        #expect((SigningSecret.problem(with: secret) == nil) == isSound)
        #expect(SigningSecret.problem(with: Secret("whsec_???")) != nil)
    }
}
