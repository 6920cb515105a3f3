import Synchronization
package import Tracing

/// The most that a span holds, so that no mistake fills the memory or a collector.
enum SpanLimits {
    /// Attributes of a span, an event or a link.
    static let attributes = 32
    /// Events of a span.
    static let events = 8
    /// Links of a span.
    static let links = 8
    /// Bytes of a text.
    static let textBytes = 256
}

/// One thing that was done, with its beginning and its end.
///
/// Attributes are text, numbers and truth values that whoever sets them writes out. A `Secret` is none of these: its
/// description is a mask. Of an error nothing is kept but its type, for what it says may come from outside.
package final class OTLPSpan: Tracing.Span {
    package let context: InstrumentationContext
    /// Where it stands in its trace.
    package let position: TraceContext
    private let record: Mutex<SpanRecord?>
    private let onEnd: @Sendable (SpanRecord) -> Void

    /// Begins a span that is told of when it ends, if its trace is recorded.
    init(
        _ record: SpanRecord,
        in context: InstrumentationContext,
        onEnd: @escaping @Sendable (SpanRecord) -> Void
    ) {
        self.context = context
        position = record.position
        self.record = Mutex(record.position.isSampled ? record : nil)
        self.onEnd = onEnd
    }

    package var isRecording: Bool { record.withLock { $0 != nil } }

    package var operationName: String {
        get { record.withLock { $0?.name ?? "" } }
        set { change { $0.name = newValue.bounded } }
    }

    /// What stands on it; each assignment replaces all of it, as far as there is room.
    package var attributes: SpanAttributes {
        get { SpanAttributes(record.withLock { $0?.attributes ?? [:] }.mapValues(\.attribute)) }
        set {
            let values = AttributeValue.all(of: newValue)
            change { $0.attributes = values }
        }
    }

    /// Sets an attribute, if there is a value and room for it.
    package func set(_ name: String, _ value: String?) { set(name, value.map { .text($0.bounded) }) }

    /// Sets an attribute.
    package func set(_ name: String, _ value: Int64?) { set(name, value.map(AttributeValue.integer)) }

    private func set(_ name: String, _ value: AttributeValue?) {
        guard let value else { return }
        change { record in
            guard record.attributes[name] != nil || record.attributes.count < SpanLimits.attributes else { return }
            record.attributes[name] = value
        }
    }

    /// Says that it failed, in a word.
    package func fail(_ word: String) {
        set("error.type", word)
        change { $0.failed = true }
    }

    package func setStatus(_ status: SpanStatus) { change { $0.failed = status.code == .error } }

    package func addEvent(_ event: SpanEvent) {
        let kept = SpanRecord.Event(
            name: event.name.bounded,
            at: event.nanosecondsSinceEpoch,
            attributes: AttributeValue.all(of: event.attributes)
        )
        change { if $0.events.count < SpanLimits.events { $0.events.append(kept) } }
    }

    package func recordError<Instant: TracerInstant>(
        _ error: any Error,
        attributes: SpanAttributes,
        at instant: @autoclosure () -> Instant
    ) {
        fail("\(type(of: error))")
    }

    package func addLink(_ link: SpanLink) {
        if let other = link.context.trace { addLink(to: other) }
    }

    /// Points to a span of another trace that this one has to do with.
    package func addLink(to other: TraceContext) {
        change { if $0.links.count < SpanLimits.links { $0.links.append(other) } }
    }

    package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
        let ended = record.withLock { record -> SpanRecord? in
            defer { record = nil }
            return record
        }
        guard var ended else { return }
        ended.end = max(ended.begin, instant().nanosecondsSinceEpoch)
        onEnd(ended)
    }

    /// Ends it without telling anybody.
    package func discard() { record.withLock { $0 = nil } }

    private func change(_ body: (inout SpanRecord) -> Void) {
        record.withLock { record in
            guard var changed = record.take() else { return }
            body(&changed)
            record = changed
        }
    }
}

/// What is told of a span.
struct SpanRecord: Sendable {
    /// A moment within it.
    struct Event: Sendable {
        let name: String
        let at: UInt64
        let attributes: [String: AttributeValue]
    }

    var name: String
    let kind: SpanKind
    let position: TraceContext
    let parent: SpanID?
    /// Nanoseconds since 1970.
    let begin: UInt64
    /// Nanoseconds since 1970.
    var end: UInt64
    var attributes: [String: AttributeValue] = [:]
    var events: [Event] = []
    var links: [TraceContext] = []
    var failed = false
}

/// The value of an attribute.
enum AttributeValue: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case truth(Bool)

    /// What swift-distributed-tracing calls it.
    var attribute: SpanAttribute {
        switch self {
        case .text(let text): .string(text)
        case .integer(let value): .int64(value)
        case .truth(let value): .bool(value)
        }
    }

    /// The attributes that have a form here, as many as there is room for; lists become text.
    static func all(of attributes: SpanAttributes) -> [String: AttributeValue] {
        var values: [String: AttributeValue] = [:]
        func add(_ name: String, _ value: SpanAttribute) {
            guard values.count < SpanLimits.attributes else { return }
            switch value {
            case .string(let text): values[name.bounded] = .text(text.bounded)
            case .int32(let value): values[name.bounded] = .integer(Int64(value))
            case .int64(let value): values[name.bounded] = .integer(value)
            case .bool(let value): values[name.bounded] = .truth(value)
            case .double(let value): values[name.bounded] = .text("\(value)")
            case .stringArray(let texts): values[name.bounded] = .text(texts.joined(separator: ",").bounded)
            case .stringConvertible(let value): values[name.bounded] = .text("\(value)".bounded)
            default: return
            }
        }
        attributes.forEach(add)
        return values
    }
}

extension String {
    /// The text without NUL, which JSON here does not have, and no longer than an attribute may be.
    fileprivate var bounded: String {
        guard utf8.count > SpanLimits.textBytes || utf8.contains(0) else { return self }
        return String(decoding: utf8.lazy.filter { $0 != 0 }.prefix(SpanLimits.textBytes), as: UTF8.self)
    }
}
