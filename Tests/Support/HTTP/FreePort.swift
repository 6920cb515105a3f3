import NIOCore
import NIOPosix
import Synchronization

/// Ports of the loopback interface that nobody listens on.
///
/// What is found stays free until its finder listens there: it lies below those that the system gives to whoever asks
/// for any port, and to connections (`ip_local_port_range`, 32768 and above unless a machine is told otherwise), and
/// is found once in a process.
package enum FreePort {
    /// Where they are looked for.
    private static let range = 10_240..<32_768
    /// The next one to look at; processes that look beside each other begin in different places.
    private static let next = Mutex(Int.random(in: range))

    /// One of them, for a server that has to know its own address before it listens, or for an address that nobody
    /// answers at.
    ///
    /// - Throws: ``HarnessFailure/neverCame(_:)`` if all are taken, or what binding fails with for another reason.
    package static func find() async throws -> Int {
        for _ in range {
            let port = next.withLock { next in
                defer { next = next + 1 < range.upperBound ? next + 1 : range.lowerBound }
                return next
            }
            do {
                let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                    .bind(host: "127.0.0.1", port: port).get()
                try await channel.close()
                return port
            } catch let error as IOError where error.errnoCode == EADDRINUSE {
                continue
            }
        }
        throw HarnessFailure.neverCame("a free port")
    }
}
