import Foundation
import Glibc
import Synchronization

/// Where a command writes: data to standard output, everything else to standard error.
enum Console {
    private static let lost = Mutex<String?>(nil)

    /// Why data could not be written, if it could not: then the command has not done what was asked.
    static var lostOutput: String? { lost.withLock(\.self) }

    /// Notes that data is not written, and why: the command fails at its end.
    static func lose(_ reason: String) { lost.withLock { $0 = $0 ?? reason } }

    /// Writes data, with a line break behind it; a reader that has gone away is no reason to fail.
    static func out(_ text: String) { out(bytes: (text + "\n").utf8) }

    /// Writes data as it is.
    static func out(bytes: some Sequence<UInt8>) {
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(bytes))
        } catch {
            let failure = WriteFailure(error)
            guard !failure.isOfReader else { return }
            lose(failure.reason)
        }
    }

    /// Writes what is not data: progress, warnings, refusals.
    static func note(_ text: String) { try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8)) }
}

/// Why something could not be written.
struct WriteFailure {
    /// Whether whoever read it has gone away, which is no reason to fail.
    let isOfReader: Bool
    /// The system's words.
    let reason: String

    /// Reads the system's error, which Foundation keeps underneath its own.
    init(_ error: any Error) {
        let outer = error as NSError
        let inner = outer.userInfo[NSUnderlyingErrorKey] as? NSError
        let system = [inner, outer].compactMap(\.self).first { $0.domain == NSPOSIXErrorDomain }
        isOfReader = system?.code == Int(EPIPE)
        reason = system?.localizedFailureReason ?? "\(error)"
    }
}

/// How far long work has come, on standard error and only if that is a terminal.
struct ProgressBar {
    private static let width = 30
    private static let pause = Duration.milliseconds(100)

    /// How much there is to do.
    var total = 0
    /// Whether anybody sees it.
    let isShown: Bool
    private let name: String
    private let began = ContinuousClock.now
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
        Self.write(
            "\r\(name) \(bar) \(done)/\(whole)\(Self.pace(done, of: whole, in: ContinuousClock.now - began))\u{1B}[K"
        )
    }

    /// How many are done a second, and how long the rest will take: `, 1200/s, 3 min left`; nothing in the first second.
    static func pace(_ done: Int, of whole: Int, in time: Duration) -> String {
        let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
        guard seconds >= 1, done > 0 else { return "" }
        let left = Int64((seconds * Double(whole - done) / Double(done)).rounded(.up))
        return ", \(Int(Double(done) / seconds))/s" + (RelativeTime.span(left).map { ", \($0) left" } ?? "")
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
