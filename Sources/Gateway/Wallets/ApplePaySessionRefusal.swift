/// Why there is no Apple Pay session.
package enum ApplePaySessionRefusal: Error, Hashable, Sendable {
    /// The marketplace lacks what a session needs; the sentence says what.
    case notConfigured(String)
    /// The marketplace has no merchant with that external identifier.
    case unknownMerchant
    /// Apple answered something else than a session.
    case refusedByApple(status: Int, message: String?)
    /// Apple could not be reached, or did not answer in time.
    case unreachable(String)
}
