package import HTTPTransport

/// The wire format of one PSP: what its requests ask of the books, and how the books' answers and news are written.
///
/// A dialect keeps no money and decides nothing: the books do, by the triggers that a payment's token, number or
/// amount names. Slow, lost, broken and repeated answers are made for every dialect alike.
package protocol PSPDialect: Sendable {
    /// The PSP's endpoints.
    var routes: [DialectRoute] { get }

    /// Which results the PSP keeps under an idempotency key, and how long.
    var keeping: ResultKeeping { get }

    /// The header that is `true` on a kept result; nil if the PSP has none.
    var replayHeader: String? { get }

    /// The fields of a request's head that the PSP repeats in the head of whatever it answers.
    var repeatedHeaders: [String] { get }

    /// The PSP's answer when something went wrong on its side.
    var serverError: PSPReply { get }

    /// The PSP's answer to a request that it refuses.
    ///
    /// - Parameters:
    ///   - refusal: why; the books' own, or one that the dialect threw.
    ///   - request: the request.
    ///   - authorization: what the request was about, if it was found.
    /// - Returns: the answer.
    func reply(refusing refusal: Refusal, to request: PSPRequest, about authorization: Authorization?) -> PSPReply

    /// What the PSP tells of a change in the books: one notice a `POST`, perhaps none.
    ///
    /// - Parameters:
    ///   - event: the change.
    ///   - origin: where the simulator is reached, for example `http://127.0.0.1:9901`.
    /// - Returns: the notices, in the order in which they are sent.
    func notices(of event: BookEvent, origin: String) -> [WebhookNotice]

    /// Whether webhooks can be signed with the secret.
    func accepts(secret: String) -> Bool

    /// A notice as it is sent, with its signature.
    ///
    /// - Parameters:
    ///   - notice: what ``notices(of:origin:)`` made.
    ///   - endpoint: where it goes, and what it is signed with; its secret was accepted.
    ///   - seconds: now, in seconds since 1970.
    /// - Returns: the webhook.
    func post(_ notice: WebhookNotice, to endpoint: WebhookEndpoint, at seconds: Int64) -> WebhookPost

    /// Whether an endpoint's answer says that it took the webhook; else it is sent again.
    func acknowledges(_ reply: HTTPReply) -> Bool
}

extension PSPDialect {
    /// What was done, for ever.
    package var keeping: ResultKeeping { .effects }

    /// None.
    package var replayHeader: String? { nil }

    /// None.
    package var repeatedHeaders: [String] { [] }

    /// Any 2xx does.
    package func acknowledges(_ reply: HTTPReply) -> Bool { 200..<300 ~= reply.status }
}

/// One endpoint of a PSP.
package struct DialectRoute: Sendable {
    /// The methods that PSPs use.
    package enum Method: String, Hashable, Sendable {
        /// Read.
        case get = "GET"
        /// Do.
        case post = "POST"
        /// Replace.
        case put = "PUT"
        /// Remove.
        case delete = "DELETE"
    }

    /// The method.
    package let method: Method
    /// The path, with `:name` for a segment that varies; a fixed segment is preferred to one that varies.
    package let path: String
    /// What a request to it asks.
    let read: @Sendable (PSPRequest) throws(Refusal) -> Reply

    /// Describes an endpoint.
    ///
    /// - Parameters:
    ///   - method: the method.
    ///   - path: the path, with `:name` for a segment that varies.
    ///   - read: what a request asks; throws a refusal if it is wrong by itself.
    init(
        _ method: Method,
        _ path: String,
        _ read: @escaping @Sendable (PSPRequest) throws(Refusal) -> Reply
    ) {
        self.method = method
        self.path = path
        self.read = read
    }
}
