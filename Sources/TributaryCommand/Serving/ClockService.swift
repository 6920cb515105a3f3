import Gateway
import Logging
import SQL
import ServiceLifecycle

/// Keeps the process's idea of the database's time from drifting away.
struct ClockService: Service {
    /// A machine's clock drifts by less than 100 µs/s, so by less than 3 ms in this time.
    private static let pause = Duration.seconds(30)

    let clock: DatabaseClock
    let database: any Database
    let logger: Logger

    /// Reads the database's clock once in a while until it is shut down.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
                do {
                    try await clock.synchronize(with: database)
                } catch {
                    logger.warning("the database's clock could not be read", metadata: ["error": "\(error)"])
                }
            }
        }
    }
}
