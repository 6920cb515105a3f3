import HTTPTypes
import NIOCore
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import StrictJSON

/// Stands between a stream of HTTP/2 and whoever serves its request, as ``ConnectionGuard`` does on HTTP/1.1.
///
/// Refuses a stream where too many are open. Answers a request whose body is too slow (408) or that does not name its host (400, RFC 9113 section 8.3.1), ends the
/// stream behind an answer that was given before the whole request was there, and one whose answer is not read.
final class HTTP2StreamGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private let limits: ConnectionLimits
    private let connection: HTTP2ConnectionGuard
    private let fieldLimit: Int
    private var pace: RequestPace
    private var context: ChannelHandlerContext?
    private var alarm: Scheduled<Void>?
    private var stall: Scheduled<Void>?
    private var (isWhole, isBegun, isFinished, isServed) = (false, false, false, false)
    /// Whether it is one of the streams that may be open.
    private var isCounted = false
    /// Whether nothing is read or written for whoever serves any more.
    private var isLeaving = false
    /// Whether it has ended, or was told to.
    private var isOver = false

    /// Guards a stream of a connection, whose request may have so many header fields.
    init(_ limits: ConnectionLimits, _ connection: HTTP2ConnectionGuard, fieldLimit: Int) {
        self.limits = limits
        self.connection = connection
        self.fieldLimit = fieldLimit
        pace = RequestPace(limits)
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        isCounted = connection.open()
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        alarm?.cancel()
        stall?.cancel()
        self.context = nil
        if isCounted { connection.close() }
        isCounted = false
    }

    func channelInactive(context: ChannelHandlerContext) {
        (isLeaving, isOver) = (true, true)
        finishServing()
        context.fireChannelInactive()
    }

    // MARK: The request

    func read(context: ChannelHandlerContext) {
        pace.listen(at: ConnectionGuard.now)
        arm()
        context.read()
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        pace.pause(at: ConnectionGuard.now)
        context.fireChannelReadComplete()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isLeaving else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            // Nothing of it was looked at: it may be sent again at once, elsewhere.
            guard isCounted else { return reset(context, .refusedStream) }
            guard head.headerFields.count <= fieldLimit else { return reset(context, .enhanceYourCalm) }
            guard Self.hasOneHost(head) else { return answer(.hostInvalid, context) }
            pace.begin(.body, at: ConnectionGuard.now)
        case .body(let bytes): pace.receive(bytes.readableBytes)
        case .end:
            isWhole = true
            pace.begin(.nothing, at: ConnectionGuard.now)
            isServed = true
            connection.serve()
        }
        context.fireChannelRead(data)
    }

    /// What cannot be read as a request ends the stream.
    func errorCaught(context: ChannelHandlerContext, error: any Error) { reset(context, .protocolError) }

    /// Whether a request names its host once: by `:authority`, to which a `Host` has to be equal, or else by `Host`.
    private static func hasOneHost(_ head: HTTPRequest) -> Bool {
        let hosts = (head.authority.map { [$0] } ?? []) + (hostField.map { head.headerFields[values: $0] } ?? [])
        guard let host = hosts.first, !host.isEmpty else { return false }
        return hosts.allSatisfy { $0 == host } && ConnectionGuard.isHost(host)
    }

    private static let hostField = HTTPField.Name("Host")

    private func arm() {
        guard alarm == nil, let context, !isLeaving, let left = pace.left(at: ConnectionGuard.now) else { return }
        let time = TimeAmount.milliseconds(max(1, left))
        alarm = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in ring() }
    }

    private func ring() {
        alarm = nil
        guard let context, !isLeaving, let left = pace.left(at: ConnectionGuard.now) else { return }
        guard left <= 0 else { return arm() }
        answer(.bodyTooSlow, context)
    }

    // MARK: The answer

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isLeaving else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head):
            isBegun = true
            // No field of a connection's has a meaning here (RFC 9113 section 8.2.2).
            head.headerFields[.connection] = nil
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body: context.write(data, promise: promise)
        case .end: finish(context, data, promise)
        }
    }

    private func finish(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        isFinished = true
        finishServing()
        guard !isWhole else {
            context.write(data, promise: promise)
            return awaitReading(context)
        }
        let written = promise ?? context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            // The rest of it may have come meanwhile, which ends the stream.
            if let context = self.context, !isWhole { reset(context, .noError) }
        }
        context.writeAndFlush(data, promise: written)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        if context.channel.isWritable, !isFinished { stall?.cancel() } else { awaitReading(context) }
        context.fireChannelWritabilityChanged()
    }

    /// Ends the stream unless its answer, or the part of it that waits, is read in time.
    private func awaitReading(_ context: ChannelHandlerContext) {
        stall?.cancel()
        let time = TimeAmount.milliseconds(limits.idleMilliseconds)
        stall = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in
            if let context = self.context { reset(context, .cancel) }
        }
    }

    private func finishServing() {
        guard isServed else { return }
        isServed = false
        connection.finish()
    }

    /// Answers in place of whoever serves, unless an answer is under way already, and ends the stream.
    private func answer(_ problem: Problem, _ context: ChannelHandlerContext) {
        guard !isLeaving else { return }
        isLeaving = true
        guard !isBegun else { return reset(context, .cancel) }
        let bytes = problem.json(requestID: APIContext.makeRequestID()).bytes
        var head = HTTPResponse(status: problem.status)
        for (name, value) in SecurityHeaders.fields(isEncrypted: true) {
            if let name = HTTPField.Name(name) { head.headerFields[name] = value }
        }
        head.headerFields[.contentType] = "application/problem+json"
        head.headerFields[.contentLength] = String(bytes.count)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(ByteBuffer(bytes: bytes))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in
            if let context = self.context { reset(context, .noError) }
        }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    /// Ends the stream, saying why; NIO closes its channel behind the frame, and a second one would be the connection's fault.
    private func reset(_ context: ChannelHandlerContext, _ code: NIOHTTP2.HTTP2ErrorCode) {
        guard !isOver, context.channel.isActive else { return }
        (isLeaving, isOver) = (true, true)
        context.triggerUserOutboundEvent(NIOHTTP2FramePayloadToHTTPEvent.reset(code: code), promise: nil)
    }
}
