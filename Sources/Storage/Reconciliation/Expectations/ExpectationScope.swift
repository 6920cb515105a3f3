package import Domain

/// Which expectations are asked for.
package struct ExpectationScope: Hashable, Sendable {
    /// The marketplace.
    package let marketplace: String
    /// The PSP account.
    package let pspAccount: String
    /// The first moment of posting.
    package let from: Timestamp
    /// The first moment that is not asked for any more.
    package let to: Timestamp
    /// Imports that are about to be superseded: what they met counts as unmet.
    package let releasing: [ImportID]

    /// Makes a scope; of all time unless said.
    package init(
        marketplace: String,
        pspAccount: String,
        from: Timestamp = Timestamp(microseconds: .min),
        to: Timestamp = Timestamp(microseconds: .max),
        releasing: [ImportID] = []
    ) {
        self.marketplace = marketplace
        self.pspAccount = pspAccount
        self.from = from
        self.to = to
        self.releasing = releasing
    }
}
