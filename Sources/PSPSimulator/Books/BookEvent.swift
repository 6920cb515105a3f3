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
    package let operation: Operation?
    /// The dispute it is about.
    package let dispute: Dispute?
    /// The idempotency key of the request that asked for what changed.
    package let key: String?
    /// How it is to be told.
    package let announcement: Announcement
}
