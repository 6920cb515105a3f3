import Domain
import Reconciliation

/// Keeps what it takes.
struct Recorder: ReconciliationSink {
    var matches: [Match] = []
    var breaks: [Break] = []
    var largestPage = 0

    mutating func take(matches: [Match]) async throws {
        largestPage = max(largestPage, matches.count)
        self.matches += matches
    }

    mutating func take(breaks: [Break]) async throws {
        largestPage = max(largestPage, breaks.count)
        self.breaks += breaks
    }
}
