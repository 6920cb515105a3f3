public import AdapterKit
import Domain
import StrictJSON

/// What the simulator says on its own.
extension SimulatorAdapter: WebhookListener {
    /// Verifies the signature (Standard Webhooks 1.0) and reads the event.
    public func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            let id = try StandardWebhooks.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), json["id"]?.stringValue == id,
                let type = json["type"]?.stringValue
            else { throw .malformed }
            var event = WebhookEvent(id: id, type: type)
            switch SimulatorEvent(type: type, json).news {
            case .nothing: break
            case .notice(let notice, let currency):
                event.notices = [notice]
                event.currency = currency
                let account = json["merchant_account"]?.stringValue
                event.merchantAccount = account.map(NoticeAccount.merchant) ?? .platform()
            case .unreadable(let problem): event.problem = problem
            }
            return .read([event], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }
}
