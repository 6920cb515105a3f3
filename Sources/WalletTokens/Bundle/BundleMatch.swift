/// Which authentication response belongs to which context.
package struct BundleMatch: Hashable, Sendable {
    /// Why a response was chosen for a context.
    package enum Reason: String, Sendable, CaseIterable {
        /// No other context has the amount.
        case uniqueAmount = "unique_amount"
        /// The hash is confirmed to be this context's merchant's, and no other context of the amount is that
        /// merchant's.
        case confirmedHash = "confirmed_hash"
        /// Confirmed hashes leave no other response of the amount.
        case remainingAmount = "remaining_amount"
        /// Several would do, and the money goes to the same account whichever it is.
        case sameSettlement = "same_settlement"
    }

    /// What was chosen for one context.
    package struct Choice: Hashable, Sendable {
        /// The index of the response.
        package let response: Int
        /// Why it was chosen.
        package let reason: Reason
    }

    /// One choice for each context, in the order in which the contexts were given; no response twice.
    package let choices: [Choice]
    /// The hashes that the map does not have yet.
    package let observations: [HashObservation]
}
