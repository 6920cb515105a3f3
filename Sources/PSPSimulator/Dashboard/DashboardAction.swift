/// What somebody does to an authorization without the API: the merchant in the PSP's dashboard, or the bank.
package struct DashboardAction: Hashable, Sendable {
    /// The kinds of doing, as the address spells them.
    package enum Deed: String, Hashable, Sendable, CaseIterable {
        /// Takes an amount; all that is held if none is named.
        case capture
        /// Releases what is held.
        case void
        /// Gives an amount back; all that can be given back if none is named.
        case refund
        /// Lets the hold run out.
        case lapse
        /// Lets a capture or a refund that had succeeded, named by identifier or reference, fail after all.
        case fail
        /// Opens a dispute about an amount; about all that is left if none is named.
        case dispute
        /// Decides a dispute, the open one if none is named, for the merchant; in part if an amount is named.
        case win
        /// Decides a dispute, the open one if none is named, for the buyer.
        case lose
    }

    /// When, in milliseconds since 1970.
    package var at: Int64 = 0
    /// The authorization; a reference is looked for in every account.
    package var target: ChangeCommand.Target
    /// What is done.
    package var deed: Deed
    /// The amount in minor units.
    package var amount: Int64?
    /// For a capture: whether what is not taken is released.
    package var isFinal = true
    /// The operation or dispute it is done to.
    package var subject: String?
    /// For a dispute: why.
    package var reason: String?
    /// For a dispute: how long evidence may be sent, in milliseconds.
    package var respondWithin: Int64?
    /// How webhooks tell of it.
    package var announcement = Announcement.prompt

    /// Makes an action; the time is the bookkeeper's.
    package init(_ deed: Deed, to target: ChangeCommand.Target) {
        self.deed = deed
        self.target = target
    }
}
