package import AdapterKit
import StrictJSON

/// What Authorize.Net says on its own.
extension AuthorizeNetAdapter: WebhookListener {
    /// Verifies the signature and reads the notification.
    ///
    /// Its amounts have no currency; they are in the account's. It names no merchant account, of which Authorize.Net
    /// knows none.
    package func webhook(_ incoming: IncomingWebhook) -> WebhookReading {
        do throws(WebhookRefusal) {
            try AuthorizeNetSignature.verify(incoming, with: webhookKeys)
            guard let json = try? JSON.parse(incoming.body), let event = AuthorizeNetEvent(json) else {
                throw .malformed
            }
            return .read([read(event)], reply: WireReply(status: 200))
        } catch {
            return .refused(error)
        }
    }

    private func read(_ event: AuthorizeNetEvent) -> WebhookEvent {
        var result = WebhookEvent(id: event.id, type: event.type)
        switch EventReader(event: event, currency: currency).news {
        case .nothing: break
        case .remarkable(let remark): result.remark = remark
        case .notice(let notice):
            result.notices = [notice]
            result.currency = currency
        case .unreadable(let problem): result.problem = problem
        }
        return result
    }
}
