import AdapterKit
import BraintreeAdapter
import Domain
import Testing
import WireFormats

extension AdapterUnderTest {
    /// Braintree.
    static var braintree: AdapterUnderTest {
        get throws {
            let settings = AdapterSettings(
                account: "sample",
                baseURL: "https://psp.example",
                credentials: [
                    "public_key": Secret("integration_public_key"), "private_key": Secret(Sample.secretKey),
                    "merchant_accounts": Secret("USD=shop_usd, EUR=shop_eur"),
                    "webhook_secret": Secret("integration_public_key|\(Sample.webhookSecret)"),
                ]
            )
            var subject = try AdapterUnderTest(BraintreeAdapter.self, settings: settings, pspReference: "p4mq7kzr")
            subject.pspState = "dHJhbnNhY3Rpb25fcDRtcTdrenI"
            subject.bareReplies = braintreeBareReplies
            subject.longCredential = .networkToken
            subject.otherNames = [("dHJhbnNhY3Rpb25fcDRtcTdrenI", "dHJhbnNhY3Rpb25fcDRtcTdrelE")]
            // Only what happens to a payment later is told by webhook, and no time is signed apart from the payload.
            subject.lacks = [
                "webhook/authorize-succeeded", "webhook/authorize-declined", "webhook/authorize-action-required",
                "webhook/capture-succeeded", "webhook/void-succeeded", "webhook/refund-succeeded",
                "webhook/refund-pending", "webhook/lapsed", "webhook/refused-outside-tolerance",
            ]
            subject.webhooks = WebhookScheme(otherSecret: "other_public_key|another private key") { body, _ in
                let payload = Base64Writer.text(body) + "\n"
                return WebhookScheme.Sealed(
                    body: try BraintreeForm.signed(payload),
                    headers: [Header("Content-Type", FormFields.contentType)]
                )
            }
            subject.webhooks?.isTimed = false
            subject.webhooks?.signsWholeBody = false
            return subject
        }
    }
}

/// The form that Braintree posts.
enum BraintreeForm {
    /// A form with a good signature.
    static func signed(_ payload: String) throws -> [UInt8] {
        let key = try #require(SHA1SigningKey(hashOf: Secret(Sample.webhookSecret)))
        let code = Hexadecimal.encode(key.code(of: Array(payload.utf8)))
        return form(signature: "integration_public_key|\(code)", payload: payload)
    }

    /// A form with these fields.
    static func form(signature: String, payload: String) -> [UInt8] {
        var fields = FormFields()
        fields.append("bt_signature", signature)
        fields.append("bt_payload", payload)
        return fields.bytes
    }

    /// What the adapter makes of a form.
    static func reading(_ body: [UInt8], secret: String? = nil) throws -> WebhookReading {
        let own = try #require(try AdapterUnderTest.braintree.settings.credentials["webhook_secret"]).reveal()
        let listener = try WebhookConformanceTests.listener("braintree", secret: secret ?? own)
        return listener.webhook(
            IncomingWebhook(
                body: body,
                headers: [],
                url: "https://tributary.example",
                receivedAt: WebhookSample.moment(Sample.signedAt)
            )
        )
    }
}

extension AdapterUnderTest {
    /// What was not executed, so that no error has a path.
    fileprivate static let braintreeBareReplies: [String: Set<String>] = [
        "The document is refused before it is executed, so that the error has no path; sent once, on a fresh connection.":
            [
                "authorize/rejected-configuration-document"
            ]
    ]
}
