/// A hashed merchant identifier that the map does not have yet, to be recorded.
package struct HashObservation: Hashable, Sendable {
    /// The hashed merchant identifier.
    package let hash: String
    /// The merchant identifiers whose it may be, in the order of the contexts: one if the amount was unique, none if
    /// the contexts of that amount have no merchant identifier.
    package let candidates: [String]
    /// The amount it came with, in the currency's minor unit.
    package let amount: Int64
}
