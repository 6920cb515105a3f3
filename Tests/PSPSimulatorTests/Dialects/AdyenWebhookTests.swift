import AdapterKit
import PSPSimulator
import StrictJSON
import Testing

@Suite("Adyen's dialect tells", .serialized, .timeLimit(.minutes(10)))
struct AdyenWebhookTests {
    /// What is done to a payment, and after how many webhooks.
    struct Step: Sendable {
        var word: String
        var amount: Int64?
        var after: Int
    }

    private static let held = "AUTHORISATION true 1000"

    /// A token, what is done, and what is heard, in order.
    static let stories: [(token: String, steps: [Step], words: [String])] = [
        ("tok_approve", [Step(word: "captures", amount: 700, after: 1)], [held, "CAPTURE true 700"]),
        ("tok_approve", [Step(word: "cancels", after: 1)], [held, "CANCELLATION true 1000"]),
        ("tok_approve", [Step(word: "reversals", after: 1)], [held, "CANCEL_OR_REFUND true 1000"]),
        (
            "tok_approve",
            [
                Step(word: "captures", amount: 1000, after: 1), Step(word: "refunds", amount: 300, after: 2),
                Step(word: "reversals", after: 3),
            ],
            [held, "CAPTURE true 1000", "REFUND true 300", "CANCEL_OR_REFUND true 700"]
        ),
        ("tok_decline_generic", [], ["AUTHORISATION false 1000"]),
        ("tok_approve", [Step(word: "captures", amount: 1001, after: 1)], [held, "CAPTURE false 1001"]),
        (
            "tok_approve+capture_decline_generic", [Step(word: "captures", amount: 1000, after: 1)],
            [held, "CAPTURE false 1000"]
        ),
        (
            "tok_approve+capture_fail_later_20", [Step(word: "captures", amount: 1000, after: 1)],
            [held, "CAPTURE true 1000", "CAPTURE_FAILED true 1000"]
        ),
        (
            "tok_captured+refund_fail_later_20", [Step(word: "refunds", amount: 10, after: 1)],
            [held, "REFUND true 10", "REFUND_FAILED true 10"]
        ),
        ("tok_lapse_20", [], [held, "EXPIRE true 1000"]),
        ("tok_pending_20", [], [held]),
    ]

    @Test("of every change of the books in Adyen's notifications, in order", arguments: stories)
    func everyChange(story: (token: String, steps: [Step], words: [String])) async throws {
        let secret = AdyenDriver.secrets.right
        try await withReceiver(account: "ShopCOM", dialect: .adyen, secret: secret) { receiver, _, client in
            let driver = AdyenDriver(client)
            let payment = try #require(try await driver.hold(story.token)?.payment)
            var references: [String: String] = [:]
            for (number, step) in story.steps.enumerated() {
                _ = await receiver.first(step.after)
                let reference = "op_\(number)"
                let answer = try await driver.change(step.word, payment, amount: step.amount, reference: reference)
                references[reference] = answer.reply.json?["pspReference"]?.stringValue
            }
            let heard = await receiver.first(story.words.count)
            #expect(try heard.map(driver.words) == story.words)
            for incoming in heard {
                let item = try driver.item(incoming)
                let merchantReference = try #require(item["merchantReference"]?.stringValue)
                #expect(item["pspReference"]?.stringValue == references[merchantReference] ?? payment)
                #expect(item["originalReference"]?.stringValue == references[merchantReference].map { _ in payment })
            }
        }
    }

    @Test("of a dispute, and of a cancellation by reference")
    func others() async throws {
        let secret = AdyenDriver.secrets.right
        try await withReceiver(account: "ShopCOM", dialect: .adyen, secret: secret) { receiver, simulator, client in
            let driver = AdyenDriver(client)
            _ = try await driver.hold("tok_captured")
            _ = try await simulator.act(DashboardAction(.dispute, to: .reference("att_1")))
            _ = try await simulator.act(DashboardAction(.win, to: .reference("att_1")))
            _ = await receiver.first(3)
            let cancel: JSON = ["merchantAccount": "ShopCOM", "paymentReference": "att_1"]
            _ = try await driver.post("/cancels", key: nil, cancel)
            let words = try await receiver.first(4).map(driver.words)
            #expect(
                words == [
                    Self.held, "CHARGEBACK true 1000", "CHARGEBACK_REVERSED true 1000", "TECHNICAL_CANCEL false 1000",
                ]
            )
        }
    }

    /// The signature is from the project's vectors of webhook signatures, which Adyen's libraries publish.
    @Test("with a signature as Adyen computes it")
    func vector() throws {
        let dialect = DialectName.adyen.dialect
        let endpoint = try WebhookEndpoint(
            account: "TestMerchant",
            url: "http://127.0.0.1:1/",
            secret: AdyenDriver.secrets.right,
            dialect: dialect
        )
        let item: JSON = [
            "amount": ["currency": "EUR", "value": 1130], "eventCode": "AUTHORISATION",
            "merchantAccountCode": "TestMerchant", "merchantReference": "TestPayment-1407325143704",
            "pspReference": "7914073381342284", "success": "true",
        ]
        let document: JSON = ["live": "false", "notificationItems": [["NotificationRequestItem": item]]]
        let post = dialect.post(WebhookNotice(id: "1", document), to: endpoint, at: 0)
        let sent = try JSON.parse(post.body)["notificationItems"]?[0]?["NotificationRequestItem"]
        #expect(sent?["additionalData"]?["hmacSignature"] == "coqCmt/IZ4E3CzPvMY8zTjQVL5hYJUiBRg8UU+iCWo0=")
    }

    @Test(
        "when it happened",
        arguments: [
            (Int64(0), "1970-01-01T00:00:00"), (951_782_399_999, "2000-02-28T23:59:59"),
            (951_782_400_000, "2000-02-29T00:00:00"), (1_709_251_200_000, "2024-03-01T00:00:00"),
            (1_798_761_599_000, "2026-12-31T23:59:59"),
        ]
    )
    func moments(milliseconds: Int64, text: String) { #expect(Moment.text(milliseconds) == text) }
}
