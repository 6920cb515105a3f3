import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// Endpoints on this machine behind one HTTP server: healthy ones under `/healthy/`, others under their trouble.
final class BenchEndpoints: Sendable {
    private static let bodyLimitBytes = 1_048_576

    /// Takes note of what arrives at the healthy ones.
    private let times: Mutex<DeliveryTimes>
    private let troubled = Atomic(0)

    init() { times = Mutex(DeliveryTimes()) }

    /// How many tries the others have seen.
    var triesAtTroubled: Int { troubled.load(ordering: .relaxed) }

    /// Notes from now on what arrives in `times`.
    func note(in times: DeliveryTimes) { self.times.withLock { $0 = times } }

    /// Serves endpoints for the time of `body`, which gets them and their base URL, and answers what it answers.
    ///
    /// - Throws: what `body` throws, or ``CommandFailure`` if the server stops by itself.
    static func serving<Value: Sendable>(
        _ body: @escaping @Sendable (_ endpoints: BenchEndpoints, _ url: String) async throws -> Value
    ) async throws -> Value {
        let endpoints = BenchEndpoints()
        let (ports, continuation) = AsyncStream<Int>.makeStream()
        let responder = CallbackResponder<BasicRequestContext> { request, _ in try await endpoints.answer(request) }
        let application = Application(
            responder: responder,
            configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil, backlog: 4_096),
            onServerRunning: { channel in continuation.yield(channel.localAddress?.port ?? 0) },
            logger: Logger(label: "bench") { _ in SwiftLogNoOpLogHandler() }
        )
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await application.run()
                return nil
            }
            group.addTask {
                guard let port = await ports.first(where: { _ in true }) else { return nil }
                return try await body(endpoints, "http://127.0.0.1:\(port)")
            }
            defer { group.cancelAll() }
            guard let finished = try await group.next(), let finished else {
                throw CommandFailure.unusable("the server of the endpoints stopped by itself")
            }
            return finished
        }
    }

    private func answer(_ request: Request) async throws -> Response {
        let id = HTTPField.Name("webhook-id").flatMap { request.headers[$0] } ?? ""
        _ = try await request.body.collect(upTo: Self.bodyLimitBytes)
        let first = request.uri.path.split(separator: "/").first.map(String.init) ?? ""
        if let trouble = EndpointTrouble(rawValue: first) {
            troubled.add(1, ordering: .relaxed)
            return try await trouble.response()
        }
        times.withLock(\.self).arrive(id)
        return Response(status: .noContent)
    }
}

/// What is wrong with an endpoint, and how it answers.
enum EndpointTrouble: String, CaseIterable, Sendable {
    /// It takes the callback and never answers.
    case hangs
    /// It closes the connection in the middle of its answer.
    case closesEarly = "closes-early"
    /// It answers 500.
    case fails
    /// It answers 301.
    case redirects
    /// It answers 410.
    case gone
    /// It answers 429 and wants to be left alone for a second.
    case tooMany = "too-many"
    /// It answers 200 and then writes for ever, slowly.
    case streams

    /// Longer than anybody waits for an answer.
    private static let hanging = Duration.seconds(600)
    private static let streamPause = Duration.milliseconds(100)

    /// The connection is to be closed.
    private struct ClosedEarly: Error {}

    /// The answer, once it comes.
    ///
    /// - Throws: `CancellationError` if nobody waits for it any more.
    func response() async throws -> Response {
        switch self {
        case .hangs:
            try await Task.sleep(for: Self.hanging)
            return Response(status: .noContent)
        case .closesEarly:
            let body = ResponseBody(contentLength: 1000) { writer in
                try await writer.write(ByteBuffer(string: "early"))
                throw ClosedEarly()
            }
            return Response(status: .ok, body: body)
        case .fails: return Response(status: .internalServerError)
        case .redirects: return Response(status: .movedPermanently, headers: [.location: "/healthy/0"])
        case .gone: return Response(status: .gone)
        case .tooMany: return Response(status: .tooManyRequests, headers: [.retryAfter: "1"])
        case .streams:
            let body = ResponseBody { writer in
                while !Task.isCancelled {
                    try await writer.write(ByteBuffer(string: "on and on "))
                    try await Task.sleep(for: Self.streamPause)
                }
                try await writer.finish(nil)
            }
            return Response(status: .ok, body: body)
        }
    }
}
