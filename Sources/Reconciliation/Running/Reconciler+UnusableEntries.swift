import Domain

extension Reconciler {
    /// Counts rows that cannot be read, beyond those that are breaks one by one.
    func countUnusable(_ count: Int) { findings.summary.unusableRows += count }

    /// Takes note of a row that cannot be used as it stands: a break.
    func add(
        unusable sentence: String,
        at place: LinePlace,
        about: String = "",
        suggestion: String = "Ask the bank for the statement again."
    ) {
        findings.summary.unusableRows += 1
        findings.unusable.append(
            Break(
                type: .unparseableRow,
                key: "\(BreakType.unparseableRow.rawValue)/\(place.file)/\(place.member)/\(place.row)\(about)",
                currency: nil,
                amount: 0,
                day: nil,
                lines: [place],
                explanation: sentence,
                suggestion: suggestion
            )
        )
    }
}
