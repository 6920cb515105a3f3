package import AdapterKit
import StrictJSON

/// What Checkout.com says on its own.
extension CheckoutAdapter: WebhookListener {
    /// Verifies the signature and reads the event.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try CheckoutSignature.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = CheckoutEvent(json) else { throw .malformed }
            return .read([read(event)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    private func read(_ event: CheckoutEvent) -> WebhookEvent {
        var result = WebhookEvent(id: event.id, type: event.type)
        switch EventReader(event: event, ownEntity: account.ownEntity).news {
        case .nothing: break
        case .notice(let news):
            result.merchantAccount = news.merchantAccount
            result.notices = [news.notice]
            result.currency = news.currency
        case .unreadable(let problem): result.problem = problem
        }
        return result
    }
}
