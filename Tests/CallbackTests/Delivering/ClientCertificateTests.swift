import AdapterKit
import Domain
import Foundation
import HTTPTransport
import Keyring
import Logging
import SQL
import Storage
import Testing
import TributaryTestKit

@testable import Callbacks
@testable import Wiring

@Suite("An endpoint's client certificate", .timeLimit(.minutes(10)))
struct ClientCertificateTests {
    private typealias Identity = CallbackEndpoint.Identity

    private let authority: TestAuthority

    init() throws { authority = try TestAuthority() }

    @Test("is shown to a server that insists on it", arguments: DatabaseEngine.allCases)
    func shown(engine: DatabaseEngine) async throws {
        let client = try authority.issue(.client)
        let identity = Identity(certificate: "file:" + client.certificate, key: "file:" + client.key)
        let (health, transcript) = try await deliver(engine, showing: identity)
        #expect(health.lastStatus == 200 && health.failures == 0, "\(health)")
        #expect(transcript.contains("POST /hooks HTTP/1.1"))
    }

    @Test("is needed there: without it, or with another's key, nothing is delivered")
    func refused() async throws {
        let (client, other) = (try authority.issue(.client), try authority.issue(.expired))
        let certificate = "file:" + client.certificate
        for (identity, error) in [
            (nil, "tlsFailed"), (Identity(certificate: certificate, key: "file:" + other.key), "tlsFailed"),
            (Identity(certificate: certificate, key: "file:" + (try authority.encrypted(client.key))), "tlsFailed"),
        ] {
            let (health, transcript) = try await deliver(.sqlite, showing: identity)
            #expect(health.failures == 1 && health.lastError?.hasPrefix(error) == true, "\(health)")
            #expect(!transcript.contains("POST"))
        }
    }

    @Test("that cannot be read is no callback's fault: nothing is sent, nothing is counted")
    func unreadable() async throws {
        let client = try authority.issue(.client)
        let identity = Identity(certificate: "file:" + client.certificate, key: "file:/nowhere/client.key")
        let (health, transcript) = try await deliver(.sqlite, showing: identity)
        #expect(health.failures == 1 && health.lastStatus == nil)
        #expect(health.lastError == "the client certificate or its key cannot be read")
        #expect(!transcript.contains("POST"))
    }

    @Test("is tried by the trial of an endpoint as by a delivery, and when only connecting")
    func trial() async throws {
        let client = try authority.issue(.client)
        try await with(showing: Identity(certificate: "file:" + client.certificate, key: "file:" + client.key)) {
            sender,
            secrets,
            endpoint,
            _ in
            let trial = TestDelivery(sender, secrets: secrets)
            #expect(await trial.send(to: endpoint, at: Self.now).reply == .status(200, retryAfter: nil))
            let identity = try secrets.identity(of: endpoint)
            #expect(await sender.obstacle(to: endpoint.url, as: identity) == nil)
            #expect(await sender.obstacle(to: endpoint.url, as: nil)?.hasPrefix("tlsFailed: ") == true)
        }
    }

    private static let now = ManualClock().now()

    private func deliver(
        _ engine: DatabaseEngine,
        showing identity: Identity?
    ) async throws -> (CallbackEndpoint.Health, transcript: String) {
        try await withDatabase(engine, prepare: .travel) { database in
            try await with(showing: identity) { sender, secrets, endpoint, server in
                var ids = IdentifierSource()
                let callback = NewCallback(
                    id: ids.make(at: Self.now),
                    marketplace: "travel",
                    merchant: nil,
                    order: nil,
                    payment: nil,
                    type: "order.paid",
                    sequence: 1,
                    payload: #"{"a":"amount=1"}"#,
                    at: Self.now
                )
                try await database.write { session in
                    try CallbackEndpointTable.save(endpoint, in: session)
                    try Outbox.insert([callback], in: session)
                }
                let ports = CallbackDeliverer.Ports(
                    database: database,
                    sender: sender,
                    secrets: secrets,
                    now: { Self.now },
                    logger: Logger(label: "callbacks") { _ in SwiftLogNoOpLogHandler() }
                )
                #expect(await CallbackDeliverer(ports, instance: "one").beat() == 1)
                let stored = try await database.read { try CallbackEndpointTable.find(endpoint.id, in: $0) }
                return (try #require(stored).health, server.transcript)
            }
        }
    }

    /// Lends a sender that trusts the authority, and an endpoint at a server that insists on its certificates.
    private func with<Value>(
        showing identity: Identity?,
        _ body: (CurlCallbackSender, SecretStore, CallbackEndpoint, TLSServer) async throws -> Value
    ) async throws -> Value {
        let server = try TLSServer(
            authority.issue(.localhost),
            options: ["-Verify", "1", "-verify_return_error", "-CAfile", authority.certificate, "-tls1_2"],
            responder: TLSServer.answeringEachRequest(endingIn: "}")
        )
        return try await withTLSServer(server) { server in
            var ids = IdentifierSource()
            let endpoint = CallbackEndpoint(
                id: ids.make(at: Self.now),
                marketplace: "travel",
                merchant: nil,
                url: "https://localhost:\(server.port)/hooks",
                secrets: CallbackSecrets(.reference(WebhookSigner.usual.reference)),
                identity: identity,
                createdAt: Self.now
            )
            let secrets = SecretStore(try Keyring.fresh()) { reference in
                guard reference.hasPrefix("file:") else { return WebhookSigner.resolve(reference) }
                return Secret(try String(contentsOfFile: String(reference.dropFirst(5)), encoding: .utf8))
            }
            let transport = HTTPTransport()
            let sender = CurlCallbackSender(
                transport,
                AddressPolicy(allowsLoopback: true),
                timeoutMilliseconds: 10_000,
                authorities: .file(authority.certificate)
            )
            let value = try await body(sender, secrets, endpoint, server)
            await transport.stop()
            return value
        }
    }
}
