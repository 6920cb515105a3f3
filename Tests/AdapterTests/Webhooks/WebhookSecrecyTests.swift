import AdapterKit
import Domain
import Testing

@Suite("No description of a webhook's values")
struct WebhookSecrecyTests {
    @Test("shows a secret or a body", arguments: try WebhookSample.all)
    func keepsSecrets(sample: WebhookSample) throws {
        let reading = try sample.listener.webhook(sample.incoming)
        SecrecyTests.expectNoSecret(in: reading, "a reading")
        SecrecyTests.expectNoSecret(in: sample.incoming, "a webhook")
        for text in SecrecyTests.descriptions(of: sample.incoming) {
            #expect(!text.contains("evt_") && !text.contains("v1"), "\(text)")
        }
    }

    @Test("shows a signing key")
    func keepsKeys() throws {
        let key = try #require(SigningKey(bytes: Array(Sample.webhookSecret.utf8)))
        SecrecyTests.expectNoSecret(in: key, "a key")
        SecrecyTests.expectNoSecret(in: [key], "keys")
        #expect(key.description == "•••")
        SecrecyTests.expectNoSecret(in: Sample.settings.webhookSecrets, "secrets")
        for refusal in WebhookRefusal.allCases { #expect(400...599 ~= refusal.status && !refusal.description.isEmpty) }
    }
}
