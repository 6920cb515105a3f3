import StrictJSON
import Tracing

/// Writes spans as a collector takes them: an `ExportTraceServiceRequest` in JSON.
///
/// Source: OTLP 1.x, "JSON Protobuf Encoding": identifiers are hexadecimal, enumerations are numbers, names are in
/// lowerCamelCase, and 64-bit numbers are text.
struct SpanDocument {
    /// What all spans are of: names and values of the resource.
    let resource: [(name: String, value: String)]

    /// The request's body.
    func bytes(_ spans: [SpanRecord]) -> [UInt8] {
        let attributes = resource.map { Self.attribute($0.name, .text($0.value)) }
        let scope: JSON = ["name": "tributary"]
        let scoped: JSON = ["scope": scope, "spans": .array(spans.map(Self.span))]
        let all: JSON = ["resource": ["attributes": .array(attributes)], "scopeSpans": [scoped]]
        let request: JSON = ["resourceSpans": [all]]
        return request.bytes
    }

    private static func span(_ span: SpanRecord) -> JSON {
        var members: [JSON.Member] = [
            .init("traceId", .string("\(span.position.trace)")), .init("spanId", .string("\(span.position.span)")),
        ]
        if let parent = span.parent { members.append(.init("parentSpanId", .string("\(parent)"))) }
        members += [
            .init("flags", .integer(span.position.isSampled ? 1 : 0)), .init("name", .string(span.name)),
            .init("kind", .integer(number(of: span.kind))), .init("startTimeUnixNano", .string("\(span.begin)")),
            .init("endTimeUnixNano", .string("\(span.end)")), .init("attributes", self.attributes(span.attributes)),
        ]
        if !span.events.isEmpty { members.append(.init("events", .array(span.events.map(event)))) }
        if !span.links.isEmpty { members.append(.init("links", .array(span.links.map(link)))) }
        let status: JSON = span.failed ? ["code": 2] : .object([])
        members.append(.init("status", status))
        return .object(members)
    }

    /// `SpanKind`: internal is 1, server 2, client 3, producer 4 and consumer 5.
    private static func number(of kind: SpanKind) -> Int64 {
        switch kind {
        case .internal: 1
        case .server: 2
        case .client: 3
        case .producer: 4
        case .consumer: 5
        }
    }

    private static func event(_ event: SpanRecord.Event) -> JSON {
        [
            "timeUnixNano": .string("\(event.at)"), "name": .string(event.name),
            "attributes": attributes(event.attributes),
        ]
    }

    private static func link(_ link: TraceContext) -> JSON {
        ["traceId": .string("\(link.trace)"), "spanId": .string("\(link.span)")]
    }

    private static func attributes(_ attributes: [String: AttributeValue]) -> JSON {
        .array(attributes.sorted { $0.key < $1.key }.map { attribute($0.key, $0.value) })
    }

    private static func attribute(_ name: String, _ value: AttributeValue) -> JSON {
        let written: JSON =
            switch value {
            case .text(let text): ["stringValue": .string(text)]
            case .integer(let value): ["intValue": .string("\(value)")]
            case .truth(let value): ["boolValue": .bool(value)]
            }
        return ["key": .string(name), "value": written]
    }
}
