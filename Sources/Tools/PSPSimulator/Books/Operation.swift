/// One authorize, capture, void or refund in the books.
package struct BookedOperation: Hashable, Sendable {
    /// Where an operation stands.
    package enum Status: String, Hashable, Sendable {
        /// It is worked on until ``BookedOperation/dueAt``.
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
    /// When that changed last, in milliseconds since 1970; nil while nothing was told of it.
    package internal(set) var changedAt: Int64?
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
    var announcement = WebhookAnnouncement.prompt
}

/// A payment that the buyer's bank disputes.
package struct BookedDispute: Hashable, Sendable {
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
    /// When it was decided, in milliseconds since 1970; nil while it is open.
    package internal(set) var decidedAt: Int64?

    /// How much it has taken and not returned, in minor units.
    package var taken: Int64 { amount - returned }
}

/// A change in the books, as a webhook tells of it.
package struct BookEvent: Hashable, Sendable {
    /// The same whenever these books are made again from their file.
    package let id: String
    /// What changed and how, for example `capture.succeeded`.
    package let type: String
    /// When, in milliseconds since 1970.
    package let at: Int64
    /// The authorization as it was then.
    package let authorization: Authorization
    /// The capture, void or refund it is about.
    package let operation: BookedOperation?
    /// The dispute it is about.
    package let dispute: BookedDispute?
    /// The idempotency key of the request that asked for what changed.
    package let key: String?
    /// How it is to be told.
    package let announcement: WebhookAnnouncement
}
