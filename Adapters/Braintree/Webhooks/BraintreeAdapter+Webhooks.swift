package import AdapterKit
import Domain
import WireFormats

/// What Braintree says on its own.
extension BraintreeAdapter: WebhookListener {
    /// Verifies the signature and reads the notification.
    ///
    /// A notification has no identifier: its kind, what it is about and its time make one.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            let document = try BraintreeSignature.verify(incoming, with: webhookKeys)
            guard let notification = Notification(document) else { throw .malformed }
            return .read([read(notification, of: incoming)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    /// Proves to Braintree that the endpoint has the account's key: `public_key|` and the challenge's code.
    ///
    /// Source: Braintree's own libraries (`webhook_notification.verify`), read in 2026-11. A challenge is 20 to 32
    /// hexadecimal digits, so that nobody has anything else signed here.
    package func challenge(_ query: String) -> WireReply? {
        let prefix = "bt_challenge="
        let values = query.split(separator: "&").filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.count) }
        guard values.count == 1, let key = webhookKeys.first, (20...32).contains(values[0].utf8.count),
            values[0].utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) })
        else { return nil }
        let code = Hexadecimal.encode(key.key.code(of: Array(values[0].utf8)))
        return WireReply(
            status: 200,
            headers: [Header("Content-Type", "text/plain")],
            body: Array("\(key.publicKey)|\(code)".utf8)
        )
    }

    private func read(_ notification: Notification, of incoming: IncomingWebhook) -> WebhookEvent {
        let object = notification.object ?? incoming.bodyHash
        var event = WebhookEvent(
            id: "\(notification.kind):\(object.prefix(120)):\(notification.time)",
            type: notification.kind,
            merchantAccount: merchantAccount(of: notification)
        )
        switch NotificationReader(notification: notification).news {
        case .nothing: break
        case .notice(let notice, let currency):
            event.notices = [notice]
            event.currency = currency
        case .unreadable(let problem): event.problem = problem
        }
        return event
    }

    /// The merchant account of what it is about, which is the platform's own if the account declares it.
    ///
    /// Braintree always names it, so that what names none is not taken for a merchant's.
    private func merchantAccount(of notification: Notification) -> NoticeAccount {
        guard let account = notification.subject?.value("merchant-account-id") else { return .platform() }
        return ownAccounts.contains(account) ? .platform(account) : .merchant(account)
    }
}
