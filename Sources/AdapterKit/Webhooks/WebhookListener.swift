public import Domain

/// A PSP that says things on its own, as a pure function.
///
/// The gateway receives, stores and acknowledges; the reading of stored bytes is always the same. The credential
/// ``AdapterSettings/webhookSecret`` holds what the PSP signs with; without it everything is refused as
/// ``WebhookRefusal/notConfigured``.
public protocol WebhookListener: PaymentAdapter {
    /// The longest body that the PSP sends, in bytes: nobody has shown who they are before all of it was read.
    ///
    /// No more than ``IncomingWebhook/bodyLimitBytes``.
    static var webhookBodyLimitBytes: Int { get }

    /// Verifies what came, on its raw bytes, and reads what it says.
    ///
    /// Nothing is read of what is not verified. A type that tells nothing of a payment gives an event without
    /// notices, which is acknowledged like every other.
    func webhook(_ incoming: IncomingWebhook) -> WebhookReading

    /// Answers a PSP that asks, by `GET` and with the URL's query, whether the endpoint is the account's before it
    /// sends anything there; nil if the query asks nothing of the kind.
    func challenge(_ query: String) -> WireReply?
}

extension WebhookListener {
    /// Events are a few thousand bytes at most PSPs.
    public static var webhookBodyLimitBytes: Int { 65_536 }

    /// Most PSPs ask nothing before.
    public func challenge(_ query: String) -> WireReply? { nil }
}

/// What an adapter makes of a webhook.
public enum WebhookReading: Hashable, Sendable {
    /// It is not the PSP's, or cannot be read at all; nothing of it is kept.
    case refused(WebhookRefusal)
    /// It is the PSP's. The reply, in the PSP's own form, is sent only once the events are stored.
    case read([WebhookEvent], reply: WireReply)
}

/// One event of a webhook that was verified.
public struct WebhookEvent: Hashable, Sendable {
    /// The PSP's name for the event: unique for the account, the same whenever it is sent again.
    public var id: String
    /// The kind of event, as the PSP names it.
    public var type: String
    /// At whose account it happened.
    ///
    /// A submerchant may write what it likes on its own objects, our identifiers included: a notice about a payment
    /// counts only if this is not another account than that of the payment's route.
    public var merchantAccount: NoticeAccount
    /// The currency of every amount in the notices; nil if there are none.
    ///
    /// A notice in another currency than the payment's is not about that payment.
    public var currency: Currency?
    /// What it says of payments; none for a type that says nothing of one.
    public var notices: [Notice]
    /// Why a type that does speak of payments could not be read; such an event is stored and shown to a person.
    public var problem: String?
    /// A sentence for the log on an event that says nothing of a payment, where somebody may wonder: a PSP's own test.
    public var remark: String?

    /// Makes an event; identifier and type are cut at 255 and 100 characters.
    public init(
        id: String,
        type: String,
        merchantAccount: NoticeAccount = .unsaid,
        currency: Currency? = nil,
        notices: [Notice] = [],
        problem: String? = nil,
        remark: String? = nil
    ) {
        self.id = String(id.prefix(255))
        self.type = String(type.prefix(100))
        self.merchantAccount = merchantAccount
        self.currency = currency
        self.notices = notices
        self.problem = problem
        self.remark = remark
    }
}

/// What one event says of a payment, at a PSP whose events each say one thing.
public enum WebhookNews: Hashable, Sendable {
    /// Nothing of a payment of ours.
    case nothing
    /// One thing, and the currency of its amounts.
    case notice(Notice, Currency?)
    /// Something of a payment that cannot be read, and why.
    case unreadable(String)
}

extension WebhookEvent {
    /// Takes in what the event says.
    public mutating func add(_ news: WebhookNews) {
        switch news {
        case .nothing: break
        case .notice(let notice, let currency):
            notices = [notice]
            self.currency = currency
        case .unreadable(let problem): self.problem = problem
        }
    }
}
