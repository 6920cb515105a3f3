import Domain

/// What was found and is not handed over yet, and the counts of it.
struct Findings {
    private(set) var matches: [Match] = []
    private(set) var breaks: [Break] = []
    /// Rows that are no lines, in the order in which they came.
    var unusable: [Break] = []
    var summary = ReconciliationSummary()

    /// Whether a page is full.
    var isFull: Bool { matches.count >= Reconciler.pageLimit || breaks.count >= Reconciler.pageLimit }

    mutating func add(_ match: Match) { matches.append(match) }

    mutating func add(_ finding: Break) {
        summary.breaks[finding.type, default: 0] += 1
        breaks.append(finding)
    }

    /// Hands over what there is, page by page.
    mutating func flush(into sink: inout some ReconciliationSink) async throws {
        try Task.checkCancellation()
        let limit = Reconciler.pageLimit
        for start in stride(from: 0, to: matches.count, by: limit) {
            try await sink.take(matches: Array(matches[start..<min(start + limit, matches.count)]))
        }
        for start in stride(from: 0, to: breaks.count, by: limit) {
            try await sink.take(breaks: Array(breaks[start..<min(start + limit, breaks.count)]))
        }
        matches.removeAll(keepingCapacity: true)
        breaks.removeAll(keepingCapacity: true)
    }
}
