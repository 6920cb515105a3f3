import Domain
import Gateway
import Logging
import SQL
import SQLiteDatabase
import ServiceLifecycle
import Storage

/// Keeps the process's idea of the database's time from drifting away, and says where it does not follow.
struct ClockService: Service {
    /// A machine's clock drifts by less than 100 µs/s, so by less than 3 ms in this time.
    private static let pause = Duration.seconds(30)
    /// What was stored may be so much ahead of the clock, in milliseconds.
    private static let toleratedMilliseconds: Int64 = 10_000

    let clock: DatabaseClock
    let database: any Database
    let logger: Logger

    /// Reads the database's clock once in a while until it is shut down.
    func run() async throws {
        await sayIfBehind()
        await cancelWhenGracefulShutdown {
            var wasRight = true
            while !Task.isCancelled {
                guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
                do {
                    try await clock.synchronize(with: database)
                    tell(&wasRight)
                } catch {
                    logger.warning("the database's clock could not be read", metadata: ["error": "\(error)"])
                }
            }
        }
    }

    /// Says once that the clock was set, and once that it is right again.
    private func tell(_ wasRight: inout Bool) {
        let ahead = clock.aheadMilliseconds
        guard (ahead == nil) != wasRight else { return }
        wasRight = ahead == nil
        if let ahead {
            logger.error(
                "the database's clock was set; it is not followed, and postings keep the time it would be",
                metadata: ["ahead_ms": "\(ahead)"]
            )
        } else {
            logger.notice("the database's clock is right again")
        }
    }

    /// Says at the start if what is stored is from after now: the clock is behind, or was ahead.
    private func sayIfBehind() async {
        let last = try? await database.read { session in try DatabaseProbe.lastStep(in: session) }
        guard let last, last.milliseconds(since: clock.now()) > Self.toleratedMilliseconds else { return }
        logger.error(
            "the last order in the database is from after now: the machine's clock is wrong, or was",
            metadata: ["ahead_ms": "\(last.milliseconds(since: clock.now()))"]
        )
    }
}

/// What a scrape is told of the clock.
struct ClockFigures: MetricSource {
    private static let ahead = Metric(
        .gauge,
        "tributary_clock_ahead_seconds",
        "How far the database's clock was set ahead, or back below zero, where it is not followed; 0 while it is."
    )

    let clock: DatabaseClock

    var metrics: [Metric] { [Self.ahead] }

    func write(to text: inout MetricText) {
        text.write(Self.ahead, [MetricSample(seconds: Double(clock.aheadMilliseconds ?? 0) / 1000)])
    }
}

extension ReadinessCheck {
    /// So many bytes have to be free where the file of an embedded database is: its log alone may grow to some of them.
    private static let leastFreeBytes: Int64 = 64 << 20

    /// Whether the database's clock is followed; orders are taken all the same.
    static func clock(_ clock: DatabaseClock) -> ReadinessCheck {
        ReadinessCheck("clock") {
            clock.aheadMilliseconds == nil
                ? .passed
                : .warned("The machine's clock was set and is not followed: put it right, or start the server anew.")
        }
    }

    /// Whether there is room where the file of an embedded database is, before it runs out.
    static func room(for database: SQLiteDatabase) -> ReadinessCheck {
        ReadinessCheck("disk_space") {
            guard let free = database.freeBytes, free < leastFreeBytes else { return .passed }
            return .failed("Less than 64 MiB are free where the database file is: make room.")
        }
    }
}
