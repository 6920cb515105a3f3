import Gateway
import HTTPTransport
import Logging
import ServiceLifecycle
import Settings
import Telemetry

/// The sending of spans to a collector as a service of the process.
struct TraceService: Service {
    private static let timeoutMilliseconds = 3_000

    private let exporter: SpanExporter
    private let transport: HTTPTransport

    /// Sends what is traced to where the settings say; nil if nothing is traced.
    init?(_ traces: TraceWriter, _ settings: TracingSettings, instance: String, logger: Logger) {
        guard let tracer = traces.tracer, let endpoint = settings.endpoint else { return nil }
        let transport = HTTPTransport(
            limits: TransportLimits(requestsPerHost: 1, requestsInTotal: 1, requestsPerBulkhead: 1, requestsWaiting: 1)
        )
        self.transport = transport
        exporter = SpanExporter(
            tracer,
            instance: instance,
            onTrouble: { trouble in
                logger.warning("spans could not be sent to the collector", metadata: ["reason": "\(trouble)"])
            },
            send: { body in
                var request = HTTPRequest(
                    .post,
                    endpoint,
                    headers: [HTTPHeader("Content-Type", "application/json"), HTTPHeader("User-Agent", "Tributary")],
                    body: body
                )
                request.connectTimeoutMilliseconds = Self.timeoutMilliseconds
                request.totalTimeoutMilliseconds = Self.timeoutMilliseconds
                request.allowPlainHTTPToLoopback = true
                return switch await transport.send(request) {
                case .reply(let reply): .answer(status: reply.status, body: reply.body)
                case .failure: .silence
                }
            }
        )
    }

    /// Sends until it is shut down, then what is left.
    func run() async throws {
        await withGracefulShutdownHandler {
            await exporter.run()
        } onGracefulShutdown: {
            exporter.stop()
        }
        await transport.stop()
    }
}

extension TraceWriter {
    /// Traces as the operator set them.
    init(_ settings: TracingSettings) {
        self.init(settings.endpoint == nil ? nil : OTLPTracer(sampleRatio: settings.sampleRatio))
    }
}

/// What became of spans; nothing where nothing is traced.
struct TraceFigures: MetricSource {
    private let figures: CurrentFigures

    /// The figures of a process's traces.
    init(_ traces: TraceWriter) {
        let counts: @Sendable () -> SpanCounts? = { traces.tracer?.counts }
        let all: [CurrentFigures.Figure] = [
            (
                Metric(
                    .counter,
                    "tributary_trace_spans_total",
                    labels: ["outcome"],
                    "Spans that ended, by what became of them: sent, rejected by the collector, dropped for want of room or time."
                ),
                {
                    guard let counts = counts() else { return [] }
                    return [
                        MetricSample(["sent"], counts.sent), MetricSample(["rejected"], counts.rejected),
                        MetricSample(["dropped"], counts.dropped),
                    ]
                }
            ),
            (
                Metric(.gauge, "tributary_trace_spans_waiting", "Spans that wait to be sent to the collector."),
                { counts().map { [MetricSample($0.waiting)] } ?? [] }
            ),
            (
                Metric(
                    .counter,
                    "tributary_trace_request_failures_total",
                    "Requests that the collector did not take."
                ),
                { counts().map { [MetricSample($0.failedRequests)] } ?? [] }
            ),
        ]
        figures = CurrentFigures(all)
    }

    var metrics: [Metric] { figures.metrics }

    func write(to text: inout MetricText) { figures.write(to: &text) }
}
