package import Domain
package import ExternalJoin

/// What was found and is not handed over yet, and the counts of it.
struct Findings {
    /// The most matches or breaks of a page.
    static let pageLimit = 500

    private(set) var matches: [Match] = []
    private(set) var breaks: [Break] = []
    /// Rows that are no lines, in the order in which they came.
    var unusable: [Break] = []
    var summary = ReconciliationSummary()

    /// Whether a page is full.
    var isFull: Bool { matches.count >= Self.pageLimit || breaks.count >= Self.pageLimit }

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
        let limit = Self.pageLimit
        guard all.count > limit else { return all.isEmpty ? [] : [all] }
        return stride(from: 0, to: all.count, by: limit).map { Array(all[$0..<min($0 + limit, all.count)]) }
    }
}

/// Takes what is found, page by page, in an order that depends on nothing but what was put in.
///
/// A throw ends the reconciliation; so does a cancelled task.
package protocol ReconciliationSink {
    /// Takes matches, at least one and at most ``Reconciler/pageLimit``.
    mutating func take(matches: [Match]) async throws
    /// Takes breaks, at least one and at most ``Reconciler/pageLimit``.
    mutating func take(breaks: [Break]) async throws
}

/// Why a reconciliation ends without a result.
package enum ReconciliationFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The amounts of a currency add up to more than 128 bits hold.
    case sumOverflows(Currency)
    /// There are more payouts or entries of the bank than can be compared at once.
    case tooManyBankRows(limit: Int)
    /// The lookup answered another number of payments than it was asked for.
    case lookupAnswered(Int, of: Int)
    /// A text is longer than a line's can be; the limit in bytes.
    case textTooLong(limit: Int)
    /// Memory cannot be spilled to disk.
    case spill(SpillProblem)
    /// It was finished already.
    case finished

    /// A sentence for the operator.
    package var description: String {
        switch self {
        case .sumOverflows(let currency): "The sum of the amounts in \(currency.code) is too large."
        case .tooManyBankRows(let limit):
            "There are more than \(limit) payouts or bank entries; reconcile fewer days at a time."
        case .lookupAnswered(let found, let asked): "The lookup answered \(found) payments for \(asked) queries."
        case .textTooLong(let limit): "A reference has more than \(limit) bytes."
        case .spill(let problem): problem.description
        case .finished: "A reconciler can be finished once."
        }
    }
}
