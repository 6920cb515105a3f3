package import AdapterKit
import StrictJSON

/// What Worldpay says on its own.
extension WorldpayAdapter: WebhookListener {
    /// Verifies the signature and reads the event.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try EventSignature.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = WorldpayEvent(json) else { throw .malformed }
            return .read([read(event)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    /// Reads an event, none of which names the merchant entity.
    ///
    /// The same type is used for payments and payouts, so that the classification is part of it.
    private func read(_ event: WorldpayEvent) -> WebhookEvent {
        var result = WebhookEvent(id: event.id, type: "\(event.classification).\(event.type)")
        switch EventReader(event: event).news {
        case .nothing: break
        case .notice(let notice, let currency):
            result.notices = [notice]
            result.currency = currency
        case .unreadable(let problem): result.problem = problem
        }
        return result
    }
}
