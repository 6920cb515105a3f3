/// A row of the map from hashed merchant identifiers to merchant identifiers.
package struct MerchantHash: Hashable, Sendable {
    /// How far the row may be trusted.
    package enum State: String, Sendable, CaseIterable {
        /// Seen with this merchant; decides nothing.
        case recorded
        /// An operator says that the hash is this merchant's; it decides.
        case confirmed
        /// An operator says that it is not to be used; it decides nothing.
        case rejected
    }

    /// The hashed merchant identifier.
    package let hash: String
    /// The merchant identifier.
    package let merchantIdentifier: String
    /// How far the row may be trusted.
    package let state: State

    /// Makes a row.
    package init(hash: String, merchantIdentifier: String, state: State) {
        self.hash = hash
        self.merchantIdentifier = merchantIdentifier
        self.state = state
    }
}
