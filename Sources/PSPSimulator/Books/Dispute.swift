/// A payment that the buyer's bank disputes.
package struct Dispute: Hashable, Sendable {
    /// Where a dispute stands.
    package enum Status: String, Hashable, Sendable {
        /// The amount is taken back until it is decided.
        case opened
        /// The amount, or a part of it, was given back to the merchant; final.
        case won
        /// The amount stays with the buyer; final.
        case lost
    }

    /// The simulator's name for it.
    package let id: String
    /// The amount in minor units.
    package let amount: Int64
    /// Why, as the bank says.
    package let reason: String
    /// When it was opened, in milliseconds since 1970.
    package let at: Int64
    /// Until when evidence may be sent, in milliseconds since 1970.
    package let respondBy: Int64
    /// Where it stands.
    package internal(set) var status = Status.opened
    /// How much was given back to the merchant, in minor units.
    package internal(set) var returned: Int64 = 0

    /// How much it has taken and not returned, in minor units.
    package var taken: Int64 { amount - returned }
}
