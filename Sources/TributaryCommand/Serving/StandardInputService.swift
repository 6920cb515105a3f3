import Foundation
import ServiceLifecycle

/// Ends the process when its standard input is closed, so that it does not outlive whoever started it, however that
/// one ends.
struct StandardInputService: Service {
    /// Returns when standard input has come to its end.
    func run() async throws {
        let (ends, end) = AsyncStream<Void>.makeStream()
        // Blocks until the end, and beyond the service if that is shut down first: the process ends then anyway.
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            end.finish()
        }
        await cancelWhenGracefulShutdown {
            for await _ in ends {}
        }
    }
}
