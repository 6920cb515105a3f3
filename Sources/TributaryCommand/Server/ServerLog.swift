import Domain
import Foundation
import Gateway
import HTTPAPI
import Logging
import ServiceLifecycle
import Settings
import Synchronization

extension Logger {
    /// A logger to standard error, one line a message.
    static func standardError(_ level: LogLevel = .info, _ format: LogFormat = .text) -> Logger {
        var logger = Logger(label: "tributary") { label in
            switch format {
            case .text: StreamLogHandler.standardError(label: label)
            case .json: JSONLogHandler(now: { .wallClock }, write: WholeLines.write)
            }
        }
        logger.logLevel = Logger.Level(rawValue: level.rawValue) ?? .info
        return logger
    }
}

extension Timestamp {
    /// What the machine's clock says.
    static var wallClock: Timestamp {
        Timestamp(microseconds: Int64(Date.now.timeIntervalSince1970 * 1_000_000))
    }
}

/// Standard error, a whole line at a time.
private enum WholeLines {
    private static let turn = Mutex(())

    static func write(_ line: [UInt8]) {
        turn.withLock { _ in try? FileHandle.standardError.write(contentsOf: Data(line)) }
    }
}

/// What a server says of its own beginning and end.
struct ServerNotices: Sendable {
    let gateway: Gateway
    let server: APIServer
    let settings: ServerSettings
    let instance: String
    let logger: Logger

    /// Says what begins.
    func begin() {
        logger.info(
            "the server begins",
            metadata: [
                "instance": "\(instance)", "database": "\(settings.database)", "host": "\(settings.host)",
                "api_version": "\(APIVersion.newest.text)",
            ]
        )
    }

    /// Says where it listens: a line for people as it always was, or one for programs.
    func listening(at url: String) {
        switch settings.logFormat {
        case .text: Console.note("listening on \(url)")
        case .json: logger.info("the server listens", metadata: ["url": "\(url)"])
        }
    }

    /// What is under way.
    var work: (requests: Int64, calls: Int64) { (server.requestsUnderWay, gateway.metrics.pspCallsUnderWay) }
}

/// Says that the process is asked to end, what is under way then, and in the end what became of it.
final class EndNotice: Service {
    /// How long calls to PSPs have to be answered once nothing else is served, in milliseconds.
    private static let patienceMilliseconds: Int64 = 5000

    private let notices: ServerNotices
    private let asked = Mutex<(at: ContinuousClock.Instant, requests: Int64, calls: Int64)?>(nil)

    init(_ notices: ServerNotices) { self.notices = notices }

    /// Waits until the process is asked to end; it is the first service that hears of it.
    ///
    /// From then on the server is not ready. It serves on for the time that those who send it requests take to notice.
    func run() async throws {
        guard (try? await gracefulShutdown()) != nil else { return }
        notices.gateway.readiness.drain()
        let pause = notices.settings.drainMilliseconds
        if pause > 0 {
            notices.logger.info("the server is asked to end; it is not ready", metadata: ["drain_ms": "\(pause)"])
            try? await Task.sleep(for: .milliseconds(pause))
        }
        let work = notices.work
        asked.withLock { $0 = (.now, work.requests, work.calls) }
        notices.logger.info(
            "the server is asked to end; no more requests are taken",
            metadata: ["requests": "\(work.requests)", "psp_calls": "\(work.calls)"]
        )
    }

    /// Hands over what is in hand once all other services have ended, and says what became of what was under way.
    ///
    /// What cannot be handed over is taken by others when the heartbeat is old, or when leases are over.
    func end() async {
        var metadata: Logger.Metadata = [:]
        do {
            let count = try await notices.gateway.leave(withinMilliseconds: Self.patienceMilliseconds)
            metadata["orders_handed_over"] = "\(count)"
        } catch {
            notices.logger.warning("what is in hand could not be handed over", metadata: ["error": "\(error)"])
        }
        let (work, asked) = (notices.work, asked.withLock { $0 })
        metadata["requests_left"] = "\(work.requests)"
        metadata["psp_calls_left"] = "\(work.calls)"
        if let asked {
            metadata["requests_drained"] = "\(max(0, asked.requests - work.requests))"
            metadata["psp_calls_drained"] = "\(max(0, asked.calls - work.calls))"
            metadata["duration_ms"] = "\(Int64((ContinuousClock.now - asked.at) / .milliseconds(1)))"
        }
        notices.logger.info("the server has ended", metadata: metadata)
    }
}
