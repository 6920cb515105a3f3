import Foundation
import Glibc

/// How far long work has come, on standard error and only if that is a terminal.
struct ProgressBar {
    private static let width = 30
    private static let pause = Duration.milliseconds(100)

    /// How much there is to do.
    var total = 0
    /// Whether anybody sees it.
    let isShown: Bool
    private let name: String
    private var done = 0
    private var shownAt: ContinuousClock.Instant?

    /// A bar for work of this name.
    init(_ name: String) {
        self.name = name
        isShown = isatty(STDERR_FILENO) == 1
    }

    /// Notes that so much more is done.
    mutating func advance(by count: Int) {
        done += count
        guard isShown, shownAt.map({ ContinuousClock.now - $0 >= Self.pause }) ?? true else { return }
        shownAt = .now
        // What came meanwhile is done and was not counted.
        let whole = max(total, done, 1)
        let filled = Self.width * done / whole
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
        Self.write("\r\(name) \(bar) \(done)/\(whole)\u{1B}[K")
    }

    /// Takes it off the screen.
    mutating func hide() {
        guard isShown, shownAt != nil else { return }
        shownAt = nil
        Self.write("\r\u{1B}[K")
    }

    private static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}
