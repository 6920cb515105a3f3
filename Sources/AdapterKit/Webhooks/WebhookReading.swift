/// What an adapter makes of a webhook.
public enum WebhookReading: Hashable, Sendable {
    /// It is not the PSP's, or cannot be read at all; nothing of it is kept.
    case refused(WebhookRefusal)
    /// It is the PSP's. The reply, in the PSP's own form, is sent only once the events are stored.
    case read([WebhookEvent], reply: WireReply)
}
