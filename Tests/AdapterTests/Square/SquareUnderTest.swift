import AdapterKit
import Domain
import SquareAdapter
import Testing

extension AdapterUnderTest {
    /// Square.
    ///
    /// Nothing is asked of the buyer behind the checkout page, and its signatures have no time.
    static var square: AdapterUnderTest {
        get throws {
            let settings = AdapterSettings(
                account: "sample",
                baseURL: "https://psp.example",
                credentials: [
                    "access_token": Secret(Sample.secretKey), "location_id": Secret(SquareSample.location),
                    "webhook_secret": Secret(Sample.webhookSecret),
                ]
            )
            var subject = try AdapterUnderTest(
                SquareAdapter.self,
                settings: settings,
                pspReference: SquareSample.payment
            )
            subject.pspState = SquareSample.state
            subject.longCredential = .pspToken
            subject.lacks = ["webhook/authorize-action-required", "webhook/refused-outside-tolerance"]
            subject.keysByAttempt = true
            subject.requestsWithoutKey = ["/complete", "/v2/payments/\(SquareSample.payment)/cancel"]
            var scheme = WebhookScheme(otherSecret: "sq_another_signature_key") { body, _ in
                let key = try #require(SigningKey(bytes: Array(Sample.webhookSecret.utf8)))
                let code = Base64Writer.text(key.code(of: Array("https://tributary.example".utf8) + body))
                let header = Header("x-square-hmacsha256-signature", code)
                return WebhookScheme.Sealed(body: body, headers: [header])
            }
            scheme.isTimed = false
            subject.webhooks = scheme
            return subject
        }
    }

    /// What belongs to Square alone.
    var isSquare: Bool { name == SquareAdapter.name }
}
