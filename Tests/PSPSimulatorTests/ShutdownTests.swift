import Logging
import PSPSimulator
import ServiceLifecycle
import StrictJSON
import Testing

@Suite("A simulator that stops", .timeLimit(.minutes(1)))
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
