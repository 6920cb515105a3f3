import Domain

/// Yielding what was found.
extension Reconciler {
    /// Matches both sides, and hands over matches and breaks.
    ///
    /// - Parameters:
    ///   - lookup: finds payments of lines that match no expectation.
    ///   - sink: takes what is found.
    /// - Returns: the counts.
    /// - Throws: ``ReconciliationFailure``, what the lookup and the sink throw, and `CancellationError`. What was handed
    ///   over until then is right, but not all.
    package func finish(
        lookup: some PaymentLookup,
        into sink: inout some ReconciliationSink
    ) async throws -> ReconciliationSummary {
        guard !isFinished else { throw ReconciliationFailure.finished }
        isFinished = true
        findings.summary.asOf = asOf
        for finding in findings.unusable.sorted(by: { $0.key < $1.key }) { findings.add(finding) }
        findings.unusable = []
        let unmatched = try await runPasses(into: &sink)
        try await settleAside(into: &sink)
        try await settle(lines: unmatched.lines, lookup, into: &sink)
        try await settle(expectations: unmatched.expectations, into: &sink)
        try await settleBatches(into: &sink)
        try await settleBank(into: &sink)
        try await findings.flush(into: &sink)
        findings.summary.currencies = try tallies.all()
        return findings.summary
    }
}
