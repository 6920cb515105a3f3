import Domain

/// Refused payouts, for whoever typed them.
extension CommandFailure {
    /// Says in which values a telling differs, and what is recorded.
    init(_ refusal: PayoutRefusal) {
        switch refusal {
        case .nothingPaid: self = .unusable("--amount is above zero")
        case .unusableReference:
            self = .unusable(
                "--reference is one line of 1 to \(PayoutDraft.referenceLimit) bytes, without spaces at its ends"
            )
        case .unusableReason:
            self = .unusable(
                "--reason is one line of 1 to \(PayoutRefusal.reasonLimit) bytes, without spaces at its ends"
            )
        case .notPaidYet: self = .finding("--paid-at is later than now: what has not happened is not recorded")
        case .referenceInUse(let payout, let fields):
            let differences = fields.map { "\($0.rawValue) \(Self.value(of: $0, in: payout))" }
            self = .finding(
                "\(payout.reference.harmless) is the reference of \(payout.id), which has "
                    + differences.joined(separator: ", ") + "; nothing was changed"
            )
        case .unknown(let id): self = .finding("there is no payout \(id)")
        case .failedOtherwise(let payout):
            let reason: String = if case .failed(let failure) = payout.state { failure.reason } else { "" }
            self = .finding("\(payout.id) has failed already, with the reason \(reason.harmless); nothing was changed")
        }
    }

    private static func value(of field: PayoutDraft.Field, in payout: Payout) -> String {
        switch field {
        case .merchant: payout.merchant.text
        case .currency: payout.amount.currency.code
        case .amount: payout.amount.decimal
        case .paidAt: payout.paidAt.description
        }
    }
}
