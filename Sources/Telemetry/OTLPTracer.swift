package import Tracing

/// Makes spans and keeps those that ended until ``SpanExporter`` sends them.
///
/// A span of a trace that another service began is recorded if that one is (parent-based sampling); of a trace that begins
/// here, a share of all is, by the trace's identifier, so that every service with the same share takes the same ones.
package final class OTLPTracer: Tracer {
    let queue: SpanQueue
    private let sampleBelow: UInt64
    private let isWhole: Bool

    /// Makes a tracer.
    ///
    /// - Parameters:
    ///   - sampleRatio: the share of traces that is recorded, 0 to 1.
    ///   - waiting: how many spans may wait to be sent.
    ///   - batch: how many are sent at once.
    package init(sampleRatio: Double = 1, waiting: Int = 8192, batch: Int = 512) {
        queue = SpanQueue(limit: max(1, waiting), batch: max(1, min(batch, waiting)))
        isWhole = sampleRatio >= 1
        sampleBelow = UInt64(max(0, min(1, sampleRatio)) * Double(Self.randomPart + 1))
    }

    /// The last seven bytes of a trace's identifier, which are random whoever made it (W3C Trace Context, level 2).
    private static let randomPart: UInt64 = 1 << 56 - 1

    /// What became of spans so far.
    package var counts: SpanCounts { queue.counts }

    package func startSpan<Instant: TracerInstant>(
        _ operationName: String,
        context: @autoclosure () -> InstrumentationContext,
        ofKind kind: SpanKind,
        at instant: @autoclosure () -> Instant,
        function: String,
        file fileID: String,
        line: UInt
    ) -> OTLPSpan {
        var context = context()
        let parent = context.trace
        let trace = parent?.trace ?? .random()
        let position = TraceContext(trace: trace, span: .random(), isSampled: parent?.isSampled ?? takes(trace))
        context.trace = position
        let begin = position.isSampled ? instant().nanosecondsSinceEpoch : 0
        let record = SpanRecord(
            name: operationName,
            kind: kind,
            position: position,
            parent: parent?.span,
            begin: begin,
            end: begin
        )
        return OTLPSpan(record, in: context) { [queue] in queue.add($0) }
    }

    /// Whether one is recorded that somebody began whose word does not count: by chance, the share of them that is of all.
    package func takesOneOfStrangers() -> Bool { takes(.random()) }

    private func takes(_ trace: TraceID) -> Bool { isWhole || trace.low & Self.randomPart < sampleBelow }

    package func extract<Fields, Extract: Extractor>(
        _ carrier: Fields,
        into context: inout InstrumentationContext,
        using extractor: Extract
    ) where Extract.Carrier == Fields {
        context.trace = extractor.extract(key: TraceContext.field, from: carrier).flatMap(TraceContext.init)
    }

    package func inject<Fields, Inject: Injector>(
        _ context: InstrumentationContext,
        into carrier: inout Fields,
        using injector: Inject
    ) where Inject.Carrier == Fields {
        guard let trace = context.trace else { return }
        injector.inject(trace.text, forKey: TraceContext.field, into: &carrier)
    }

    package func forceFlush() { queue.signal() }
}
