import Logging
import Synchronization

/// What a server logs, as text, each line with all its metadata.
final class AttemptLog: Sendable {
    private let lines = Mutex<[String]>([])

    /// The lines that begin with these words.
    func lines(beginning words: String) -> [String] { lines.withLock { $0.filter { $0.hasPrefix(words) } } }

    /// A logger that writes here.
    var logger: Logger { Logger(label: "attempts") { _ in Handler(log: self) } }

    private struct Handler: LogHandler {
        let log: AttemptLog
        var metadata: Logger.Metadata = [:]
        var logLevel: Logger.Level = .info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let words = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            log.lines.withLock { $0.append(([event.message.description] + words).joined(separator: " ")) }
        }
    }
}
