import AdapterKit
import HTTPTransport
import PSPSimulator
import StrictJSON
import Testing

@Suite("Stripe's dialect tells", .serialized, .timeLimit(.minutes(10)))
struct StripeWebhookTests {
    /// What is done to a payment.
    enum Step: Sendable {
        case capture(Int64)
        case void
        case refund(Int64)
        case act(DashboardAction.Kind)
    }

    private static let held = [
        "charge.succeeded succeeded", "payment_intent.amount_capturable_updated requires_capture",
    ]
    private static let taken = ["charge.captured succeeded", "payment_intent.succeeded succeeded"]

    /// A token, what is done, and what is heard, in order.
    static let stories: [(token: String, steps: [Step], words: [String])] = [
        ("tok_approve", [.capture(1000)], held + taken),
        ("tok_approve", [.void], held + ["payment_intent.canceled canceled"]),
        (
            "tok_approve", [.capture(1000), .refund(400)],
            held + taken + ["refund.created succeeded", "charge.refunded succeeded"]
        ),
        (
            "tok_decline_generic", [],
            ["charge.failed failed", "payment_intent.payment_failed requires_payment_method"]
        ),
        ("tok_pending_20", [], ["payment_intent.processing processing"] + held),
        ("tok_lapse_20", [], held + ["charge.expired succeeded", "payment_intent.canceled canceled"]),
        (
            "tok_approve+refund_pending_fail_20", [.capture(1000), .refund(10)],
            held + taken + ["refund.created pending", "refund.updated failed", "refund.failed failed"]
        ),
        (
            "tok_approve+refund_fail_later_20", [.capture(1000), .refund(10)],
            held + taken
                + [
                    "refund.created succeeded", "charge.refunded succeeded", "refund.updated failed",
                    "refund.failed failed",
                ]
        ),
        (
            "tok_approve+capture_fail_later_20", [.capture(1000)],
            held + taken + ["charge.failed failed", "payment_intent.payment_failed requires_payment_method"]
        ),
        (
            "tok_approve+capture_pending_fail_20", [.capture(1000)],
            held
                + [
                    "payment_intent.processing processing",
                    "payment_intent.amount_capturable_updated requires_capture",
                ]
        ),
        (
            "tok_captured", [.act(.dispute), .act(.win)],
            [
                "charge.succeeded succeeded", "payment_intent.succeeded succeeded",
                "charge.dispute.created needs_response", "charge.dispute.funds_withdrawn needs_response",
                "charge.dispute.closed won", "charge.dispute.funds_reinstated won",
            ]
        ),
    ]

    @Test("of every change of the books in Stripe's events, in order", arguments: stories)
    func everyChange(story: (token: String, steps: [Step], words: [String])) async throws {
        try await withReceiver(dialect: .stripe, secret: StripeDriver.secrets.right) { receiver, simulator, client in
            let driver = StripeDriver(client)
            let answer = try await driver.hold(story.token)
            for (number, step) in story.steps.enumerated() {
                let payment = try #require(answer?.payment)
                let reference = "op_\(number)"
                switch step {
                case .capture(let amount): _ = try await driver.capture(payment, amount: amount, reference: reference)
                case .void: _ = try await driver.void(payment, reference: reference)
                case .refund(let amount): _ = try await driver.refund(payment, amount: amount, reference: reference)
                case .act(let deed): _ = try await simulator.act(DashboardAction(deed, to: .reference("att_1")))
                }
            }
            let heard = await receiver.first(story.words.count)
            #expect(try heard.map(driver.words) == story.words)
            let ids = try heard.map { try JSON.parse($0.body)["id"] }
            #expect(Set(ids).count == heard.count)
        }
    }

    @Test("the platform of its connected accounts, under whose key something was asked")
    func connected() async throws {
        try await withReceiver(dialect: .stripe, secret: StripeDriver.secrets.right) { receiver, _, client in
            let driver = StripeDriver(client)
            let fields = StripeDriver.fields("att_1", 1000, capture: false) + StripeDriver.token("tok_visa")
            _ = try await driver.post("/v1/payment_intents", key: "a", fields, headers: ["Stripe-Account: acct_1"])
            let event = try JSON.parse(try #require(await receiver.first(1).first).body)
            #expect(event["account"] == "acct_1" && event["request"]?["idempotency_key"] == "key-a")
        }
    }

    /// The signature is from the project's vectors of webhook signatures.
    @Test("with a signature as Stripe computes it")
    func vector() throws {
        let dialect = DialectName.stripe.dialect
        let endpoint = try WebhookEndpoint(
            account: "shop",
            url: "http://127.0.0.1:1/",
            secret: "whsec_test_secret",
            dialect: dialect
        )
        let notice = WebhookNotice(
            id: "evt_1",
            ["id": "evt_1", "object": "event", "type": "payment_intent.succeeded"]
        )
        let post = dialect.post(notice, to: endpoint, at: 1_700_000_000)
        let code = "67da5088c63e080c71bd2bb0cb5c03d85a8fc6a21ce3aaf484df809654745b92"
        #expect(post.headers.contains(HTTPHeader("Stripe-Signature", "t=1700000000,v1=\(code)")))
    }
}
