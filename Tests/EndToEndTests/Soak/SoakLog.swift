import Foundation
import Synchronization

/// What was done to a marketplace, with the seconds since it began; told on standard error as it happens.
final class SoakLog: Sendable {
    private let begin = ContinuousClock.now
    private let kept = Mutex<[String]>([])

    /// Everything so far.
    var lines: [String] { kept.withLock(\.self) }

    /// Tells of something.
    func tell(_ text: String) {
        let seconds = (ContinuousClock.now - begin) / .seconds(1)
        let line = String(format: "soak %6.1f s  %@", seconds, text)
        kept.withLock { $0.append(line) }
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
