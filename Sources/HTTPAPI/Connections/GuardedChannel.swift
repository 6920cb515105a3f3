import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTP2
import NIOHTTPTypes
import NIOHTTPTypesHTTP2
import NIOTLS
import Synchronization

/// A connection with a guard before whoever serves: HTTP/1.1 in the clear; over TLS what the handshake agreed on, HTTP/2 or
/// HTTP/1.1.
struct GuardedChannel: ServerChildChannel {
    /// The most that one read takes, in bytes: what nobody has asked for yet is held in a few such pieces.
    private static let pieceBytes = 16_384
    /// The most bytes of header fields in one request, and how many fields.
    private static let fieldBytes = 32_768
    private static let fieldCount = 200

    /// A request and its answer, one behind the other on HTTP/1.1, one alone on a stream of HTTP/2.
    typealias Parts = HTTP1Channel.Value
    fileprivate typealias Streams = NIOHTTP2Handler.AsyncStreamMultiplexer<Parts>

    /// What a connection speaks.
    fileprivate enum Spoken: Sendable {
        case http1(Parts)
        case http2(Streams)
    }

    /// A connection, and what it speaks once that is agreed on.
    struct Value: ServerChildChannelValue {
        let channel: any Channel
        fileprivate let spoken: EventLoopFuture<Spoken>
    }

    private let base: HTTP1Channel
    private let limits: ConnectionLimits
    private let register: ConnectionRegister
    private let tls: ServerTLS?

    init(
        _ responder: @escaping HTTPChannelHandler.Responder,
        _ limits: ConnectionLimits,
        _ register: ConnectionRegister,
        _ tls: ServerTLS?
    ) {
        base = HTTP1Channel(
            responder: responder,
            configuration: .init(
                idleTimeout: .milliseconds(limits.idleMilliseconds),
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: Self.fieldBytes,
                    maxHeaderListSize: Self.fieldBytes,
                    maxHeaderFieldCount: Self.fieldCount
                )
            )
        )
        self.limits = limits
        self.register = register
        self.tls = tls
    }

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let isServed = register.admit(channel, at: ConnectionGuard.now)
        guard let tls else {
            let guardian = ConnectionGuard(limits, register, serves: isServed)
            return setUpHTTP1(channel, guardian, logger).map { spoken in
                Value(channel: channel, spoken: channel.eventLoop.makeSucceededFuture(spoken))
            }
        }
        return channel.eventLoop.makeCompletedFuture {
            let pipeline = channel.pipeline.syncOperations
            let timer = HandshakeTimer(limits, serves: isServed)
            let agreement = NIOTypedApplicationProtocolNegotiationHandler<Spoken> { result, channel in
                let spent = timer.spentMilliseconds
                channel.pipeline.syncOperations.removeHandler(timer, promise: nil)
                if case .negotiated(ServerTLS.http2) = result { return setUpHTTP2(channel, spent) }
                let guardian = ConnectionGuard(limits, register, spentMilliseconds: spent)
                return setUpHTTP1(channel, guardian, logger)
            }
            try pipeline.addHandler(tls.makeHandler())
            try pipeline.addHandler(TLSErrorFilter())
            try pipeline.addHandler(timer)
            try pipeline.addHandler(agreement)
            try Self.boundPieces(of: channel)
            return Value(channel: channel, spoken: agreement.protocolNegotiationResult)
        }
    }

    func handle(value: Value, logger: Logger) async {
        do {
            switch try await value.spoken.get() {
            case .http1(let parts): await base.handle(value: parts, logger: logger)
            case .http2(let streams): await serve(streams, on: value.channel, logger)
            }
        } catch {
            logger.trace("A connection ended before it was agreed what it speaks. Error: \(error)")
        }
    }

    private static func boundPieces(of channel: any Channel) throws {
        let allocator = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: pieceBytes)
        try channel.syncOptions?.setOption(.recvAllocator, value: allocator)
    }

    private func setUpHTTP1(
        _ channel: any Channel,
        _ guardian: ConnectionGuard,
        _ logger: Logger
    ) -> EventLoopFuture<Spoken> {
        let guardian = NIOLoopBound(guardian, eventLoop: channel.eventLoop)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            try pipeline.addHandler(guardian.value, position: .after(decoder))
            try pipeline.addHandler(ByteMeter(guardian.value), position: .before(decoder))
            try pipeline.addHandler(ReadMeter(guardian.value), position: .first)
            try Self.boundPieces(of: channel)
            return .http1(value)
        }
    }
}

