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
