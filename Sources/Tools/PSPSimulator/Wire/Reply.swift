/// What a request asks, and how the PSP writes down what the books say to it.
///
/// Refusals are not written here but by ``PSPDialect/reply(refusing:to:about:)``.
enum Reply: Sendable {
    /// Hold an amount, or take it in the same call; the answer may be a declined authorization.
    case authorize(AuthorizeCommand, by: Requester, reply: @Sendable (Authorization) -> PSPReply)
    /// Capture, void or refund; the answer may be a failed or a pending operation.
    case change(ChangeCommand, by: Requester, reply: @Sendable (BookedOperation, Authorization) -> PSPReply)
    /// What to ask depends on what the books have under an identifier; triggers of inquiries do not apply to it.
    case given(String, account: String, then: @Sendable (Authorization?) throws(Refusal) -> Reply)
    /// Find something out.
    case inquire(account: String, find: @Sendable (inout BooksView) throws(Refusal) -> PSPReply)
    /// What the PSP answers without the books.
    case answer(PSPReply)
}

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

/// The books of one account as an inquiry sees them: without what a trigger hides, and with how the token of what is
/// found wants the inquiry answered.
package struct BooksView {
    /// The account's name.
    package let account: String
    /// The time, in milliseconds since 1970.
    package let now: Int64
    /// How the inquiry is to be answered, as the first authorization found says.
    private(set) var delivery: Delivery?
    private let books: Books

    /// Opens the books.
    package init(_ books: Books, account: String, at now: Int64) {
        self.books = books
        self.account = account
        self.now = now
    }

    /// The authorization with the books' identifier, or that the PSP named so.
    package mutating func authorization(_ id: String) -> Authorization? {
        let found = books.authorization(id, of: account, at: now)
        return found.flatMap { isVisible($0, since: $0.createdAt) ? $0 : nil }
    }

    /// The authorizations with the caller's reference, the oldest first.
    package mutating func authorizations(reference: String) -> [Authorization] {
        visible(books.authorizations(reference: reference, of: account, at: now))
    }

    /// The authorizations that a search finds, the oldest first.
    package mutating func authorizations(where isMeant: (Authorization) -> Bool) -> [Authorization] {
        visible(books.authorizations(of: account, at: now).filter(isMeant))
    }

    /// The captures, voids and refunds with the caller's reference, and their authorizations.
    package mutating func operations(
        reference: String
    ) -> [(operation: BookedOperation, authorization: Authorization)] {
        books.operations(reference: reference, of: account, at: now)
            .filter { isVisible($0.authorization, since: $0.operation.at) }
    }

    /// The capture, void or refund with the books' identifier, and its authorization.
    package mutating func operation(_ id: String) -> (operation: BookedOperation, authorization: Authorization)? {
        guard let number = PSPNumber(id), number.operation != nil,
            let found = books.authorization(number.authorizationIdentifier, of: account, at: now),
            let operation = found.operations.dropFirst().first(where: { $0.id == id }),
            isVisible(found, since: operation.at)
        else { return nil }
        return (operation, found)
    }

    /// What happened at the account since a moment in milliseconds since 1970, the oldest first.
    ///
    /// No token hides it: what is listed is listed.
    package func events(since moment: Int64) -> [BookEvent] {
        books.history.filter { $0.at >= moment && $0.authorization.account == account }
    }

    private mutating func visible(_ found: [Authorization]) -> [Authorization] {
        found.filter { isVisible($0, since: $0.createdAt) }
    }

    private mutating func isVisible(_ authorization: Authorization, since time: Int64) -> Bool {
        if case .hide(let milliseconds) = authorization.script.effect(of: .inquire), time + milliseconds > now {
            return false
        }
        delivery = delivery ?? authorization.script.delivery(of: .inquire)
        return true
    }
}
