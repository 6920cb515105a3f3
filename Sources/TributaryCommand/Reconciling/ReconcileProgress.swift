import Domain
import Foundation
import Reconciliation

/// Shows on a terminal how far a reconciliation is; elsewhere nothing.
final class ReconcileProgress {
    private static let width = 30

    private let isShown = isatty(STDERR_FILENO) == 1
    private let clock = ContinuousClock()
    private var file: (path: String, since: ContinuousClock.Instant)?
    private var shownAt: ContinuousClock.Instant?

    /// Shows a stage, ten times a second at most.
    func show(_ stage: ReconciliationStage) {
        guard isShown else { return }
        let now = clock.now
        if case .reading(let path, _, _, _) = stage, file?.path != path { file = (path, now) }
        if let shownAt, now - shownAt < .milliseconds(100) { return }
        shownAt = now
        write(text(of: stage, at: now))
    }

    /// Takes the bar away.
    func end() {
        guard isShown, shownAt != nil else { return }
        write("")
    }

    private func text(of stage: ReconciliationStage, at now: ContinuousClock.Instant) -> String {
        switch stage {
        case .reading(let path, let bytes, let size, let rows):
            let seconds = file.map { Double((now - $0.since).components.seconds) + 0.5 } ?? 1
            let share = size > 0 ? min(1, Double(bytes) / Double(size)) : 1
            let done = Int(share * Double(Self.width))
            let bar = String(repeating: "#", count: done) + String(repeating: ".", count: Self.width - done)
            let left = share > 0 ? Int(seconds / share - seconds) : 0
            let name = path.split(separator: "/").last.map(String.init) ?? path
            return "\(name.harmless) [\(bar)] \(Int(share * 100)) %  \(rows) rows, \(Int(Double(rows) / seconds))/s, "
                + "\(left) s left"
        case .expecting(let count): return "reading our books: \(count) movements"
        case .matching(let matches, let breaks): return "matching: \(matches) matches, \(breaks) breaks"
        }
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data("\r\u{1B}[K\(text)".utf8))
    }
}
