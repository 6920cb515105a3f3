package import AdapterKit
import Domain

/// What Adyen says on its own.
extension AdyenAdapter: WebhookListener {
    /// A webhook may bring many items at once, each with additional data of its own.
    package static var webhookBodyLimitBytes: Int { IncomingWebhook.bodyLimitBytes }

    /// Verifies the signature of every item and reads them all; one that does not match refuses the whole.
    ///
    /// An item of another merchant account says nothing: a webhook may be set up for a whole company.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            guard !webhookKeys.isEmpty else { throw .notConfigured }
            guard incoming.body.count <= IncomingWebhook.bodyLimitBytes else { throw .tooLarge }
            guard let items = NotificationItem.items(incoming.body) else { throw .malformed }
            try NotificationItem.verify(items, with: webhookKeys)
            return .read(items.map(read), reply: Self.acknowledgement)
        } catch {
            return .refused(error)
        }
    }

    /// Every webhook is acknowledged with this word.
    private static let acknowledgement = WireReply(
        status: 200,
        headers: [Header("Content-Type", "text/plain; charset=utf-8")],
        body: Array("[accepted]".utf8)
    )

    private func read(_ item: NotificationItem) -> WebhookEvent {
        var event = WebhookEvent(
            id: "\(item.eventCode):\(item.reference):\(item.isSuccess)",
            type: item.eventCode,
            merchantAccount: account(of: item)
        )
        guard item.merchantAccountCode.lowercased() == requests.merchantAccount.lowercased() else { return event }
        switch NotificationReader(item: item).news {
        case .nothing: break
        case .notice(let notice):
            event.notices = [notice]
            event.currency = item.currency
        case .unreadable(let problem): event.problem = problem
        }
        return event
    }

    /// The submerchant's account behind our reference; without one, the platform is paid.
    ///
    /// What was done in the Customer Area has a reference of its own, which names nobody.
    private func account(of item: NotificationItem) -> NoticeAccount {
        guard let reference = MerchantReference(item.merchantReference) else { return .unsaid }
        return reference.merchantAccount.map(NoticeAccount.merchant) ?? .platform()
    }
}
