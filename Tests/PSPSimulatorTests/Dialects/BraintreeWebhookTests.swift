import AdapterKit
import PSPSimulator
import StrictJSON
import Testing

@Suite("Braintree's dialect tells", .serialized, .timeLimit(.minutes(10)))
struct BraintreeWebhookTests {
    /// What is done to a payment.
    enum Step: Sendable {
        case capture(Int64)
        case refund(Int64)
        case act(DashboardAction.Kind)
    }

    /// A token, what is done, and what is heard, in order.
    static let stories: [(token: String, steps: [Step], words: [String])] = [
        ("tok_approve", [.capture(700)], ["transaction_disbursed settled 7.00"]),
        ("tok_captured", [], ["transaction_disbursed settled 10.00"]),
        (
            "tok_approve+capture_pending_20", [.capture(1000)],
            ["transaction_settled settled 10.00", "transaction_disbursed settled 10.00"]
        ),
        (
            "tok_approve+capture_pending_fail_20", [.capture(1000)],
            ["transaction_settlement_declined settlement_declined 10.00"]
        ),
        (
            "tok_approve+capture_fail_later_20", [.capture(1000)],
            [
                "transaction_disbursed settled 10.00",
                "transaction_settlement_declined settlement_declined 10.00",
            ]
        ),
        (
            "tok_captured+refund_fail_later_20", [.refund(300)],
            ["transaction_disbursed settled 10.00", "refund_failed settlement_declined 3.00"]
        ),
        (
            "tok_captured", [.act(.dispute), .act(.win)],
            ["transaction_disbursed settled 10.00", "dispute_opened open 10.00", "dispute_won won 10.00"]
        ),
        (
            "tok_captured", [.act(.dispute), .act(.lose)],
            ["transaction_disbursed settled 10.00", "dispute_opened open 10.00", "dispute_lost lost 10.00"]
        ),
    ]

    @Test("of what nobody waits for, in Braintree's notifications, in order", arguments: stories)
    func everyChange(story: (token: String, steps: [Step], words: [String])) async throws {
        let secret = BraintreeDriver.secrets.right
        try await withReceiver(dialect: .braintree, secret: secret) { receiver, simulator, client in
            let driver = BraintreeDriver(client)
            let payment = try #require(try await driver.hold(story.token)?.payment)
            for (number, step) in story.steps.enumerated() {
                switch step {
                case .capture(let amount): _ = try await driver.capture(payment, amount: amount, reference: "\(number)")
                case .refund(let amount): _ = try await driver.refund(payment, amount: amount, reference: "\(number)")
                case .act(let deed): _ = try await simulator.act(DashboardAction(deed, to: .reference("att_1")))
                }
            }
            let heard = await receiver.first(story.words.count)
            #expect(try heard.map(driver.words) == story.words)
            for incoming in heard {
                #expect(incoming.header("Content-Type") == "application/x-www-form-urlencoded")
                let text = try driver.xml(incoming)
                #expect(text.contains("<timestamp type=\"datetime\">") && text.contains("<subject>"))
                #expect(text.contains("<graphql-id>\(payment)</graphql-id>") || text.contains("<type>credit</type>"))
                #expect(BraintreeDriver.tag("order-id", in: text) != nil)
            }
        }
    }

    @Test("of the order that is meant, whatever characters it has")
    func escaping() async throws {
        let secret = BraintreeDriver.secrets.right
        try await withReceiver(dialect: .braintree, secret: secret) { receiver, _, client in
            let driver = BraintreeDriver(client)
            _ = try await driver.hold("tok_captured", reference: "<a & 'b' \"ü\">")
            let incoming = try #require(await receiver.first(1).first)
            let order = BraintreeDriver.tag("order-id", in: try driver.xml(incoming))
            #expect(order == "&lt;a &amp; &apos;b&apos; &quot;ü&quot;&gt;")
            #expect(try driver.isSigned(incoming, with: secret))
        }
    }

    /// The signature is from the project's vectors of webhook signatures.
    @Test("with a signature as Braintree computes it")
    func vector() {
        let payload = """
            PG5vdGlmaWNhdGlvbj48a2luZD50cmFuc2FjdGlvbl9zZXR0bGVkPC9raW5kPjx0aW1lc3RhbXAg
            dHlwZT0iZGF0ZXRpbWUiPjIwMjYtMDEtMDFUMDA6MDA6MDBaPC90aW1lc3RhbXA+PHN1YmplY3Qv
            Pjwvbm90aWZpY2F0aW9uPg==

            """
        let form = BraintreeEvents.form(payload, signedWith: "integration_public_key:integration_private_key")
        let code = "db7c324405eb7aaeabb44765e387e4ba1af61d00"
        #expect(form.hasPrefix("bt_signature=integration_public_key%7C\(code)&bt_payload=PG5vdGlm"))
        #expect(form.hasSuffix("Pjwvbm90aWZpY2F0aW9uPg%3D%3D%0A"))
    }

    @Test("only where both keys are known", arguments: ["", "public", ":private", "public:"])
    func secrets(secret: String) {
        #expect(throws: WebhookEndpointError.unusableSecret) {
            try WebhookEndpoint(
                account: "shop",
                url: "http://127.0.0.1:1/",
                secret: secret,
                dialect: DialectName.braintree.dialect
            )
        }
    }
}
