import Domain

extension Reconciler {
    /// Takes note of an entry of a bank's file that cannot be read: a break.
    func add(unusable sentence: String, at place: LinePlace) {
        findings.summary.unusableRows += 1
        findings.unusable.append(
            Break(
                type: .unparseableRow,
                key: "\(BreakType.unparseableRow.rawValue)/\(place.file)/\(place.member)/\(place.row)",
                currency: nil,
                amount: 0,
                day: nil,
                lines: [place],
                explanation: sentence,
                suggestion: "Ask the bank for the statement again."
            )
        )
    }
}
