extension Order {
    /// What the sheet is told: success once the order is accepted, and while it is undecided, because a page that shows
    /// "confirming" must not let the buyer pay twice; else failure.
    ///
    /// - Parameter contactErrors: what is wrong with the buyer's contacts, which only the caller knows; shown first,
    /// and only on a failure.
    /// - Returns: the result for Apple's sheet.
    package func applePayResult(contactErrors: [ApplePayError] = []) -> ApplePayResult {
        switch decision.state {
        case .pending, .cleared, .accepted: ApplePayResult(status: .success)
        case .refused, .canceled: ApplePayResult(status: .failure, errors: contactErrors + paymentErrors)
        }
    }

    /// What another card, or another try, may mend; nothing if some card must not be tried again.
    private var paymentErrors: [ApplePayError] {
        let declines = payments.compactMap(\.decline)
        guard !declines.contains(where: { $0.category.endsTheSheet }) else { return [] }
        var messages: [String] = []
        for decline in declines where !messages.contains(decline.category.buyersMessage) {
            messages.append(decline.category.buyersMessage)
        }
        let isLate = decision.reason == .deadline || decision.reason == .decideBy
        if messages.isEmpty, isLate || payments.contains(where: { $0.state == .notSent }) {
            messages = [Decline.Category.temporary.buyersMessage]
        }
        return messages.map { ApplePayError(.unknown, message: $0) }
    }
}

extension Decline.Category {
    /// Whether the buyer is not invited to try again.
    fileprivate var endsTheSheet: Bool { self == .lostOrStolen || self == .suspectedFraud }

    /// A sentence for the buyer, which tells nothing that the issuer would not.
    fileprivate var buyersMessage: String {
        switch self {
        case .insufficientFunds: "The card does not have enough funds. Try another card."
        case .expiredCard: "The card has expired. Try another card."
        case .invalidCard: "The card is not valid. Try another card."
        case .limitExceeded: "The card's limit is exceeded. Try another card."
        case .authenticationRequired, .actionExpired: "The payment was not confirmed with the card's bank. Try again."
        case .temporary: "The payment could not be completed right now. Try again."
        case .lostOrStolen, .suspectedFraud, .notPermitted, .partialApproval, .generic:
            "The card was declined. Try another card."
        }
    }
}
