import Domain
import InMemoryLogging
import Logging
import SQL
import Storage
import Telemetry
import Testing
import Tracing
import TributaryTestKit

@testable import Gateway

@Suite("Traces of orders", .timeLimit(.minutes(10)))
struct TakenOverTraceTests {
    private static let trace = "0af7651916cd43dd8448eb211c80319c"

    /// A request that places a checkout in a trace that somebody else began.
    private static func place(
        _ checkout: TestCheckout,
        on instance: GatewayInstance,
        _ tracer: OTLPTracer,
        flags: String = "01"
    ) async throws -> Gateway.Answer {
        let parent = TraceParent(context: TraceContext("00-\(trace)-b7ad6b7169203331-\(flags)"))
        return try await TraceWriter(tracer).inSpan("request", .server, below: parent) { _ in
            try await instance.place(checkout, key: "k")
        }
    }

    @Test(
        "go on where another instance carries an order on, and its log says what it took over",
        arguments: DatabaseEngine.allCases
    )
    func takenOver(_ engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (twin, first, second) = (try CollectorTwin(), OTLPTracer(), OTLPTracer())
            let mortal = harness.instance("mortal", endingAt: .afterCall(1), traces: TraceWriter(first))
            var checkout = TestCheckout.trip
            checkout.onDeadline = .continue
            let trip = checkout
            let placing = Task { try await Self.place(trip, on: mortal, first) }
            defer { placing.cancel() }
            try await harness.waitForEnd(of: mortal, key: "k")
            #expect(mortal.life.isDead)
            await mortal.database.drain()
            harness.clock.advance(milliseconds: harness.settings.rules.leaseMilliseconds)
            let log = InMemoryLogHandler()
            let heir = harness.instance("heir", logger: Logger(label: "a") { _ in log }, traces: TraceWriter(second))
            let order = try await heir.driving {
                try await harness.orderAtRest(try await harness.order(placedUnder: "k"))
            }
            #expect(order.status == .paid)
            let placed = try #require(order.traceParent.flatMap(TraceContext.init))
            #expect("\(placed.trace)" == Self.trace && "\(placed.span)" != "b7ad6b7169203331")

            await twin.exporter(for: second).flush()
            let spans = try twin.spans()
            #expect(spans.contains { $0.name == "order step" })
            #expect(spans.contains { $0.name.hasPrefix("psp ") && $0.kind == 3 })
            #expect(Set(spans.map(\.trace)) == [Self.trace])
            #expect(Set(spans.map(\.parent)) == ["\(placed.span)"])
            #expect(Set(spans.map { $0.attributes["tributary.order.id"] }) == [order.id.text])
            #expect(spans.allSatisfy { $0.links.isEmpty })
            let lines = log.entries.filter { $0.message == "what another instance left is taken over" }
            #expect(!lines.isEmpty)
            #expect(lines.allSatisfy { $0.metadata["order"] == "\(order.id)" && $0.metadata["left_by"] == "mortal" })
            let about = log.entries.filter { $0.metadata["order"] == "\(order.id)" }
            #expect(about.count > lines.count && about.allSatisfy { $0.metadata["trace_id"] == "\(Self.trace)" })
            await twin.stop()
        }
    }

    @Test(
        "of a request behind the checkout are its own, with a link to the order's",
        arguments: DatabaseEngine.allCases
    )
    func later(_ engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let (twin, first, second) = (try CollectorTwin(), OTLPTracer(), OTLPTracer())
            let one = harness.instance("one", traces: TraceWriter(first))
            var checkout = TestCheckout.trip
            checkout.capture = .manual
            let manual = checkout
            let answer = try await one.driving { try await Self.place(manual, on: one, first) }
            let two = harness.instance("two", traces: TraceWriter(second))
            try await two.driving {
                let subject = Gateway.Orders.Subject(answer.order, of: "travel")
                _ = try await TraceWriter(second).inSpan("request", .server) { _ in
                    try await two.gateway.request(.cancel, of: subject)
                }
                _ = try await harness.orderAtRest(answer.order)
            }
            await twin.exporter(for: second).flush()
            let spans = try twin.spans()
            let request = try #require(spans.first { $0.name == "request" })
            #expect(request.trace != Self.trace)
            let voids = spans.filter { $0.name == "psp void" }
            #expect(voids.count == 3)
            #expect(voids.allSatisfy { $0.trace == request.trace && $0.parent == request.id })
            #expect(voids.allSatisfy { $0.links == [Self.trace] })
            await twin.stop()
        }
    }

    @Test(
        "are kept with an order as far as they are made, whether recorded or not",
        arguments: DatabaseEngine.allCases
    )
    func kept(_ engine: DatabaseEngine) async throws {
        try await GatewayHarness.with(engine) { harness in
            let tracer = OTLPTracer()
            let one = harness.instance("one", traces: TraceWriter(tracer))
            let order = try await one.driving {
                let answer = try await Self.place(.trip, on: one, tracer, flags: "00")
                return try await harness.orderAtRest(answer.order)
            }
            let parent = try #require(order.traceParent)
            #expect(parent.hasPrefix("00-\(Self.trace)-") && parent.hasSuffix("-00"))
            let traces = try await harness.database.read { try CallbackQueue.traceParents(of: [order.id], in: $0) }
            #expect(traces == [order.id: parent])
            #expect(tracer.counts == SpanCounts())
            let (_, plain) = try await harness.run(.trip, key: "plain", on: "two")
            #expect(plain.traceParent == nil)
            let none = try await harness.database.read { try CallbackQueue.traceParents(of: [plain.id], in: $0) }
            #expect(none == [:])
        }
    }
}
