import HTTPTransport
import StrictJSON
package import Telemetry

/// A collector that takes spans (OTLP over HTTP, JSON) on a free port, and reads what it is sent strictly.
///
/// Written from the specification, apart from what it judges: OTLP 1.x, "OTLP/HTTP" and "JSON Protobuf Encoding", and
/// `opentelemetry/proto/trace/v1/trace.proto`.
package final class CollectorTwin: Sendable {
    /// A span as it came.
    package struct Span: Hashable, Sendable {
        /// The instance that tells of it.
        package let instance: String
        /// The trace.
        package let trace: String
        /// The span.
        package let id: String
        /// The span above it.
        package let parent: String?
        /// What was done.
        package let name: String
        /// `SpanKind` by its number.
        package let kind: Int64
        /// Attributes by name: text as it is, numbers as text.
        package let attributes: [String: String]
        /// The traces that it points to.
        package let links: [String]
        /// `Status.code`; nil if it is not set.
        package let status: Int64?
    }

    /// What is wrong with what came.
    package struct Complaint: Error, CustomStringConvertible {
        /// In words.
        package let description: String
    }

    private let server: ScriptedServer
    private let transport = HTTPTransport()

    /// Starts it; it answers each request so, whatever it says, or 200 and `{}`.
    ///
    /// - Throws: if there is no port.
    package init(answering answers: [String] = []) throws {
        let taken = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
        server = try ScriptedServer { number in
            [.readRequest, .write(number < answers.count ? answers[number] : taken)]
        }
    }

    /// Where it takes spans.
    package var url: String { "http://127.0.0.1:\(server.port)/v1/traces" }

    /// Sends what a tracer made here.
    package func exporter(for tracer: OTLPTracer) -> SpanExporter {
        let (transport, url) = (transport, url)
        return SpanExporter(tracer, instance: "test", interval: .milliseconds(5)) { body in
            var request = HTTPRequest(.post, url, headers: [HTTPHeader("Content-Type", "application/json")], body: body)
            request.allowPlainHTTPToLoopback = true
            request.freshConnection = true
            return switch await transport.send(request) {
            case .reply(let reply): .answer(status: reply.status, body: reply.body)
            case .failure: .silence
            }
        }
    }

    /// How many requests it read.
    package var requests: Int { server.requests.count }

    /// All that came, as text.
    package var text: String {
        server.requests.map { String(decoding: $0.body, as: UTF8.self) }.joined(separator: "\n")
    }

    /// All spans that came, in order.
    ///
    /// - Parameter evenTwice: whether a span may come again, because an earlier request was refused.
    /// - Returns: the spans.
    /// - Throws: ``Complaint`` about the first thing that is not as the norm has it.
    package func spans(evenTwice: Bool = false) throws -> [Span] {
        var spans: [Span] = []
        for request in server.requests {
            try Self.require(request.line == "POST /v1/traces HTTP/1.1", "a request line \(request.line)")
            try Self.require(request.header("Content-Type") == "application/json", "another type than JSON")
            spans += try Self.read(JSON.parse(request.body, depthLimit: 32))
        }
        let ids = spans.map(\.id)
        try Self.require(evenTwice || Set(ids).count == ids.count, "an identifier of two spans")
        return spans
    }

    /// Ends it.
    package func stop() async {
        server.stop()
        await transport.stop()
    }

    // MARK: Reading

    private static func read(_ request: JSON) throws -> [Span] {
        let resources = try list(request, "ExportTraceServiceRequest", only: "resourceSpans")["resourceSpans"] ?? []
        return try resources.flatMap { all in
            try members(all, "ResourceSpans", ["resource", "scopeSpans"])
            let resource = try attributes(all["resource"]?["attributes"])
            try require(resource["service.name"] == "tributary", "a resource without a service")
            try require(resource["service.instance.id"]?.isEmpty == false, "a resource without an instance")
            return try (all["scopeSpans"]?.arrayValue ?? []).flatMap { scoped in
                try members(scoped, "ScopeSpans", ["scope", "spans"])
                try require(scoped["scope"]?["name"]?.stringValue?.isEmpty == false, "a scope without a name")
                return try (scoped["spans"]?.arrayValue ?? []).map {
                    try span($0, of: resource["service.instance.id"] ?? "")
                }
            }
        }
    }

    private static func span(_ json: JSON, of instance: String) throws -> Span {
        let names = [
            "traceId", "spanId", "parentSpanId", "flags", "name", "kind", "startTimeUnixNano", "endTimeUnixNano",
            "attributes", "events", "links", "status",
        ]
        try members(json, "Span", names)
        let (begin, end) = (try moment(json["startTimeUnixNano"]), try moment(json["endTimeUnixNano"]))
        try require(begin <= end && begin > 1_600_000_000_000_000_000, "a span from \(begin) to \(end)")
        let name = json["name"]?.stringValue ?? ""
        try require(!name.isEmpty, "a span without a name")
        let kind = json["kind"]?.integerValue ?? 0
        try require((1...5).contains(kind), "a kind that is no number of one")
        try require([0, 1].contains(json["flags"]?.integerValue ?? 0), "flags beyond eight bits")
        let status = json["status"]?["code"]?.integerValue
        try members(json["status"] ?? .object([]), "Status", ["code", "message"])
        try require((0...2).contains(status ?? 0), "a status that is none")
        for event in json["events"]?.arrayValue ?? [] {
            try members(event, "Event", ["timeUnixNano", "name", "attributes"])
            _ = (try moment(event["timeUnixNano"]), try attributes(event["attributes"]))
        }
        let links = try (json["links"]?.arrayValue ?? []).map { link in
            try members(link, "Link", ["traceId", "spanId", "attributes"])
            _ = try identifier(link["spanId"], digits: 16)
            return try identifier(link["traceId"], digits: 32)
        }
        return Span(
            instance: instance,
            trace: try identifier(json["traceId"], digits: 32),
            id: try identifier(json["spanId"], digits: 16),
            parent: try json["parentSpanId"].map { try identifier($0, digits: 16) },
            name: name,
            kind: kind,
            attributes: try attributes(json["attributes"]),
            links: links,
            status: status
        )
    }

    /// A message's members; others than these are refused, and so is one that comes twice.
    private static func members(_ json: JSON, _ message: String, _ allowed: [String]) throws {
        let keys = json.objectValue?.map(\.key)
        try require(keys != nil, "a \(message) that is no object")
        try require(Set(keys ?? []).isSubset(of: allowed), "a \(message) with \(keys ?? [])")
    }

    /// A message with one list in it.
    private static func list(_ json: JSON, _ message: String, only key: String) throws -> [String: [JSON]] {
        try members(json, message, [key])
        guard let elements = json[key]?.arrayValue else { throw Complaint(description: "a \(message) without \(key)") }
        return [key: elements]
    }

    /// Hexadecimal digits in lower case that are not all zero.
    private static func identifier(_ json: JSON?, digits: Int) throws -> String {
        let text = json?.stringValue ?? ""
        let isHex = text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
        try require(isHex && text.utf8.count == digits && text.contains { $0 != "0" }, "an identifier \(text)")
        return text
    }

    /// Nanoseconds since 1970 as text.
    private static func moment(_ json: JSON?) throws -> UInt64 {
        guard let moment = json?.stringValue.flatMap({ UInt64($0) }) else {
            throw Complaint(description: "a moment that is no number as text")
        }
        return moment
    }

    private static func attributes(_ json: JSON?) throws -> [String: String] {
        var values: [String: String] = [:]
        for attribute in json?.arrayValue ?? [] {
            try members(attribute, "KeyValue", ["key", "value"])
            let key = attribute["key"]?.stringValue ?? ""
            let value = attribute["value"] ?? .null
            try require(!key.isEmpty && values[key] == nil, "an attribute \(key) without a name, or twice")
            try require(value.objectValue?.count == 1, "a value of \(key) that is not one")
            if let text = value["stringValue"]?.stringValue {
                values[key] = text
            } else if let number = value["intValue"]?.stringValue, Int64(number) != nil {
                values[key] = number
            } else if let truth = value["boolValue"]?.boolValue {
                values[key] = "\(truth)"
            } else {
                throw Complaint(description: "a value of \(key) that is none: \(value)")
            }
        }
        return values
    }

    private static func require(_ isSo: Bool, _ complaint: @autoclosure () -> String) throws {
        if !isSo { throw Complaint(description: complaint()) }
    }
}
