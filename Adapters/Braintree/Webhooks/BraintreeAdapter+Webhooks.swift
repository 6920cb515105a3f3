package import AdapterKit

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

    /// The submerchant's merchant account; nil for the marketplace's own, which no route names.
    private func merchantAccount(of notification: Notification) -> String? {
        guard let account = notification.subject?.value("merchant-account-id"), !ownAccounts.contains(account) else {
            return nil
        }
        return account
    }
}
