import Domain
import Logging
import Synchronization

/// What happened in a run, line by line, if anybody wants to know.
final class SimulationTrace: Sendable {
    private let clock: VirtualClock
    private let isKept: Bool
    private let text = Mutex<[String]>([])

    init(_ clock: VirtualClock, isKept: Bool) {
        self.clock = clock
        self.isKept = isKept
    }

    /// The lines so far.
    var lines: [String] { text.withLock { $0 } }

    /// Adds a line.
    func tell(_ sentence: @autoclosure () -> String) {
        guard isKept else { return }
        let line = "\(Self.moment(clock.now.microseconds - VirtualClock.start.microseconds)) \(sentence())"
        text.withLock { $0.append(line) }
    }

    /// A logger whose lines go here.
    func logger(_ name: String) -> Logger {
        guard isKept else { return Logger(label: name) { _ in SwiftLogNoOpLogHandler() } }
        return Logger(label: name) { label in TraceLog(label: label, trace: self) }
    }

    /// Microseconds since the beginning as hours, minutes, seconds and milliseconds.
    static func moment(_ microseconds: Int64) -> String {
        func digits(_ number: Int64, _ count: Int) -> String {
            let text = String(number)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let milliseconds = microseconds / 1000
        let seconds = milliseconds / 1000
        return "\(digits(seconds / 3600, 2)):\(digits(seconds / 60 % 60, 2)):\(digits(seconds % 60, 2))"
            + ".\(digits(milliseconds % 1000, 3))"
    }

    private struct TraceLog: LogHandler {
        let label: String
        let trace: SimulationTrace
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.info

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let all = metadata.merging(event.metadata ?? [:]) { _, new in new }
            let words = all.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            trace.tell("\(label): \(event.message) \(words.joined(separator: " "))")
        }
    }
}
