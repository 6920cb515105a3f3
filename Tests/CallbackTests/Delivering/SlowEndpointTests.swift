import Callbacks
import Storage
import Testing
import TributaryTestKit

@Suite("Endpoints that are slow", .timeLimit(.minutes(10)))
struct SlowEndpointTests {
    @Test("leave their places to the others, and keep one connection each", arguments: DatabaseEngine.allCases)
    func places(engine: DatabaseEngine) async throws {
        let hanging = try (0..<3).map { _ in try ScriptedServer(each: .readRequest, .stall) }
        let healthy = try ScriptedServer(each: .readRequest, .ok)
        try await DeliveryStage.with(engine, at: hanging + [healthy]) { stage in
            for endpoint in 0...3 { try await stage.write(20, for: endpoint) }
            // Longer than this test may take: without room aside the healthy one would never be reached.
            let deliverer = stage.deliverer(patience: 120_000) {
                $0.healthyEndpoints = 2
                $0.slowMilliseconds = 100
            }
            let task = Task { await deliverer.run() }
            for server in hanging { await server.waitForRequests(1) }
            await healthy.waitForRequests(20)
            #expect(hanging.map(\.connections) == [1, 1, 1])
            task.cancel()
            await task.value
        }
    }

    @Test("take one callback first, and several at once after it has arrived")
    func gently() async throws {
        let gate = Gate(opensAt: 4)
        let server = try ScriptedServer { $0 == 0 ? [.readRequest, .ok] : [.readRequest, .pass(gate), .ok] }
        try await DeliveryStage.with(.sqlite, at: [server]) { stage in
            try await stage.write(5)
            #expect(await stage.deliverer(patience: 120_000).beat() == 1)
            #expect(try await stage.count(.delivered) == 5, "four are on their way at once")
        }
    }
}
