/// An authorization in the books of a scripted PSP.
package struct ScriptedAuthorization: Hashable, Sendable {
    /// The PSP's name for it.
    package let id: String
    /// The caller's name for it: an attempt's identifier.
    package let reference: String
    /// The token it came with.
    package let token: String
    /// The amount asked for, in minor units.
    package let amount: Int64
    /// The currency's code.
    package let currency: String
    /// Where it stands, in the dialect's words.
    package internal(set) var status: String
    /// When it was made, in microseconds.
    package let madeAt: Int64
    /// What is approved, in minor units.
    package internal(set) var authorized: Int64 = 0
    /// What is taken of it.
    package internal(set) var captured: Int64 = 0
    /// What is released of it.
    package internal(set) var voided: Int64 = 0
    /// What is given back of what was taken.
    package internal(set) var refunded: Int64 = 0
    /// How often money was taken.
    package internal(set) var captures = 0
    /// Captures, voids and refunds.
    package internal(set) var operations: [Operation] = []

    /// For whom what paid is kept; nil if it is not.
    package internal(set) var storesFor: String?
    /// Whether what was kept is forgotten.
    package internal(set) var isForgotten = false

    /// The PSP's name of what is kept of it; nil if nothing is.
    package var storedMethod: String? {
        storesFor != nil && authorized > 0 && !isForgotten ? "sm_" + id.dropFirst("auth_".count) : nil
    }

    var capturesAtOnce = false
    var isUnsettled = false
    var declineCode: String?
    var inquiriesLeft = 0
    var fails = false
    var actionExpiresAt: Int64?

    /// What is held and neither taken nor released.
    package var held: Int64 { authorized - captured - voided }

    /// A capture, void or refund.
    package struct Operation: Hashable, Sendable {
        /// The PSP's name for it.
        package let id: String
        /// The caller's name for it: an operation's identifier.
        package let reference: String
        /// What it is.
        package let kind: ScriptedCall.Kind
        /// The amount in minor units.
        package let amount: Int64
        /// Whether a capture releases what it leaves.
        package let isFinal: Bool
        /// Where it stands, in the dialect's words.
        package internal(set) var status: String
        /// When it was made, in microseconds.
        package let madeAt: Int64

        var declineCode: String?
        var inquiriesLeft = 0
        var fails = false
    }
}
