import NIOCore

/// Ends a connection whose peer takes longer for its handshake than for the head of a request, or that is to make room; there
/// is nobody who could be told why.
final class HandshakeTimer: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let limits: ConnectionLimits
    private let isServed: Bool
    private let beginning = ConnectionGuard.now
    private var alarm: Scheduled<Void>?

    init(_ limits: ConnectionLimits, serves isServed: Bool) {
        self.limits = limits
        self.isServed = isServed
    }

    /// How long ago the connection was made, in milliseconds: so much of the time for the first head is spent.
    var spentMilliseconds: Int64 { max(0, ConnectionGuard.now - beginning) }

    func handlerAdded(context: ChannelHandlerContext) {
        if context.channel.isActive { start(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) { alarm?.cancel() }

    func channelActive(context: ChannelHandlerContext) {
        start(context)
        context.fireChannelActive()
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event is MakeRoom || event is ChannelShouldQuiesceEvent { return context.close(promise: nil) }
        context.fireUserInboundEventTriggered(event)
    }

    private func start(_ context: ChannelHandlerContext) {
        guard alarm == nil else { return }
        guard isServed else { return context.close(promise: nil) }
        let time = TimeAmount.milliseconds(limits.headMilliseconds)
        alarm = context.eventLoop.assumeIsolated().scheduleTask(in: time) { context.close(promise: nil) }
    }
}
