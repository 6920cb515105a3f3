import Domain
import HTTPTransport
import Telemetry
import Testing
import TributaryTestKit

@Suite("The span of a request", .timeLimit(.minutes(10)))
struct RequestSpanTests {
    /// The identifier of a trace that every share of all traces has.
    private static let luckiest = "00-00000000000000010000000000000000-b7ad6b7169203331-01"

    @Test(
        "is recorded because the caller says so for a key only",
        arguments: [(0.0, true, 1), (0.0, false, 0), (1.0, true, 1), (1.0, false, 1)] as [(Double, Bool, Int64)]
    )
    func sampled(ratio: Double, showsKey: Bool, recorded: Int64) async throws {
        let tracer = OTLPTracer(sampleRatio: ratio)
        try await APIHarness.with(.sqlite, traces: TraceWriter(tracer)) { api in
            let client = showsKey ? try await api.client("checkout") : api.anonymous
            let headers = [HTTPHeader("traceparent", Self.luckiest)]
            let reply = try await client.send(.get, "/v1/orders", headers: headers)
            #expect(reply.status == (showsKey ? 200 : 401), "\(reply)")
            #expect(tracer.counts.waiting == recorded)
        }
    }
}
