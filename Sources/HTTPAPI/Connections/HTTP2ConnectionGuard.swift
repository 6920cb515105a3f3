import NIOCore
import NIOHTTP2

/// Watches a connection of HTTP/2: what its streams ask for, whether it asks for anything at all, and whether it has to make
/// room for another one.
///
/// How many streams there are at once, how often they may be reset, and how many frames of other kinds may come is
/// ``HTTP2Limits``, which NIO keeps to.
final class HTTP2ConnectionGuard: ChannelInboundHandler {
    typealias InboundIn = HTTP2Frame
    typealias InboundOut = HTTP2Frame
    typealias OutboundOut = HTTP2Frame

    private let limits: ConnectionLimits
    private let register: ConnectionRegister
    private let spentMilliseconds: Int64
    private var context: ChannelHandlerContext?
    private var alarm: Scheduled<Void>?
    /// Streams that are open, and requests that came whole and are not answered yet.
    private var (streams, served) = (0, 0)
    private var lastStream = HTTP2StreamID.rootStream
    private var isQuiescing = false

    /// Guards a connection of whose time for the first request so much is gone.
    init(_ limits: ConnectionLimits, _ register: ConnectionRegister, spentMilliseconds: Int64) {
        self.limits = limits
        self.register = register
        self.spentMilliseconds = spentMilliseconds
    }

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        close(afterMilliseconds: limits.headMilliseconds - spentMilliseconds)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        alarm?.cancel()
        self.context = nil
    }

    /// Has the handlers behind this one begin: they are added when the connection is long active.
    func begin() { context?.fireChannelActive() }

    /// A stream is opened; false if there are as many, over all connections, as requests may be open on HTTP/1.1.
    func open() -> Bool { register.openStream() }

    /// A stream that was let in has ended.
    func close() { register.closeStream() }

    /// A request has come whole.
    func serve() {
        served += 1
        if let context { register.serve(context.channel) }
    }

    /// It was answered, or nobody waits for its answer any more.
    func finish() {
        served -= 1
        if served == 0, let context { register.wait(context.channel, since: ConnectionGuard.now) }
    }

    /// A stream is there.
    func streamCreated(_ id: HTTP2StreamID) {
        streams += 1
        lastStream = max(lastStream, id)
        alarm?.cancel()
    }

    /// A stream has ended.
    func streamClosed() {
        streams -= 1
        // It is asked to go after the idle time; here it is made to.
        let idle = isQuiescing ? 0 : limits.idleMilliseconds
        if streams == 0 { close(afterMilliseconds: idle + limits.lingerMilliseconds) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        case is MakeRoom:
            if served > 0 { register.serve(context.channel) } else { leave(context) }
            return
        case let event as ChannelEvent where event == .inputClosed: return context.close(promise: nil)
        case is ChannelShouldQuiesceEvent:
            // It is asked to go, and made to behind its last answer, whether it says that it has heard or not.
            isQuiescing = true
            if streams == 0 { close(afterMilliseconds: limits.lingerMilliseconds) }
        default: break
        }
        context.fireUserInboundEventTriggered(event)
    }

    /// What is wrong with one stream ends that stream; anything else ends the connection.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is NIOHTTP2Errors.StreamError { return }
        context.close(promise: nil)
    }

    /// Says that no stream is served beyond the last one, and closes.
    private func leave(_ context: ChannelHandlerContext) {
        let payload = HTTP2Frame.FramePayload.goAway(lastStreamID: lastStream, errorCode: .noError, opaqueData: nil)
        context.writeAndFlush(wrapOutboundOut(HTTP2Frame(streamID: .rootStream, payload: payload)), promise: nil)
        context.close(promise: nil)
    }

    private func close(afterMilliseconds milliseconds: Int64) {
        alarm?.cancel()
        alarm = context?.eventLoop.assumeIsolated().scheduleTask(in: .milliseconds(max(1, milliseconds))) { [self] in
            context?.close(promise: nil)
        }
    }
}

/// What a connection of HTTP/2 may do at most; beyond it the connection is ended with GOAWAY.
///
/// Sources: RFC 9113, 10.5; CVE-2019-9512 to 9518 (floods of PING, SETTINGS, PRIORITY and empty frames), CVE-2023-44487 (rapid
/// reset), CVE-2024-27316 and others (CONTINUATION without an end).
enum HTTP2Limits {
    /// Streams at once; RFC 9113, 6.5.2 recommends no fewer.
    static let streams = 100
    /// Streams that the peer resets, and errors of streams, in 30 s.
    static let resets = 200
    /// PING, SETTINGS and PRIORITY frames in 30 s.
    static let controlFrames = 200
    /// CONTINUATION frames behind one HEADERS frame: with it they hold at most 96 KB.
    static let continuations = 5
    /// Answers to the peer's frames that wait to be read by it.
    static let bufferedControlFrames = 1000
    /// What a stream may send before it is read, in bytes: what RFC 9113, 6.9.2 begins with, since NIO never enlarges the window of
    /// a stream that began before the peer knew of a smaller one.
    private static let windowBytes = 65_535

    /// The limits as NIO takes them, with the most bytes of header fields in one request.
    static func configuration(fieldBytes: Int) -> NIOHTTP2Handler.Configuration {
        var configuration = NIOHTTP2Handler.Configuration()
        configuration.connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: streams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: fieldBytes),
            HTTP2Setting(parameter: .initialWindowSize, value: windowBytes),
        ]
        configuration.connection.targetWindowSize = windowBytes
        configuration.connection.maximumSequentialContinuationFrames = continuations
        configuration.connection.maximumBufferedControlFrames = bufferedControlFrames
        configuration.connection.controlFrameRateLimit.maximumCount = controlFrames
        configuration.stream.targetWindowSize = windowBytes
        configuration.stream.streamResetFrameRateLimit.maximumCount = resets
        configuration.stream.streamErrorRateLimit.maximumCount = resets
        return configuration
    }
}
