package import AdapterKit
import Domain
import StrictJSON

/// What Square says on its own.
extension SquareAdapter: WebhookListener {
    /// Verifies the signature and reads the event.
    ///
    /// An application hears of all its sellers. An event of another seller than this account's says nothing, if the
    /// account names its seller.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try SquareSignature.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = SquareEvent(json) else { throw .malformed }
            return .read([read(event)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    /// Reads an event.
    ///
    /// Square always names the location. One that is the account's own is the platform's, and so is none at all, which no
    /// merchant's event has.
    private func read(_ event: SquareEvent) -> WebhookEvent {
        var result = WebhookEvent(id: event.id, type: event.type)
        if let merchantID, event.merchant != merchantID { return result }
        switch EventReader(event: event).news {
        case .nothing: break
        case .notice(let notice, let currency, let location):
            result.merchantAccount = account(at: location)
            result.notices = [notice]
            result.currency = currency
        case .unreadable(let problem): result.problem = problem
        }
        return result
    }

    private func account(at location: String?) -> NoticeAccount {
        guard let location, location != requests.ownLocation else { return .platform(location) }
        return .merchant(location)
    }
}
