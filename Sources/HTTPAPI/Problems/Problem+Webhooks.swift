import AdapterKit
import HTTPTypes

/// Refused webhooks, in the words of the API.
extension Problem {
    /// The problem that answers a refused webhook.
    init(_ refusal: WebhookRefusal) {
        self.init(
            status: HTTPResponse.Status(code: refusal.status),
            code: "webhook_\(refusal.rawValue)",
            detail: refusal.description
        )
    }
}
