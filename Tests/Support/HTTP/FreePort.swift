import NIOCore
import NIOPosix

/// Ports of the loopback interface that nobody listens on.
package enum FreePort {
    /// One of them, for a server that has to know its own address before it listens.
    ///
    /// - Throws: if none can be had.
    package static func find() async throws -> Int {
        let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = channel.localAddress?.port
        try await channel.close()
        guard let port else { throw HarnessFailure.neverCame("a free port") }
        return port
    }
}
