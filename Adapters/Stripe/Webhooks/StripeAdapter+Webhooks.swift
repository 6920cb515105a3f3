package import AdapterKit
import Domain
import StrictJSON

/// What Stripe says on its own.
extension StripeAdapter: WebhookListener {
    /// Verifies the signature and reads the event.
    ///
    /// An event of test money at a live account, or the other way round, says nothing: Stripe sends both to the live
    /// endpoint of a platform ("Connect webhooks", read in November 2026).
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try StripeSignature.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = StripeEvent(json) else { throw .malformed }
            return .read([read(event)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    private func read(_ event: StripeEvent) -> WebhookEvent {
        // An event of a connected account always names it.
        let account = event.account.map(NoticeAccount.merchant) ?? .platform()
        var result = WebhookEvent(id: event.id, type: event.type, merchantAccount: account)
        if let isLive, let eventIsLive = event.isLive, isLive != eventIsLive { return result }
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
