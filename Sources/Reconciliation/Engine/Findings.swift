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
        for page in Self.pages(of: matches) { try await sink.take(matches: page) }
        for page in Self.pages(of: breaks) { try await sink.take(breaks: page) }
        matches.removeAll(keepingCapacity: true)
        breaks.removeAll(keepingCapacity: true)
    }

    /// What is handed over at once; a page is not copied if it is the only one.
    private static func pages<Finding>(of all: [Finding]) -> [[Finding]] {
        let limit = Reconciler.pageLimit
        guard all.count > limit else { return all.isEmpty ? [] : [all] }
        return stride(from: 0, to: all.count, by: limit).map { Array(all[$0..<min($0 + limit, all.count)]) }
    }
}
