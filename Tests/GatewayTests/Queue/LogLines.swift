import Logging
import Synchronization

/// The lines that a gateway logs as warnings and errors.
final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var count: Int { lines.withLock { $0.count } }

    var all: [String] { lines.withLock { $0 } }

    var logger: Logger { Logger(label: "queue") { _ in Handler(lines: self) } }

    private struct Handler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.lines.withLock { $0.append("\(event.message) \(event.metadata?["reason"] ?? "")") }
        }
    }
}
