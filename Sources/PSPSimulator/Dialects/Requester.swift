/// Who sends a request, and under which idempotency key.
package struct Requester: Hashable, Sendable {
    /// The account's name in the books.
    ///
    /// `platform:account` is an account that a platform acts for; its webhooks go to the platform's endpoint if it
    /// has none of its own.
    package let account: String
    /// The idempotency key; nil if the request has none.
    package let key: String?

    /// Names a requester.
    package init(account: String, key: String?) {
        self.account = account
        self.key = key
    }
}
