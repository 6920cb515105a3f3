import Domain
import Reconciliation

/// Keeps the breaks that are found, and counts matches for whoever watches.
struct BreakCollector: ReconciliationSink {
    /// The breaks, as ``FoundBreak`` writes them.
    private(set) var breaks: [String] = []
    private var bar = ProgressBar("matching")

    /// A collector of what so many lines come to.
    init(_ lines: Int) { bar.total = lines }

    mutating func take(matches: [Match]) async throws { bar.advance(by: matches.count) }

    mutating func take(breaks: [Break]) async throws { self.breaks += breaks.map { FoundBreak.text($0) } }

    /// Takes the bar off the screen.
    mutating func end() { bar.hide() }
}

/// Books that have no payment beside those that are expected.
struct NoOtherPayments: PaymentLookup {
    func payments(for queries: [PaymentQuery]) async throws -> [KnownPayment?] { queries.map { _ in nil } }
}