// MARK: HTTP/2

extension GuardedChannel {
    private func setUpHTTP2(
        _ channel: any Channel,
        _ spentMilliseconds: Int64
    ) -> EventLoopFuture<Spoken> {
        channel.eventLoop.makeCompletedFuture {
            let guardian = HTTP2ConnectionGuard(limits, register, spentMilliseconds: spentMilliseconds)
            let bound = NIOLoopBound(guardian, eventLoop: channel.eventLoop)
            // A peer that is asked to go (GOAWAY), when it is idle or the process is to end, has its open streams served.
            let manager = NIOHTTP2ServerConnectionManagementHandler(
                eventLoop: channel.eventLoop,
                configuration: .init(
                    maxIdleTime: .milliseconds(limits.idleMilliseconds),
                    maxAge: nil,
                    maxGraceTime: nil,
                    keepalive: nil
                )
            )
            let pipeline = channel.pipeline.syncOperations
            let streams: Streams = try pipeline.configureAsyncHTTP2Pipeline(
                mode: .server,
                streamDelegate: StreamCount(guardian: bound, manager: manager.http2StreamDelegate),
                configuration: HTTP2Limits.configuration(fieldBytes: Self.fieldBytes)
            ) { stream in
                stream.eventLoop.makeCompletedFuture {
                    let pipeline = stream.pipeline.syncOperations
                    try pipeline.addHandler(HTTP2FramePayloadToHTTPServerCodec())
                    try pipeline.addHandler(HTTP2StreamGuard(limits, bound.value, fieldLimit: Self.fieldCount))
                    return try Parts(wrappingChannelSynchronously: stream)
                }
            }
            try pipeline.addHandler(guardian)
            try pipeline.addHandler(manager)
            guardian.begin()
            return .http2(streams)
        }
    }

    /// Serves all streams of a connection, until it is closed and each has ended.
    ///
    /// Each stream that NIO has made is taken over, canceled or not: NIO takes one that nobody takes for a mistake.
    private func serve(_ streams: Streams, on channel: any Channel, _ logger: Logger) async {
        let cancellation = Cancellation()
        await withTaskCancellationHandler {
            let serving = Task {
                try await withThrowingDiscardingTaskGroup { group in
                    for try await stream in streams.inbound {
                        group.addTask { await base.handle(value: stream, logger: logger) }
                    }
                    if cancellation.hasCome { group.cancelAll() }
                }
            }
            _ = await serving.result
        } onCancel: {
            cancellation.come()
            channel.close(promise: nil)
        }
    }
}

/// Tells whoever watches a connection of its streams: the multiplexer within NIO's handler tells nobody else, not even by events.
private struct StreamCount: NIOHTTP2StreamDelegate {
    let guardian: NIOLoopBound<HTTP2ConnectionGuard>
    let manager: NIOHTTP2ServerConnectionManagementHandler.HTTP2StreamDelegate

    func streamCreated(_ id: HTTP2StreamID, channel: any Channel) {
        guardian.value.streamCreated(id)
        manager.streamCreated(id, channel: channel)
    }

    func streamClosed(_ id: HTTP2StreamID, channel: any Channel) {
        guardian.value.streamClosed()
        manager.streamClosed(id, channel: channel)
    }
}

/// Whether whoever serves a connection was told to end.
private final class Cancellation: Sendable {
    private let flag = Atomic(false)

    /// Whether it was.
    var hasCome: Bool { flag.load(ordering: .acquiring) }

    /// It is.
    func come() { flag.store(true, ordering: .releasing) }
}
