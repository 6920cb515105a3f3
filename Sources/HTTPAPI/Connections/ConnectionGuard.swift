import HTTPTypes
import NIOCore
import NIOHTTP1
import StrictJSON

/// Stands between a connection's bytes and whoever serves its requests.
///
/// Ends a connection whose peer is too slow (408), makes room for another one when asked to (503), refuses a request
/// without exactly one `Host` (400, RFC 9112 section 3.2), and closes the connection behind an answer that was given
/// before the whole request was there: what is left of it is neither kept nor read as another request.
final class ConnectionGuard: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    /// How long a refused connection is left to read why, in milliseconds.
    private static let refusalMilliseconds: Int64 = 250

    private let limits: ConnectionLimits
    private let register: ConnectionRegister
    private let isServed: Bool
    private let isEncrypted: Bool
    private let spentMilliseconds: Int64
    private var pace: RequestPace
    private var context: ChannelHandlerContext?
    private var alarm: (task: Scheduled<Void>, at: Int64)?
    private var stall: Scheduled<Void>?
    /// Requests whose head has come, and that have come whole; answers that were begun, and that were finished.
    private var (heads, wholes, begun, finished) = (0, 0, 0, 0)
    private var closesBehindAnswer = false
    private var hasStarted = false
    /// Whether nothing is read or written for whoever serves any more.
    private(set) var isLeaving = false

    /// Guards a connection in the clear, from its beginning.
    init(_ limits: ConnectionLimits, _ register: ConnectionRegister, serves: Bool) {
        (self.limits, self.register) = (limits, register)
        (isServed, isEncrypted, spentMilliseconds) = (serves, false, 0)
        pace = RequestPace(limits)
    }

    /// Guards a connection over TLS that is served, behind a handshake that took so much of the time for the first head.
    init(_ limits: ConnectionLimits, _ register: ConnectionRegister, spentMilliseconds: Int64) {
        (self.limits, self.register) = (limits, register)
        (isServed, isEncrypted) = (true, true)
        self.spentMilliseconds = spentMilliseconds
        pace = RequestPace(limits)
    }

    /// Milliseconds of a clock that never goes back.
    static var now: Int64 { Int64(NIODeadline.now().uptimeNanoseconds / 1_000_000) }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { start(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        alarm?.task.cancel()
        stall?.cancel()
        self.context = nil
    }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    /// The first head is owed from the beginning.
    private func start(_ context: ChannelHandlerContext) {
        guard !hasStarted else { return }
        hasStarted = true
        guard isServed else {
            return answer(.tooManyConnections, context, lingering: Self.refusalMilliseconds)
        }
        pace.begin(.head, at: Self.now, spent: spentMilliseconds)
    }

    // MARK: What the bytes tell

    /// Bytes have come.
    func receive(_ count: Int) {
        if pace.owed == .nothing, finished == heads { pace.begin(.head, at: Self.now) }
        pace.receive(count)
    }

    /// The channel asks for bytes.
    func listen() {
        pace.listen(at: Self.now)
        arm()
    }

    /// The channel has what it asked for.
    func pause() { pace.pause(at: Self.now) }

    private func arm() {
        guard let context, !isLeaving, let left = pace.left(at: Self.now) else { return }
        let end = Self.now + max(1, left)
        if let alarm, alarm.at <= end { return }
        alarm?.task.cancel()
        let task = context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(max(1, left))) { [self] in ring() }
        alarm = (task, end)
    }

    private func ring() {
        alarm = nil
        guard let context, !isLeaving, let left = pace.left(at: Self.now) else { return }
        guard left <= 0 else { return arm() }
        // Who connected and never asked for anything is told nothing.
        guard pace.owed == .body || pace.bytes > 0 else { return close(context) }
        answer(pace.owed == .body ? .bodyTooSlow : .headTooSlow, context, lingering: limits.lingerMilliseconds)
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isLeaving else { return }
        switch unwrapInboundIn(data) {
        case .head(var head):
            heads += 1
            guard Self.hasOneHost(head) else {
                return answer(.hostInvalid, context, lingering: limits.lingerMilliseconds)
            }
            Self.boundConnection(of: &head)
            if !head.isKeepAlive { closesBehindAnswer = true }
            pace.begin(.body, at: Self.now)
            return context.fireChannelRead(wrapInboundOut(.head(head)))
        case .body: break
        case .end:
            wholes += 1
            pace.begin(.nothing, at: Self.now)
            register.serve(context.channel)
        }
        context.fireChannelRead(data)
    }

    /// Whether a request names its host once, as every one has to but those of HTTP/1.0.
    private static func hasOneHost(_ head: HTTPRequestHead) -> Bool {
        let hosts = head.headers["host"]
        guard let host = hosts.first else { return head.version == .http1_0 }
        return hosts.count == 1 && isHost(host)
    }

    /// Whether text may name a host, with a port or without one.
    static func isHost(_ text: String) -> Bool {
        text.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && !refusedInHost.contains($0) }
    }

    /// Takes a `Connection` that is not ASCII, or too long, for `close`.
    ///
    /// Hummingbird compares its value as text, in a time that grows with the square of a run of combining marks.
    private static func boundConnection(of head: inout HTTPRequestHead) {
        guard head.headers["connection"].contains(where: { $0.boundedASCII == nil }) else { return }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
    }

    private static let refusedInHost = Set("/\\?#@,\"<>".utf8)

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is MakeRoom { return makeRoom(context) }
        if isLeaving, case .inputClosed? = event as? ChannelEvent { return close(context) }
        context.fireUserInboundEventTriggered(event)
    }

    private func makeRoom(_ context: ChannelHandlerContext) {
        if isLeaving { return close(context) }
        guard wholes == finished else { return register.serve(context.channel) }
        let isUnderWay = heads > wholes || pace.owed == .head && pace.bytes > 0
        if isUnderWay { answer(.tooManyConnections, context, lingering: 0) } else { close(context) }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard !isLeaving else {
            promise?.fail(ChannelError.outputClosed)
            return
        }
        switch unwrapOutboundIn(data) {
        case .head(var head) where head.status.code >= 200:
            begun += 1
            // More of the request may come, which nobody reads any more.
            if begun > wholes { head.headers.replaceOrAdd(name: "Connection", value: "close") }
            if head.headers["connection"].contains(where: { $0.lowercased() == "close" }) { closesBehindAnswer = true }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .head, .body: context.write(data, promise: promise)
        case .end: finish(context, data, promise)
        }
    }

    private func finish(_ context: ChannelHandlerContext, _ data: NIOAny, _ promise: EventLoopPromise<Void>?) {
        finished += 1
        if closesBehindAnswer, finished >= heads || begun > wholes {
            let written = promise ?? context.eventLoop.makePromise(of: Void.self)
            written.futureResult.assumeIsolated().whenComplete { [self] _ in
                leave(context, lingering: limits.lingerMilliseconds)
            }
            return context.writeAndFlush(data, promise: written)
        }
        context.write(data, promise: promise)
        if finished >= heads { register.wait(context.channel, since: Self.now) }
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        stall?.cancel()
        stall = nil
        if !context.channel.isWritable {
            let time = TimeAmount.milliseconds(limits.idleMilliseconds)
            stall = context.eventLoop.assumeIsolated().scheduleTask(in: time) { [self] in closeIfOpen() }
        }
        context.fireChannelWritabilityChanged()
    }

    /// Answers in place of whoever serves, unless an answer is under way already, and closes.
    private func answer(_ problem: Problem, _ context: ChannelHandlerContext, lingering milliseconds: Int64) {
        guard !isLeaving else { return }
        isLeaving = true
        guard begun == finished else { return close(context) }
        let bytes = problem.json(requestID: APIContext.makeRequestID()).bytes
        var fields = HTTPHeaders(SecurityHeaders.fields(isEncrypted: isEncrypted))
        fields.add(name: "Content-Type", value: "application/problem+json")
        fields.add(name: "Content-Length", value: String(bytes.count))
        fields.add(name: "Connection", value: "close")
        if let seconds = problem.retryAfterSeconds { fields.add(name: "Retry-After", value: String(seconds)) }
        let status = HTTPResponseStatus(statusCode: problem.status.code)
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: fields))),
            promise: nil
        )
        context.write(wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: bytes)))), promise: nil)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { [self] _ in leave(context, lingering: milliseconds) }
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: written)
    }

    /// Says that nothing follows, and closes once the peer has had time to read what was said.
    ///
    /// A connection that is closed with bytes unread is reset, and the peer may never see the answer.
    private func leave(_ context: ChannelHandlerContext, lingering milliseconds: Int64) {
        isLeaving = true
        guard context.channel.isActive, milliseconds > 0 else { return close(context) }
        register.wait(context.channel, since: 0)
        context.close(mode: .output, promise: nil)
        context.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(milliseconds)) { [self] in
            closeIfOpen()
        }
    }

    private func closeIfOpen() {
        if let context { close(context) }
    }

    private func close(_ context: ChannelHandlerContext) {
        isLeaving = true
        context.close(promise: nil)
    }
}

/// Tells a connection's guard when bytes are asked for, and when some have come: first of all, before TLS.
final class ReadMeter: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let guardian: ConnectionGuard

    init(_ guardian: ConnectionGuard) { self.guardian = guardian }

    func channelReadComplete(context: ChannelHandlerContext) {
        guardian.pause()
        context.fireChannelReadComplete()
    }

    func read(context: ChannelHandlerContext) {
        guardian.listen()
        context.read()
    }
}

/// Tells a connection's guard of the bytes of requests, and keeps them from the parser once nobody reads them: behind TLS,
/// whose own bytes earn nobody time.
final class ByteMeter: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let guardian: ConnectionGuard

    init(_ guardian: ConnectionGuard) { self.guardian = guardian }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !guardian.isLeaving else { return }
        guardian.receive(unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }
}
