import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// A connection that speaks HTTP/1.1, over TLS or plainly, with a ``ConnectionGuard`` before whoever serves.
struct GuardedChannel: ServerChildChannel {
    /// The most that one read takes, in bytes: what nobody has asked for yet is held in a few such pieces.
    private static let pieceBytes = 16_384
    /// The most bytes of header fields in one request, and how many fields.
    private static let fieldBytes = 32_768
    private static let fieldCount = 200

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

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        let isServed = register.admit(channel, at: ConnectionGuard.now)
        return base.setup(channel: channel, logger: logger).flatMapThrowing { [limits, register, tls] value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let guardian = ConnectionGuard(limits, register, serves: isServed, isEncrypted: tls != nil)
            try pipeline.addHandler(guardian, position: .after(decoder))
            try pipeline.addHandler(ByteMeter(guardian), position: .first)
            if let tls {
                try pipeline.addHandler(TLSErrorFilter(), position: .first)
                try pipeline.addHandler(tls.makeHandler(), position: .first)
            }
            try pipeline.addHandler(ReadMeter(guardian), position: .first)
            let allocator = AdaptiveRecvByteBufferAllocator(minimum: 512, initial: 2048, maximum: Self.pieceBytes)
            try channel.syncOptions?.setOption(.recvAllocator, value: allocator)
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
