import HTTPTypes
import Hummingbird
import Logging
import Telemetry
import Tracing

/// The span of a request, from its head to the head of its answer.
///
/// Names follow OpenTelemetry's semantic conventions for HTTP servers, but for the path and the query, which whoever asks
/// may choose at will: they stand nowhere.
struct RequestSpan {
    /// Header fields as a tracer reads them: a field that comes twice is none.
    private struct Fields: Extractor {
        func extract(key: String, from headers: HTTPFields) -> String? {
            guard let name = HTTPField.Name(key) else { return nil }
            let values = headers[values: name]
            return values.count == 1 ? values[0] : nil
        }
    }

    /// PSPs' webhooks begin so: who sends them is known only by the signature, and has no trace that ours belong to.
    private static let strangers = "/v1/psp/"

    let traces: TraceWriter

    /// Answers a request within its span; what is done for it is known by the request's name.
    func around(
        _ request: Request,
        _ context: APIContext,
        _ body: (OTLPSpan?) async throws -> Response
    ) async throws -> Response {
        var origin = InstrumentationContext.topLevel
        origin.requestID = context.requestID
        return try await InstrumentationContext.withValue(origin) {
            guard let tracer = traces.tracer, !RequestLog.probes.contains(request.uri.path) else {
                return try await body(nil)
            }
            if !request.uri.path.utf8.starts(with: Self.strangers.utf8) {
                tracer.extract(request.headers, into: &origin, using: Fields())
            }
            let parent = TraceParent(context: origin.trace)
            return try await traces.inSpan(HTTPMetrics.method(request.method), .server, below: parent) { span in
                // Whoever shows no key chooses neither that the request is recorded nor, by the trace's identifier, its luck.
                defer {
                    if parent.context?.isSampled == true, context.shownKey.id == nil, !tracer.takesOneOfStrangers() {
                        span?.discard()
                    }
                }
                return try await body(span)
            }
        }
    }

    /// Says what the request was: what the log says of it.
    static func tell(_ metadata: Logger.Metadata, _ status: Int, of route: String?, on span: OTLPSpan) {
        func text(_ key: String) -> String? { metadata[key].map { "\($0)" } }
        let method = text("method") ?? "other"
        span.operationName = route.map { "\(method) \($0)" } ?? method
        span.set("http.request.method", method == "other" ? "_OTHER" : method)
        span.set("http.route", route)
        span.set("http.response.status_code", Int64(status))
        span.set("url.scheme", "http")
        span.set("tributary.request_id", text("request_id"))
        span.set("tributary.order.id", text("order"))
        span.set("tributary.payment.id", text("payment"))
        span.set("tributary.key.id", text("key"))
        if status >= 500 { span.fail("\(status)") }
    }
}
