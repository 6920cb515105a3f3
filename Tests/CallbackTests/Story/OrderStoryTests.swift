import AdapterKit
import Callbacks
import Domain
import Gateway
import HTTPTransport
import InMemoryLogging
import Keyring
import Logging
import SQL
import Storage
import StrictJSON
import Telemetry
import Testing
import TributaryTestKit
import Wiring

@Suite("The story of an order", .timeLimit(.minutes(10)))
struct OrderStoryTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"
    private static let caller = "b7ad6b7169203331"
    private static let partly: JSON = [
        "currency": "USD", "amount": 45_000, "policy": ["type": "best_effort"],
        "contexts": [
            OrderBody.context("airline", 30_000, token: "tok_hush_1", at: "sim-a"),
            OrderBody.context("hotel", 15_000, token: "tok_hush_2", at: "sim-b"),
        ],
    ]

    /// What was told of a checkout of which one payment of two was declined.
    private struct Told {
        let order: String
        let payments: [String]
        let key: String
        let spans: [CollectorTwin.Span]
        let lines: [InMemoryLogHandler.Entry]
        let callbacks: [ReceivedRequest]
        /// Everything as text.
        let text: String
    }

    /// Places the checkout over HTTP at two accounts, delivers what is told of it, and reads a payment.
    private static func tell(_ engine: DatabaseEngine) async throws -> Told {
        let (twin, tracer, log) = (try CollectorTwin(), OTLPTracer(), InMemoryLogHandler())
        let logger = Logger(label: "story") { _ in
            var handler = log
            handler.logLevel = .trace
            return handler
        }
        let shop = try ScriptedServer { _ in [.readRequest, .ok] }
        defer { shop.stop() }
        let told = Mailbox()
        try await APIHarness.with(engine, logger: logger, traces: TraceWriter(tracer)) { api in
            try await listen(at: shop, in: api)
            await api.psp.script("tok_hush_2", .authorize, ScriptedBehaviour(.decline("generic")))
            let client = try await api.client("checkout", "operator")
            let headers = [HTTPHeader("traceparent", "00-\(trace)-\(caller)-01")]
            let placed = try await client.post("/v1/orders", partly, key: "a", headers: headers)
            try #require(placed.status == 201, "\(placed)")
            let order = try #require(placed.json["id"]?.stringValue)
            let payments = (placed.json["payments"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
            let payment = try #require(payments.first)
            _ = try await client.get("/v1/payments/\(payment)")
            let transport = HTTPTransport()
            let deliverer = CallbackDeliverer(
                CallbackDeliverer.Ports(
                    database: api.database,
                    sender: CurlCallbackSender(transport, allowsLoopback: true, timeoutMilliseconds: 2_000),
                    secrets: SecretStore(try Keyring.fresh(), resolve: WebhookSigner.resolve),
                    now: { [clock = api.clock] in clock.now() },
                    logger: logger,
                    traces: TraceWriter(tracer)
                ),
                instance: "one"
            )
            while await deliverer.beat() > 0 {}
            await transport.stop()
            await twin.exporter(for: tracer).flush()
            let text = log.entries.map { "\($0.message) \($0.metadata) \($0.error.map { "\($0)" } ?? "")" }
            let (key, spans) = (try #require(client.key), try twin.spans())
            await told.put(
                Told(
                    order: order,
                    payments: payments,
                    key: key,
                    spans: spans,
                    lines: log.entries,
                    callbacks: shop.requests,
                    text: (text + [twin.text, api.gateway.metrics.registry.text]).joined(separator: "\n")
                )
            )
        }
        await twin.stop()
        let all = await told.told
        return try #require(all)
    }

    private actor Mailbox {
        var told: Told?

        func put(_ told: Told) { self.told = told }
    }

    /// Gives the marketplace an endpoint.
    private static func listen(at shop: ScriptedServer, in api: APIHarness) async throws {
        var ids = IdentifierSource()
        let endpoint = CallbackEndpoint(
            id: ids.make(at: api.clock.now()),
            marketplace: "travel",
            merchant: nil,
            url: "http://127.0.0.1:\(shop.port)/hooks",
            secrets: CallbackSecrets(.reference(WebhookSigner.usual.reference)),
            createdAt: api.clock.now()
        )
        try await api.database.write { session in try CallbackEndpointTable.save(endpoint, in: session) }
    }

    @Test(
        "is one trace: the request, two PSPs, the steps and each callback, below the caller's span",
        arguments: DatabaseEngine.allCases
    )
    func spans(_ engine: DatabaseEngine) async throws {
        let told = try await Self.tell(engine)
        let request = try #require(told.spans.first { $0.name == "POST /v1/orders" })
        #expect(request.trace == Self.trace && request.parent == Self.caller && request.kind == 2)
        #expect(request.attributes["http.request.method"] == "POST" && request.attributes["http.route"] == "/v1/orders")
        #expect(request.attributes["http.response.status_code"] == "201")
        #expect(request.attributes["tributary.order.id"] == told.order && request.status == nil)

        let own = told.spans.filter { $0.trace == Self.trace && $0 != request }
        #expect(own.allSatisfy { $0.parent == request.id && $0.attributes["tributary.order.id"] == told.order })
        let calls = own.filter { $0.name == "psp authorize" }
        #expect(calls.allSatisfy { $0.kind == 3 })
        #expect(Set(calls.map { $0.attributes["tributary.psp_account"] }) == ["travel/sim-a", "travel/sim-b"])
        #expect(calls.compactMap { $0.attributes["tributary.outcome"] }.sorted() == ["declined", "succeeded"])
        #expect(Set(calls.compactMap { $0.attributes["tributary.payment.id"] }) == Set(told.payments))
        #expect(own.count { $0.name == "place order" } == 1 && own.contains { $0.name == "order step" })

        let callbacks = own.filter { $0.name == "callback" }
        #expect(!told.callbacks.isEmpty && callbacks.count == told.callbacks.count)
        let fields = told.callbacks.compactMap { $0.header("traceparent") }
        #expect(Set(fields) == Set(callbacks.map { "00-\(Self.trace)-\($0.id)-01" }))
        let reading = try #require(told.spans.first { $0.name == "GET /v1/payments/{id}" })
        #expect(reading.trace != Self.trace && reading.parent == nil)
        #expect(reading.attributes["tributary.order.id"] == told.order)
    }

    @Test(
        "is found in the log by its id alone, from the request to the last callback",
        arguments: DatabaseEngine.allCases
    )
    func lines(_ engine: DatabaseEngine) async throws {
        let told = try await Self.tell(engine)
        let lines = told.lines.filter { $0.metadata["order"] == "\(told.order)" }
        func named(_ message: Logger.Message) -> [InMemoryLogHandler.Entry] { lines.filter { $0.message == message } }
        let routes = named("a request was answered").compactMap { $0.metadata["route"]?.description }
        #expect(routes == ["/v1/orders", "/v1/payments/{id}"])
        let calls = named("a PSP was called")
        let accounts = calls.compactMap { $0.metadata["psp_account"]?.description }
        #expect(Set(accounts) == ["travel/sim-a", "travel/sim-b"])
        let declined = try #require(calls.first { $0.metadata["outcome"] == "declined" })
        #expect(declined.metadata["call"] == "authorize" && declined.metadata["reason"] == "generic")
        #expect(declined.metadata["try"] == "1" && declined.metadata["payment"] == "\(told.payments[1])")
        #expect(declined.metadata["request_id"] == named("a request was answered").first?.metadata["request_id"])
        #expect(named("an order was decided").last?.metadata["decision"] == "accepted")
        #expect(named("a callback was delivered").count == told.callbacks.count)
        let placing = lines.filter { $0.metadata["route"] != "/v1/payments/{id}" }
        #expect(placing.allSatisfy { $0.metadata["trace_id"] == "\(Self.trace)" }, "\(placing.map(\.metadata))")
    }

    @Test("and no secret is in its log, its spans or the metrics")
    func secrets() async throws {
        let told = try await Self.tell(.sqlite)
        #expect(told.text.contains("a PSP was called") && told.text.contains("\"psp authorize\""))
        #expect(told.text.contains("tributary_orders_placed_total"))
        let secret = WebhookSigner.usual.secret.reveal()
        for text in ["hush", told.key, "key_test", secret, String(secret.dropFirst(6))] {
            #expect(!told.text.contains(text), "\(text) is told")
        }
    }
}
