package import Tracing

/// Where spans are made; where no collector is set, none are, and whatever is done costs nothing more.
package struct TraceWriter: Sendable {
    /// No traces.
    package static let none = TraceWriter(nil)

    /// What makes spans; nil for none.
    package let tracer: OTLPTracer?

    /// A writer over a tracer.
    package init(_ tracer: OTLPTracer?) { self.tracer = tracer }

    /// The span that whatever is done now belongs to; nil if it is not traced.
    package var current: TraceContext? { tracer == nil ? nil : InstrumentationContext.current?.trace }

    /// Does something within a span.
    ///
    /// - Parameters:
    ///   - name: what is done, in words of ours.
    ///   - kind: whether it is asked of somebody, or asked by somebody.
    ///   - parent: what it belongs to; nil for what is done now.
    ///   - body: does it; told of the span, if there is one.
    /// - Returns: what `body` returns.
    /// - Throws: what `body` throws; of the error nothing is told but its type.
    package func inSpan<Value>(
        _ name: @autoclosure () -> String,
        _ kind: SpanKind = .internal,
        below parent: TraceParent? = nil,
        _ body: (OTLPSpan?) async throws -> Value
    ) async rethrows -> Value {
        guard let tracer else { return try await body(nil) }
        var context = InstrumentationContext.current ?? .topLevel
        if let parent { context.trace = parent.context }
        let span = tracer.startSpan(name(), context: context, ofKind: kind)
        if let link = parent?.link { span.addLink(to: link) }
        defer { span.end() }
        do {
            return try await InstrumentationContext.withValue(span.context) { try await body(span) }
        } catch {
            span.fail("\(type(of: error))")
            throw error
        }
    }

    /// What time it is for spans; nil if there are no traces.
    package var now: DefaultTracerClock.Timestamp? { tracer == nil ? nil : DefaultTracerClock.now }

    /// Tells of something that is done already.
    ///
    /// - Parameters:
    ///   - name: what was done, in words of ours.
    ///   - begin: when it began; nil if there were no traces then.
    ///   - parent: what it belongs to; nil for what is done now.
    ///   - describe: sets what stands on it.
    package func record(
        _ name: String,
        since begin: DefaultTracerClock.Timestamp?,
        below parent: TraceParent?,
        _ describe: (OTLPSpan) -> Void
    ) {
        guard let tracer, let begin else { return }
        var context = InstrumentationContext.current ?? .topLevel
        if let parent { context.trace = parent.context }
        let span = tracer.startSpan(name, context: context, at: begin)
        if let link = parent?.link { span.addLink(to: link) }
        describe(span)
        span.end()
    }

    /// What something done about an order belongs to: the request that asks for it now, with a link to the order's own
    /// trace; else the request that placed the order, however long ago and wherever that was.
    ///
    /// - Parameter stored: `traceparent` as it is kept with the order.
    /// - Returns: the parent; nil if there are no traces.
    package func parent(orStored stored: String?) -> TraceParent? {
        guard tracer != nil else { return nil }
        let placing = stored.flatMap(TraceContext.init)
        guard let current else { return TraceParent(context: placing) }
        return TraceParent(context: current, link: placing?.trace == current.trace ? nil : placing)
    }
}

/// What a span belongs to.
package struct TraceParent: Hashable, Sendable {
    /// The span above it; nil begins a trace.
    package let context: TraceContext?
    /// A span of another trace that it has to do with.
    package let link: TraceContext?

    /// Names a parent.
    package init(context: TraceContext?, link: TraceContext? = nil) {
        self.context = context
        self.link = link
    }
}
