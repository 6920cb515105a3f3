import Logging
import PSPSimulator
import ServiceLifecycle
import StrictJSON
import Synchronization
import Testing

@Suite("A simulator that stops", .timeLimit(.minutes(10)))
struct ShutdownTests {
    /// A simulator as a service, which says its port.
    struct Serving: Service {
        let server: SimulatorServer
        let ports: AsyncStream<Int>.Continuation

        func run() async throws {
            try await server.run { port in ports.yield(port) }
        }
    }

    @Test(
        "gracefully lets go of the requests it holds",
        arguments: ["tok_never", "tok_timeout_after", "tok_slow_120000"]
    )
    func graceful(token: String) async throws {
        let logger = Logger(label: "simulator") { _ in SwiftLogNoOpLogHandler() }
        let (ports, announcement) = AsyncStream<Int>.makeStream()
        let serving = Serving(server: SimulatorServer(logger: logger), ports: announcement)
        let group = ServiceGroup(configuration: ServiceGroupConfiguration(services: [serving], logger: logger))
        async let running: Void = group.run()
        let first = await ports.first { _ in true }
        let client = RawClient(port: try #require(first))
        async let held = client.authorize(token, reference: "att_1")
        while try await client.get("/books").json?["requests"] != 1 { await Task.yield() }
        await group.triggerGracefulShutdown()
        let reply = try await held
        #expect(reply.bytes.isEmpty)
        try await running
    }

    @Test("at once cuts the requests it holds", arguments: ["tok_never", "tok_timeout_after", "tok_slow_120000"])
    func immediate(token: String) async throws {
        try await withSimulator(stall: .seconds(120)) { simulator, client in
            async let held = client.authorize(token, reference: "att_1")
            while await simulator.read({ books, _ in books.requests }) == 0 { await Task.yield() }
            await simulator.stop()
            let reply = try? await held
            #expect(reply?.status == nil)
        }
    }
}

@Suite("Inquiries that come too early")
struct LatenessTests {
    @Test("see a payment and what was done to it as late as the simulator is told")
    func late() async throws {
        let clock = Mutex<Int64>(1_000_000)
        let simulator = try await LocalSimulator(
            .simulator,
            lateness: 500,
            clock: { clock.withLock { $0 } },
            onEvent: { _, _ in }
        )
        func pass(_ milliseconds: Int64) { clock.withLock { $0 += milliseconds } }
        func ask(
            _ method: String,
            _ path: String,
            _ body: String = "",
            query: [(String, String)] = []
        ) async throws -> String {
            var request = PSPRequest(path: path, origin: "http://localhost")
            request.headers = [("Authorization", "Bearer key_shop"), ("Idempotency-Key", "k \(body)")]
            request.query = query.map { (name: $0.0, value: $0.1) }
            request.body = Array(body.utf8)
            let answer = try #require(try await simulator.answer(method, request))
            return String(decoding: answer.0.body, as: UTF8.self)
        }
        func found() async throws -> String {
            try await ask("GET", "/v1/authorizations", query: [("reference", "att_1")])
        }
        _ = try await ask(
            "POST",
            "/v1/authorizations",
            #"{"reference":"att_1","amount":1000,"currency":"USD","token":"tok_approve"}"#
        )
        #expect(!(try await found().contains("authorized")))
        pass(499)
        #expect(!(try await found().contains("authorized")))
        pass(1)
        #expect(try await found().contains(#""status":"authorized""#))
        let made = await simulator.read { books, now in books.authorizations(of: "shop", at: now) }
        let id = try #require(made.first).id
        _ = try await ask("POST", "/v1/authorizations/\(id)/captures", #"{"reference":"op_1","amount":700}"#)
        pass(300)
        var refund = DashboardAction(.refund, to: .id(id))
        refund.amount = 100
        try await simulator.act(refund)
        #expect(try await found().contains(#""status":"authorized""#))
        pass(200)
        #expect(try await found().contains(#""captured_amount":700"#))
        #expect(try await found().contains(#""refunded_amount":0"#))
        pass(300)
        #expect(try await found().contains(#""refunded_amount":100"#))
    }
}
