/// What a request asks, and how the PSP writes down what the books say to it.
///
/// Refusals are not written here but by ``Dialect/reply(refusing:to:about:)``.
enum Ask: Sendable {
    /// Hold an amount, or take it in the same call; the answer may be a declined authorization.
    case authorize(AuthorizeCommand, by: Requester, reply: @Sendable (Authorization) -> PSPReply)
    /// Capture, void or refund; the answer may be a failed or a pending operation.
    case change(ChangeCommand, by: Requester, reply: @Sendable (Operation, Authorization) -> PSPReply)
    /// What to ask depends on what the books have under an identifier; triggers of inquiries do not apply to it.
    case given(String, account: String, then: @Sendable (Authorization?) throws(Refusal) -> Ask)
    /// Find something out.
    case inquire(account: String, find: @Sendable (inout BooksView) throws(Refusal) -> PSPReply)
    /// What the PSP answers without the books.
    case answer(PSPReply)
}
