import AdapterKit
import Domain
import SimulatorAdapter
import Testing

extension AdapterUnderTest {
    /// The PSP simulator.
    static var simulator: AdapterUnderTest {
        get throws {
            var subject = try AdapterUnderTest(SimulatorAdapter.self, pspReference: "auth_sample")
            subject.webhooks = WebhookScheme(otherSecret: "whsec_YW5vdGhlciB3ZWJob29rIHNlY3JldCwgMzIgYnl0ZXM=") {
                body,
                id in
                let time = Sample.signedAt
                let key = try #require(StandardWebhooks.key(Secret(Sample.webhookSecret)))
                let code = key.code(of: Array("\(id).\(time).".utf8) + body)
                let headers = [
                    Header("webhook-id", id), Header("webhook-timestamp", "\(time)"),
                    Header("webhook-signature", "v1,\(Base64Writer.text(code))"),
                ]
                return WebhookScheme.Sealed(body: body, headers: headers)
            }
            subject.webhooks?.paymentPrefix = "auth_"
            subject.webhooks?.tellsTime = false
            return subject
        }
    }
}
