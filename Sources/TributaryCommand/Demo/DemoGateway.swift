import Foundation
import Synchronization

/// The demonstration's gateway: `tributary serve` as a process of its own.
final class DemoGateway: Sendable {
    private struct State {
        var process: ChildProcess?
        var port = 0
    }

    private let folder: DemoFolder
    private let state = Mutex(State())

    init(_ folder: DemoFolder) { self.folder = folder }

    /// Starts it, again on the port it had before, and answers its URL once it listens.
    ///
    /// - Throws: ``CommandFailure`` with what it said, if it does not listen.
    @discardableResult
    func start() async throws -> String {
        let port = state.withLock { $0.port }
        let process = try ChildProcess(
            Self.executable,
            [
                "serve", "--config", folder.settingsPath, "--host", "127.0.0.1", "--port", String(port),
                "--stop-when-stdin-closes",
            ],
            environment: folder.environment
        )
        state.withLock { $0.process = process }
        let prefix = "listening on "
        let line = try await process.line(within: .seconds(20)) { $0.hasPrefix(prefix) }
        let url = String(line.dropFirst(prefix.count))
        state.withLock { $0.port = url.split(separator: ":").last.flatMap { Int($0) } ?? 0 }
        return url
    }

    /// Kills it where it stands, as a power failure would, and answers the number of the process.
    func kill() async -> Int32 {
        guard let process = state.withLock({ $0.process }) else { return 0 }
        await process.kill()
        return process.number
    }

    /// Ends it in good order.
    func stop() async {
        await state.withLock { $0.process }?.stop(within: .seconds(5))
    }

    /// This program.
    private static var executable: String {
        let link = "/proc/self/exe"
        return (try? FileManager.default.destinationOfSymbolicLink(atPath: link)) ?? link
    }
}
