import Domain
import Gateway
import HTTPTypes
import Hummingbird
import Logging
import Telemetry

/// Counts and times each request, and says in the log what it was and what it was answered.
///
/// Nothing stands there that whoever asks may choose at will: the route's template and not the path, no query, no body, no
/// key but its identifier, and an identifier of an order only if it is one.
struct RequestLog: Sendable {
    /// Requests of machines that look whether this one is well, which are said at the level `debug` and not traced.
    static let probes: Set<String> = ["/livez", "/readyz", "/metrics"]
    /// What stands where no route is for a request.
    private static let noRoute = "none"

    let metrics: HTTPMetrics
    let logger: Logger
    let traces: TraceWriter

    /// Takes down a request that was answered.
    func record(
        _ request: Request,
        _ context: APIContext,
        status: Int,
        since begin: ContinuousClock.Instant,
        on span: OTLPSpan? = nil
    ) {
        let elapsed = ContinuousClock.now - begin
        let route = context.endpointPath.flatMap { $0 == "NotFound" ? nil : $0 } ?? Self.noRoute
        let method = HTTPMetrics.method(request.method)
        metrics.requests.increment(HTTPMetrics.Answered(method: method, route: route, status: .init(status)))
        metrics.durations.observe(elapsed / .seconds(1), HTTPMetrics.Timed(method: method, route: route))
        func all() -> Logger.Metadata {
            var all = metadata(request, context, method: method, route: route, status: status, elapsed)
            if let span { all["trace_id"] = "\(span.position.trace)" }
            return all
        }
        if let span { RequestSpan.tell(all(), status, of: route == Self.noRoute ? nil : route, on: span) }
        logger.log(
            level: Self.probes.contains(route) ? .debug : .info,
            "a request was answered",
            metadata: all()
        )
    }

    private func metadata(
        _ request: Request,
        _ context: APIContext,
        method: String,
        route: String,
        status: Int,
        _ elapsed: Duration
    ) -> Logger.Metadata {
        let microseconds = Int64(elapsed / .microseconds(1))
        let fraction = String(1000 + microseconds % 1000).dropFirst()
        var metadata: Logger.Metadata = [
            "request_id": "\(context.requestID)", "method": "\(method)", "route": "\(route)", "status": "\(status)",
            "duration_ms": "\(microseconds / 1000).\(fraction)",
        ]
        if let name = CallerRequestID.text(of: request) { metadata["caller_request_id"] = "\(name)" }
        if let key = context.shownKey.id { metadata["key"] = "\(key)" }
        if let order = context.madeOrder.id { metadata["order"] = "\(order)" }
        if let id = context.parameters.get("id") {
            if let order = OrderID(id) {
                metadata["order"] = "\(order)"
            } else if let payment = PaymentID(id) {
                metadata["payment"] = "\(payment)"
                metadata["order"] = "\(OrderID(of: payment))"
            } else if let refund = RefundID(id) {
                metadata["refund"] = "\(refund)"
                metadata["order"] = "\(OrderID(of: refund))"
            }
        }
        return metadata
    }
}

/// Takes down every request, around all else that is done with it, and names it in its answer.
struct RequestLogMiddleware: RouterMiddleware {
    let log: RequestLog

    func handle(
        _ request: Request,
        context: APIContext,
        next: @concurrent (Request, APIContext) async throws -> Response
    ) async throws -> Response {
        let begin = ContinuousClock.now
        log.metrics.underWay.add(1)
        defer { log.metrics.underWay.add(-1) }
        return try await RequestSpan(traces: log.traces).around(request, context) { span in
            do {
                var response = try await next(request, context)
                CallerRequestID.name(&response, answering: request, context)
                log.record(request, context, status: response.status.code, since: begin, on: span)
                return response
            } catch {
                log.record(request, context, status: 500, since: begin, on: span)
                throw error
            }
        }
    }
}

/// What is counted of requests.
struct HTTPMetrics: Sendable {
    /// A request and the class of its answer's status.
    struct Answered: MetricLabels {
        /// The class of a status.
        enum Status: String, Sendable {
            case information = "1xx"
            case success = "2xx"
            case redirect = "3xx"
            case refusal = "4xx"
            case failure = "5xx"

            init(_ status: Int) {
                self =
                    switch status {
                    case ..<200: .information
                    case ..<300: .success
                    case ..<400: .redirect
                    case ..<500: .refusal
                    default: .failure
                    }
            }
        }

        static let names = ["method", "route", "status"]

        let method: String
        let route: String
        let status: Status

        var values: [String] { [method, route, status.rawValue] }
    }

    /// A request.
    struct Timed: MetricLabels {
        static let names = ["method", "route"]

        let method: String
        let route: String

        var values: [String] { [method, route] }
    }

    /// Requests that were answered.
    let requests = CounterFamily<Answered>(
        "tributary_http_requests_total",
        "Requests by the template of their route (none: there is no such route) and the class of the answer's status."
    )
    /// How long they took.
    let durations = HistogramFamily<Timed>(
        "tributary_http_request_duration_seconds",
        "How long it took until the answer to a request began.",
        bounds: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60]
    )
    /// Requests that were not answered yet.
    let underWay = LevelGauge("tributary_http_requests_in_flight", "Requests that are not answered yet.")

    /// All of it.
    var sources: [any MetricSource] { [requests, durations, underWay] }

    /// A method's name; one that nobody needs here is `other`.
    static func method(_ method: HTTPRequest.Method) -> String {
        switch method {
        case .get: "GET"
        case .post: "POST"
        case .head: "HEAD"
        case .put: "PUT"
        case .patch: "PATCH"
        case .delete: "DELETE"
        case .options: "OPTIONS"
        default: "other"
        }
    }
}
