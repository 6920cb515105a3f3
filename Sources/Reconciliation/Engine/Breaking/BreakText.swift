import Domain

/// The sentences of breaks.
enum BreakText {
    /// What differs, and what would fix it.
    typealias Sentences = (explanation: String, suggestion: String)

    /// The breaks of lines whose money is confirmed all the same.
    static let leavesMatched: Set<BreakType> = [.wrongMerchantAccount, .referenceMismatch]

    static func of(
        _ type: BreakType,
        theirs: String,
        ours: String,
        line: LineRecord,
        expectation: ExpectationRecord
    ) -> Sentences {
        switch type {
        case .currencyMismatch:
            (
                "The PSP reports \(theirs) where we have \(ours).",
                "Compare the currency of the request with the PSP account's settings."
            )
        case .directionMismatch:
            (
                "The PSP reports \(theirs) where we have \(ours): the money goes the other way.",
                "Ask the PSP whether it took what it should have given."
            )
        case .roundingResidue:
            ("The PSP reports \(theirs) where we have \(ours): no more than rounding.", "Write the residue off.")
        case .wrongMerchantAccount:
            (
                "The line is of the account \(line.text(line.merchantAccount) ?? "–"), the payment's route of "
                    + "\(expectation.text(expectation.merchantAccount) ?? "–").",
                "Find out which merchant was paid, and move the money if it was the wrong one."
            )
        case .referenceMismatch:
            (
                "The line names \(line.attemptID?.text ?? line.text(line.reference) ?? "–") where we have "
                    + "\(expectation.owner.attempt).",
                "The money is right; find out who changed the reference at the PSP."
            )
        default:
            (
                "The PSP reports \(theirs) where we have \(ours).",
                "Ask the PSP for the difference, or correct our books by a refund or an adjustment."
            )
        }
    }
}
