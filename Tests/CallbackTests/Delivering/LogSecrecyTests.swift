import AdapterKit
import Callbacks
import Domain
import HTTPTransport
import InMemoryLogging
import Keyring
import Logging
import SQL
import Storage
import Testing
import TributaryTestKit
import Wiring

@Suite("Callback bodies and secrets", .timeLimit(.minutes(10)))
struct LogSecrecyTests {
    private static let marker = "Zürich-73194682"
    private static let payload = #"{"type":"order.paid","data":{"name":"\#(marker)"}}"#
    private static let path = "hooks?token=hush-82957316"

    /// How an endpoint answers; those that speak say again what they were told.
    private static let answers: [[ServerStep]] = [
        [.readRequest, .ok], [.readRequest, .write("HTTP/1.1 500 \(marker)\r\nX: \(payload)\r\n\r\n\(payload)")],
        [.readRequest, .write("HTTP/1.1 410 \(marker)\r\nContent-Length: 0\r\n\r\n")],
        [.readRequest, .write("HTTP/1.1 301 Over\r\nLocation: https://\(marker)/\r\nContent-Length: 0\r\n\r\n")],
        [.readRequest, .write("\(payload)\r\n\r\n")], [.readRequest], [.readRequest, .reset], [.readRequest, .stall],
        [.readRequest, .write("HTTP/1.1 429 No\r\nRetry-After: \(marker)\r\nContent-Length: 0\r\n\r\n")],
    ]

    @Test("never reach a log at any level, nor what is kept of a failure", arguments: DatabaseEngine.allCases)
    func logs(engine: DatabaseEngine) async throws {
        let log = InMemoryLogHandler()
        for steps in Self.answers {
            let server = try ScriptedServer { _ in steps }
            try await deliver(engine, at: server, into: log)
            #expect(server.requests.count == 1)
        }
        let text = Self.text(of: log)
        #expect(text.contains("a callback was delivered") && text.contains("a callback was not taken"))
        #expect(text.contains("an endpoint was disabled"))
        #expect(Self.traces(in: text) == [])
    }

    @Test("nor when the secret cannot be read, or the database fails while its outcome is stored")
    func troubles() async throws {
        let log = InMemoryLogHandler()
        let unreadable = SecretStore(try Keyring.fresh()) { reference in
            struct Told: Error { let secret: String }
            throw Told(secret: WebhookSigner.resolve(reference).reveal())
        }
        let server = try ScriptedServer(each: .readRequest, .ok)
        try await deliver(.sqlite, at: server, into: log, secrets: unreadable)
        #expect(Self.text(of: log).contains("nothing can be sent to an endpoint"))
        try await deliver(.sqlite, at: try ScriptedServer(each: .readRequest, .ok), into: log, failsToStore: true)
        #expect(Self.text(of: log).contains("what became of callbacks could not be stored"))
        #expect(Self.traces(in: Self.text(of: log)) == [])
    }

    private static func text(of log: InMemoryLogHandler) -> String {
        log.entries.map { "\($0.level) \($0.message) \($0.metadata) \($0.error.map { "\($0)" } ?? "")" }
            .joined(separator: "\n")
    }

    /// What of it must not be there.
    private static func traces(in text: String) -> [String] {
        let secret = WebhookSigner.usual.secret.reveal()
        var traces = [marker, "73194682", "hush", "order.paid", secret, String(secret.dropFirst(6))]
            .filter { text.contains($0) }
        // A signature begins so; an identifier may end so, and a comma follow it.
        let signatures = text.ranges(of: "v1,").filter { range in
            let before = text[..<range.lowerBound].last
            return !(before?.isLetter ?? false) && !(before?.isNumber ?? false)
        }
        if !signatures.isEmpty { traces.append("v1,") }
        return traces
    }

    private func deliver(
        _ engine: DatabaseEngine,
        at server: ScriptedServer,
        into log: InMemoryLogHandler,
        secrets: SecretStore? = nil,
        failsToStore: Bool = false
    ) async throws {
        try await DeliveryStage.with(engine, at: [server]) { stage in
            var ids = IdentifierSource()
            let now = stage.clock.now()
            var endpoint = stage.endpoints[0]
            endpoint.url = "http://127.0.0.1:\(server.port)/\(Self.path)"
            let changed = endpoint
            let callback = NewCallback(
                id: ids.make(at: now),
                marketplace: "travel",
                merchant: nil,
                order: nil,
                payment: nil,
                type: "order.paid",
                sequence: 1,
                payload: Self.payload,
                at: now
            )
            try await stage.database.write { session in
                try CallbackEndpointTable.save(changed, in: session)
                try Outbox.insert([callback], in: session)
                guard failsToStore else { return }
                // Whatever becomes of a callback then breaks a rule of the table.
                try session.run("CREATE TRIGGER refuses BEFORE UPDATE ON callback BEGIN SELECT RAISE(ABORT, 'no'); END")
            }
            let logger = Logger(label: "callbacks") { _ in
                var handler = log
                handler.logLevel = .trace
                return handler
            }
            let transport = HTTPTransport()
            let ports = CallbackDeliverer.Ports(
                database: stage.database,
                sender: CurlCallbackSender(transport, allowsLoopback: true, timeoutMilliseconds: 1_000),
                secrets: secrets ?? stage.secrets,
                now: { [clock = stage.clock] in clock.now() },
                logger: logger
            )
            _ = await CallbackDeliverer(ports, instance: "one").beat()
            await transport.stop()
            let health = try #require(try await stage.endpoint()).health
            let kept = try #require(try await stage.stored(callback.id)).lastError ?? ""
            #expect(Self.traces(in: kept + (health.lastError ?? "")) == [])
        }
    }
}
