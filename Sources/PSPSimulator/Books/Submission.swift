/// One request that reached the books; together in their order they are all that the books are made of.
package struct Submission: Hashable, Sendable {
    /// When it came, in milliseconds since 1970.
    package let at: Int64
    /// The account that sent it.
    package let account: String
    /// Its idempotency key; nil if it came without one, and is a request of its own whatever came before.
    package let key: String?
    /// What it asks.
    package let command: Command

    /// Makes a submission.
    package init(at: Int64, account: String, key: String?, command: Command) {
        self.at = at
        self.account = account
        self.key = key
        self.command = command
    }
}
