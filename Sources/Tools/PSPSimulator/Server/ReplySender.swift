import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import StrictJSON

/// Answers requests, or fails to in the way that a trigger asks for.
struct ReplySender: Sendable {
    let limits: SimulatorLimits

    /// What every 500 says.
    let serverError: PSPReply

    /// Answers in the way that `handling` says.
    ///
    /// - Throws: ``ConnectionDropped`` if there is to be no answer.
    func send(
        _ reply: PSPReply,
        _ context: SimulatorContext,
        _ handling: Handling = .answer(afterMilliseconds: 0)
    ) async throws -> Response {
        switch handling {
        case .answer(afterMilliseconds: let delay):
            guard await pause(.milliseconds(delay)) else { throw await drop(context) }
            return Self.response(reply)
        case .serverError:
            return Self.response(serverError)
        case .truncate:
            var half = reply
            half.body = Array(reply.body.prefix(reply.body.count / 2))
            return Self.response(half)
        case .twice:
            return Self.twice(reply)
        case .close:
            throw await drop(context)
        case .stall:
            await hold(context.channel)
            throw ConnectionDropped()
        }
    }

    /// Answers with a document of the simulator itself.
    ///
    /// - Throws: ``ConnectionDropped`` if the simulator stops.
    func send(_ json: JSON, status: Int = 200, _ context: SimulatorContext) async throws -> Response {
        try await send(PSPReply(status, json), context)
    }

    /// Refuses a request to the simulator itself.
    ///
    /// - Throws: ``ConnectionDropped`` if the simulator stops.
    func send(_ refusal: Refusal, _ context: SimulatorContext) async throws -> Response {
        try await send(ReplyDocument.json(refusal), status: refusal.status, context)
    }

    /// Where the sender reached the simulator, so that links work from where they are read.
    static func origin(of request: Request) -> String { "http://" + (request.head.authority ?? "127.0.0.1") }

    /// Waits until the peer leaves, the limit is over or the simulator stops; the connection is closed then.
    private func hold(_ channel: any Channel) async {
        // A peer that leaves only closes its half, which would go unnoticed until something is written.
        try? await channel.setOption(ChannelOptions.allowRemoteHalfClosure, value: false).get()
        await withDiscardingTaskGroup { group in
            group.addTask {
                _ = await pause(limits.stall)
                channel.close(promise: nil)
            }
            try? await channel.closeFuture.get()
            group.cancelAll()
        }
    }

    /// Waits; false if the simulator stops meanwhile.
    private func pause(_ duration: Duration) async -> Bool {
        guard duration > .zero else { return true }
        do {
            try await cancelWhenGracefulShutdown { try await Task.sleep(for: duration) }
            return !Task.isShuttingDownGracefully
        } catch {
            return false
        }
    }

    /// Closes the connection without a reply.
    private func drop(_ context: SimulatorContext) async -> ConnectionDropped {
        try? await context.channel.close()
        return ConnectionDropped()
    }

    private static func response(_ reply: PSPReply) -> Response {
        Response(
            status: HTTPResponse.Status(code: reply.status),
            headers: fields(reply),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: reply.body))
        )
    }

    private static func fields(_ reply: PSPReply) -> HTTPFields {
        var fields: HTTPFields = [.contentType: reply.contentType]
        for header in reply.headers {
            if let name = HTTPField.Name(header.name) { fields[name] = header.value }
        }
        return fields
    }

    /// A reply whose body is followed on the wire by a second, complete reply that nobody asked for.
    private static func twice(_ reply: PSPReply) -> Response {
        let own = reply.headers.map { "\($0.name): \($0.value)" }
        let lines =
            ["HTTP/1.1 \(reply.status) Repeated", "Content-Type: \(reply.contentType)"] + own
            + ["Content-Length: \(reply.body.count)", "", ""]
        let bytes = reply.body + Array(lines.joined(separator: "\r\n").utf8) + reply.body
        let writing = ResponseBody(contentLength: reply.body.count) { writer in
            try await writer.write(ByteBuffer(bytes: bytes))
            try await writer.finish(nil)
        }
        return Response(status: HTTPResponse.Status(code: reply.status), headers: fields(reply), body: writing)
    }
}

/// The connection was closed on purpose and there is nothing to answer.
private struct ConnectionDropped: Error {}

/// The simulator's limits.
package struct SimulatorLimits: Hashable, Sendable {
    /// The longest request body, in bytes.
    package var bodyBytes = 65_536
    /// How long a request that is never answered is held before its connection is closed.
    package var stall = Duration.seconds(120)
    /// How late inquiries see what happened, in milliseconds.
    package var lateness: Int64 = 0

    /// The default limits.
    package init() {}
}
