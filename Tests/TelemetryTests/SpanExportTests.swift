import Telemetry
import Testing
import Tracing
import TributaryTestKit

@Suite("Spans", .timeLimit(.minutes(10)))
struct SpanExportTests {
    private static let parent = TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")

    private static func make(_ count: Int, with tracer: OTLPTracer) {
        for number in 0..<count { tracer.startSpan("span \(number)", context: .topLevel).end() }
    }

    private static func answer(_ status: Int, _ body: String = "") -> String {
        "HTTP/1.1 \(status) So\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
    }

    @Test("reach a collector as its norm has them, each below the one that it was begun in")
    func form() async throws {
        struct Odd: Error {}
        let (twin, tracer) = (try CollectorTwin(), OTLPTracer())
        let traces = TraceWriter(tracer)
        await #expect(throws: Odd.self) {
            try await traces.inSpan("outer", .server, below: TraceParent(context: Self.parent)) { outer in
                outer?.set("text", "Zürich \"✈︎\" \u{0}\n")
                outer?.set("number", -7)
                outer?.set("nothing", nil as String?)
                outer?.addEvent(SpanEvent(name: "seen", attributes: ["yes": true]))
                await traces.inSpan("inner", .client) { inner in
                    if let link = TraceContext("00-1af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01") {
                        inner?.addLink(to: link)
                    }
                }
                throw Odd()
            }
        }
        await twin.exporter(for: tracer).flush()
        let spans = try twin.spans()
        try #require(spans.map(\.name) == ["inner", "outer"])
        let (inner, outer) = (spans[0], spans[1])
        #expect(outer.trace == "0af7651916cd43dd8448eb211c80319c" && outer.parent == "b7ad6b7169203331")
        #expect(inner.trace == outer.trace && inner.parent == outer.id)
        #expect((outer.kind, inner.kind) == (2, 3))
        #expect(outer.attributes == ["text": "Zürich \"✈︎\" \n", "number": "-7", "error.type": "Odd"])
        #expect((outer.status, inner.status) == (2, nil))
        #expect(inner.links == ["1af7651916cd43dd8448eb211c80319c"])
        #expect(twin.requests == 1 && tracer.counts.sent == 2)
        await twin.stop()
    }

    @Test("are bounded in what they hold, and a span that ended takes nothing more")
    func bounds() async throws {
        let (twin, tracer) = (try CollectorTwin(), OTLPTracer())
        let span = tracer.startSpan("a", context: .topLevel)
        for number in 0..<100 { span.set("name \(number)", String(repeating: "é", count: 1000)) }
        for _ in 0..<100 { span.addEvent("event") }
        span.end()
        span.set("late", "late")
        span.end()
        tracer.startSpan("b", context: .topLevel).discard()
        await twin.exporter(for: tracer).flush()
        let spans = try twin.spans()
        try #require(spans.count == 1)
        #expect(spans[0].attributes.count == 32)
        #expect(spans[0].attributes.values.allSatisfy { $0.utf8.count <= 256 })
        #expect(!twin.text.contains("late"))
        await twin.stop()
    }

    @Test("are dropped and counted when too many wait")
    func overflow() {
        let tracer = OTLPTracer(waiting: 4, batch: 2)
        Self.make(10, with: tracer)
        #expect(tracer.counts == SpanCounts(dropped: 6, waiting: 4))
    }

    @Test(
        "wait while the collector has no room, and are given up when it refuses them",
        arguments: [
            (answer(503), SpanCounts(waiting: 3, failedRequests: 1)),
            (answer(429), SpanCounts(waiting: 3, failedRequests: 1)),
            (answer(400), SpanCounts(rejected: 3, failedRequests: 1)),
            (answer(200, #"{"partialSuccess":{"rejectedSpans":"2"}}"#), SpanCounts(sent: 1, rejected: 2)),
            (answer(200, #"{"partialSuccess":{"rejectedSpans":9}}"#), SpanCounts(rejected: 3)),
            (answer(200, "no JSON"), SpanCounts(sent: 3)),
        ]
    )
    func refusal(_ answer: String, _ counts: SpanCounts) async throws {
        let (twin, tracer) = (try CollectorTwin(answering: [answer]), OTLPTracer())
        Self.make(3, with: tracer)
        let exporter = twin.exporter(for: tracer)
        await exporter.flush()
        #expect(tracer.counts == counts)
        await exporter.flush()
        #expect(tracer.counts.sent == counts.sent + counts.waiting)
        #expect(Set(try twin.spans(evenTwice: true).map(\.name)) == ["span 0", "span 1", "span 2"])
        await twin.stop()
    }

    @Test("that wait are sent before the process ends, in batches")
    func end() async throws {
        let (twin, tracer) = (try CollectorTwin(), OTLPTracer(batch: 2))
        let exporter = twin.exporter(for: tracer)
        let running = Task { await exporter.run() }
        Self.make(5, with: tracer)
        exporter.stop()
        await running.value
        Self.make(1, with: tracer)
        #expect(try twin.spans().count == 5)
        #expect(tracer.counts == SpanCounts(sent: 5, dropped: 1))
        #expect(twin.requests >= 3)
        await twin.stop()
    }

    @Test(
        "of traces that others record or do not record are as theirs; of our own a share is",
        arguments: [0, 0.25, 1]
    )
    func sampling(_ ratio: Double) {
        let tracer = OTLPTracer(sampleRatio: ratio, waiting: 10_000)
        Self.make(4000, with: tracer)
        let share = Double(tracer.counts.waiting) / 4000
        #expect(abs(share - ratio) <= (ratio == 0.25 ? 0.06 : 0), "\(share)")
        for (text, isKept) in [("01", true), ("00", false)] {
            var context = InstrumentationContext.topLevel
            context.trace = TraceContext("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-\(text)")
            let before = tracer.counts.waiting
            tracer.startSpan("theirs", context: context).end()
            #expect(tracer.counts.waiting - before == (isKept ? 1 : 0))
        }
    }
}
