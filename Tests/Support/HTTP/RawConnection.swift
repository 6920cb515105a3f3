import NIOCore
import NIOPosix

/// A connection over which a test sends bytes that no client library would.
package enum RawConnection {
    /// Sends text and answers everything that comes back until the server closes the connection.
    ///
    /// A server that refuses connections may have answered and closed before the text is sent: what it said counts all the
    /// same.
    ///
    /// - Throws: what NIO throws if the connection fails.
    package static func exchange(_ text: String, port: Int) async throws -> String {
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        return try await channel.executeThenClose { inbound, outbound in
            do { try await outbound.write(ByteBuffer(string: text)) } catch ChannelError.ioOnClosedChannel {}
            var bytes: [UInt8] = []
            for try await part in inbound { bytes += Array(part.readableBytesView) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
