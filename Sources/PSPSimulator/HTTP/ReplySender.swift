import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle
import StrictJSON

/// Answers requests, or fails to in the way that a trigger asks for.
struct ReplySender: Sendable {
    let limits: SimulatorLimits

    /// Answers as the verdict says.
    ///
    /// - Throws: ``ConnectionDropped`` if there is to be no answer.
    func send(_ verdict: Verdict, to request: Request, _ context: SimulatorContext) async throws -> Response {
        let reply = verdict.reply ?? .refusal(.notFound)
        let json = ReplyDocument.json(reply, origin: Self.origin(of: request))
        return try await send(
            json,
            status: reply.status,
            verdict.handling,
            isReplay: verdict.isReplay,
            to: request,
            context
        )
    }

    /// Answers with a document in the way that `handling` says.
    ///
    /// - Throws: ``ConnectionDropped`` if there is to be no answer.
    func send(
        _ json: JSON,
        status: Int,
        _ handling: Handling = .answer(afterMilliseconds: 0),
        isReplay: Bool = false,
        to request: Request,
        _ context: SimulatorContext
    ) async throws -> Response {
        switch handling {
        case .answer(afterMilliseconds: let delay):
            guard await pause(.milliseconds(delay)) else { throw await drop(context) }
            return Self.response(json.bytes, status: status, isReplay: isReplay)
        case .serverError:
            return Self.response(ReplyDocument.serverError.bytes, status: 500)
        case .truncate:
            let bytes = json.bytes
            return Self.response(Array(bytes.prefix(bytes.count / 2)), status: status)
        case .twice:
            return Self.twice(json.bytes, status: status)
        case .close:
            throw await drop(context)
        case .stall:
            await hold(context.channel)
            throw ConnectionDropped()
        }
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

    private static func response(_ body: [UInt8], status: Int, isReplay: Bool = false) -> Response {
        var headers: HTTPFields = [.contentType: "application/json"]
        if isReplay, let name = HTTPField.Name("Idempotent-Replayed") { headers[name] = "true" }
        return Response(
            status: HTTPResponse.Status(code: status),
            headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body))
        )
    }

    /// A reply whose body is followed on the wire by a second, complete reply that nobody asked for.
    private static func twice(_ body: [UInt8], status: Int) -> Response {
        let head =
            "HTTP/1.1 \(status) Repeated\r\nContent-Type: application/json\r\nContent-Length: \(body.count)\r\n\r\n"
        let bytes = body + Array(head.utf8) + body
        let writing = ResponseBody(contentLength: body.count) { writer in
            try await writer.write(ByteBuffer(bytes: bytes))
            try await writer.finish(nil)
        }
        return Response(
            status: HTTPResponse.Status(code: status),
            headers: [.contentType: "application/json"],
            body: writing
        )
    }
}
