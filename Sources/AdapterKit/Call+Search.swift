public import Domain

/// What a search for the payment means that does not find it.
extension Call {
    /// The outcome if the PSP does not list the payment.
    ///
    /// PSPs list their objects late: an operation that had to search first was not sent, for `reason`; an inquiry ends in
    /// `answer`.
    public func unlisted(_ reason: String, answer: Outcome) -> Outcome {
        purpose == .perform ? .notSent(reason: reason) : answer
    }

    /// The outcome if the search tells nothing: an operation that had to search first was not sent, an inquiry ends in
    /// doubt.
    public func doubt(_ reason: String) -> Outcome {
        purpose == .perform ? .notSent(reason: reason) : .unknown(reason: reason)
    }
}
