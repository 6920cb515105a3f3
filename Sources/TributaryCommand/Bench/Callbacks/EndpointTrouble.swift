import HTTPTypes
import Hummingbird
import NIOCore

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
