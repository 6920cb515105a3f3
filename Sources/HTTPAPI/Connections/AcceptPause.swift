import NIOCore

/// Accepts no connection for a while after the system could not give one, for want of descriptors or memory.
///
/// The listening socket stays readable meanwhile, and would otherwise be tried again at once, for ever.
final class AcceptPause: ChannelInboundHandler {
    typealias InboundIn = any Channel

    private static let pause = TimeAmount.milliseconds(100)
    private var isPausing = false

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is IOError, !isPausing {
            isPausing = true
            let channel = context.channel
            try? channel.syncOptions?.setOption(.autoRead, value: false)
            context.eventLoop.assumeIsolated().scheduleTask(in: Self.pause) { [self] in
                isPausing = false
                try? channel.syncOptions?.setOption(.autoRead, value: true)
            }
        }
        context.fireErrorCaught(error)
    }
}
