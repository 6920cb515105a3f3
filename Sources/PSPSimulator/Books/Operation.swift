/// One authorize, capture, void or refund in the books.
package struct Operation: Hashable, Sendable {
    /// Where an operation stands.
    package enum Status: String, Hashable, Sendable {
        /// It is worked on until ``Operation/dueAt``.
        case pending
        /// It is done; final, but for a capture that is reversed, and what fails after all.
        case succeeded
        /// It is declined; final.
        case failed
        /// A capture undone by a void before it settled; final.
        case reversed
        /// A capture or a refund that had succeeded and failed after all; final.
        case failedLater = "failed_later"
    }

    /// The simulator's name for it.
    package let id: String
    /// What it is: never `inquire`.
    package let kind: OperationKind
    /// The amount in minor units.
    package let amount: Int64
    /// The idempotency key it came under; empty if it came under none.
    package let key: String
    /// The caller's name for it.
    package let reference: String
    /// The commission that goes with it, in minor units.
    package let applicationFee: Int64?
    /// When it came, in milliseconds since 1970.
    package let at: Int64
    /// Where it stands.
    package internal(set) var status: Status
    /// Why it failed.
    package internal(set) var decline: DeclineCode?
    /// While pending: when it is finished, in milliseconds since 1970.
    package internal(set) var dueAt: Int64?
    /// While pending: why it will fail; nil if it will succeed.
    var failure: DeclineCode?
    /// Why it could never succeed, if a PSP took it all the same: it is pending, and then failed.
    package internal(set) var refusal: Refusal?
    /// The caller's own notes.
    package internal(set) var metadata: [String: String] = [:]
    /// What a PSP's dialect wants back and the books do not understand.
    package internal(set) var details: [String: String] = [:]
    /// Whether it was asked for as whatever undoes the payment.
    package internal(set) var isReversal = false
    /// For a capture: whether what was not taken is released.
    package internal(set) var isFinal = true
    /// For a capture: whether it came with the authorization.
    package internal(set) var isOfSale = false
    /// Once it has succeeded: when it fails after all, in milliseconds since 1970.
    var failsAt: Int64?
    /// How webhooks tell of it.
    var announcement = Announcement.prompt
}
