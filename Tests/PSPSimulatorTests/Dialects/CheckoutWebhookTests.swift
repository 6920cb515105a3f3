import AdapterKit
import HTTPTransport
import PSPSimulator
import StrictJSON
import Testing

@Suite("Checkout.com's dialect tells", .serialized, .timeLimit(.minutes(10)))
struct CheckoutWebhookTests {
    /// What is done to a payment, and after how many webhooks.
    struct Step: Sendable {
        var word: String
        var amount: Int64?
        var after: Int
    }

    private static let held = "payment_approved 1000 10000"

    /// A token, what is done, and what is heard, in order.
    static let stories: [(token: String, steps: [Step], words: [String])] = [
        (
            "tok_approve", [Step(word: "captures", amount: 700, after: 1)],
            [held, "payment_captured 700 10000"]
        ),
        ("tok_approve", [Step(word: "voids", after: 1)], [held, "payment_voided 1000 10000"]),
        (
            "tok_captured",
            [Step(word: "refunds", amount: 300, after: 2), Step(word: "reversals", after: 3)],
            [held, "payment_captured 1000 10000", "payment_refunded 300 10000", "payment_refunded 700 10000"]
        ),
        ("tok_decline_insufficient_funds", [], ["payment_declined 1000 20051"]),
        ("tok_partial", [], ["payment_approved 500 10010"]),
        (
            "tok_approve+capture_decline_generic", [Step(word: "captures", amount: 1000, after: 1)],
            [held, "payment_capture_declined 1000 20005"]
        ),
        (
            "tok_approve+void_pending_fail_20", [Step(word: "voids", after: 1)],
            [held, "payment_void_declined 1000 20005"]
        ),
        (
            "tok_captured+refund_fail_later_20", [Step(word: "refunds", amount: 10, after: 2)],
            [held, "payment_captured 1000 10000", "payment_refunded 10 10000", "payment_refund_declined 10 20006"]
        ),
        ("tok_lapse_20", [], [held, "payment_voided 1000 10000"]),
        ("tok_pending_20", [], ["payment_pending 1000", held]),
        ("tok_action_20", [], ["payment_pending 1000", "payment_authentication_failed 1000 20152"]),
    ]

    @Test("of every change of the books in Checkout.com's events, in order", arguments: stories)
    func everyChange(story: (token: String, steps: [Step], words: [String])) async throws {
        let secret = CheckoutDriver.secrets.right
        try await withReceiver(dialect: .checkout, secret: secret) { receiver, _, client in
            let driver = CheckoutDriver(client)
            let payment = try #require(try await driver.hold(story.token)?.payment)
            var actions: [String: String] = [:]
            for (number, step) in story.steps.enumerated() {
                _ = await receiver.first(step.after)
                let reference = "op_\(number)"
                let answer = try await driver.act(step.word, payment, amount: step.amount, reference: reference)
                actions[reference] = answer.reply.json?["action_id"]?.stringValue
            }
            let heard = await receiver.first(story.words.count)
            #expect(try heard.map(driver.words) == story.words)
            let events = try heard.map { try JSON.parse($0.body) }
            #expect(Set(events.map { $0["id"] }).count == events.count)
            for event in events {
                let data = try #require(event["data"])
                let reference = try #require(data["reference"]?.stringValue)
                #expect(data["id"]?.stringValue == payment && data["currency"] == "USD")
                #expect(actions[reference] == nil || data["action_id"]?.stringValue == actions[reference])
                #expect(event["created_on"]?.stringValue?.hasSuffix("Z") == true)
            }
        }
    }

    @Test("of a dispute")
    func dispute() async throws {
        let secret = CheckoutDriver.secrets.right
        try await withReceiver(dialect: .checkout, secret: secret) { receiver, simulator, client in
            let payment = try #require(try await CheckoutDriver(client).hold("tok_captured")?.payment)
            _ = try await simulator.act(DashboardAction(.dispute, to: .reference("att_1")))
            _ = try await simulator.act(DashboardAction(.lose, to: .reference("att_1")))
            let events = try await receiver.first(4).map { try JSON.parse($0.body) }
            #expect(events.dropFirst(2).map { $0["type"] } == ["dispute_evidence_required", "dispute_lost"])
            let data = events.suffix(2).map { $0["data"] }
            #expect(data[0]?["id"]?.stringValue?.hasPrefix("dsp_") == true && data[0]?["id"] == data[1]?["id"])
            #expect(data.map { $0?["payment_id"]?.stringValue } == [payment, payment])
            #expect(data[0]?["amount"] == 1000 && data[0]?["payment_action_id"] == events[1]["data"]?["action_id"])
            #expect(data[0]?["evidence_required_by"] != nil && data[1]?["evidence_required_by"] == nil)
        }
    }

    @Test("with the notes of the payment, and of the capture")
    func notes() async throws {
        let secret = CheckoutDriver.secrets.right
        try await withReceiver(dialect: .checkout, secret: secret) { receiver, _, client in
            let driver = CheckoutDriver(client)
            let notes = JSON.Member("metadata", ["order": "o-1", "count": 2])
            let body = CheckoutDriver.payment(CheckoutDriver.token("tok_approve"), [notes])
            let held = try await driver.send("POST", "/payments", key: "a", body)
            let payment = try #require(held.json?["id"]?.stringValue)
            _ = try await driver.send("POST", "/payments/\(payment)/captures", key: "b", ["metadata": ["part": 1]])
            let data = try await receiver.first(2).map { try JSON.parse($0.body)["data"] }
            #expect(data.map { $0?["metadata"] } == [["order": "o-1", "count": 2], ["part": 1]])
            #expect(data.map { $0?["reference"] } == ["att_1", "att_1"])
        }
    }

    /// The signature is from the project's vectors of webhook signatures.
    @Test("with a signature as Checkout.com computes it")
    func vector() throws {
        let dialect = DialectName.checkout.dialect
        let endpoint = try WebhookEndpoint(
            account: "shop",
            url: "http://127.0.0.1:1/",
            secret: "cko_secret",
            dialect: dialect
        )
        let notice = WebhookNotice(
            id: "evt_az5sblvku4ge3dwpztvyizgcau",
            ["id": "evt_az5sblvku4ge3dwpztvyizgcau", "type": "payment_captured", "data": ["id": "pay_1"]]
        )
        let post = dialect.post(notice, to: endpoint, at: 0)
        let code = "df39744d2c59cc9dbf491083a85cf0f11399ec5f3c7d7347b49598b8051d5954"
        #expect(post.headers.contains(HTTPHeader("Cko-Signature", code)))
    }
}
