import AdapterKit
import HTTPTransport
import PSPSimulator
import StrictJSON
import Testing

@Suite("Square's dialect tells", .serialized, .timeLimit(.minutes(10)))
struct SquareWebhookTests {
    /// What is done to a payment.
    enum Step: Sendable {
        case capture(Int64)
        case void
        case refund(Int64)
        case act(DashboardAction.Kind)
    }

    private static let held = ["payment.created APPROVED 1000"]
    private static let taken = ["payment.updated COMPLETED 1000"]
    private static let asked = ["refund.created PENDING 10", "payment.updated COMPLETED 1000"]

    /// A token, what is done, and what is heard, in order.
    static let stories: [(token: String, steps: [Step], words: [String])] = [
        ("tok_approve", [.capture(1000)], held + taken),
        ("tok_approve", [.capture(700)], held + ["payment.updated COMPLETED 700"]),
        ("tok_approve", [.void], held + ["payment.updated CANCELED 1000"]),
        ("tok_decline_generic", [], ["payment.created FAILED 1000"]),
        ("tok_captured", [], ["payment.created COMPLETED 1000"]),
        ("tok_pending_20", [], ["payment.created PENDING 1000", "payment.updated APPROVED 1000"]),
        ("tok_pending_fail_20", [], ["payment.created PENDING 1000", "payment.updated FAILED 1000"]),
        ("tok_lapse_20", [], held + ["payment.updated CANCELED 1000"]),
        ("tok_approve+capture_pending_20", [.capture(1000)], held + taken),
        ("tok_approve+capture_pending_fail_20", [.capture(1000)], held + ["payment.updated APPROVED 1000"]),
        (
            "tok_approve+capture_fail_later_20", [.capture(1000)],
            held + taken + ["payment.updated FAILED 1000"]
        ),
        (
            "tok_approve", [.capture(1000), .refund(10)],
            held + taken + asked + ["refund.updated COMPLETED 10", "payment.updated COMPLETED 1000"]
        ),
        (
            "tok_approve+refund_decline_generic", [.capture(1000), .refund(10)],
            held + taken + asked + ["refund.updated REJECTED 10", "payment.updated COMPLETED 1000"]
        ),
        (
            "tok_captured", [.act(.dispute), .act(.lose)],
            [
                "payment.created COMPLETED 1000", "dispute.created EVIDENCE_REQUIRED 1000",
                "dispute.state.updated LOST 1000",
            ]
        ),
    ]

    @Test("of every change of the books in Square's events, in order", arguments: stories)
    func everyChange(story: (token: String, steps: [Step], words: [String])) async throws {
        try await withReceiver(dialect: .square, secret: SquareDriver.secrets.right) { receiver, simulator, client in
            let driver = SquareDriver(client)
            let payment = try #require(try await driver.hold(story.token)?.payment)
            for (number, step) in story.steps.enumerated() {
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
            let events = try heard.map { try JSON.parse($0.body) }
            #expect(Set(events.map { $0["event_id"] }).count == heard.count)
            #expect(events.allSatisfy { $0["merchant_id"] == "shop" })
        }
    }

    /// The first two signatures are from Square's SDKs, the third from the project's vectors of webhook signatures.
    @Test(
        "with a signature over the registered URL and the body as Square computes it",
        arguments: [
            (
                "Ibxx_5AKakO-3qeNVR61Dw", "https://webhook.site/679a4f3a-dcfa-49ee-bac5-9d0edad886b9",
                [
                    "merchant_id": "MLEFBHHSJGVHD", "type": "webhooks.test_notification",
                    "event_id": "ac3ac95b-f97d-458c-a6e6-18981597e05f",
                    "created_at": "2022-07-13T20:30:59.037339943Z",
                    "data": ["type": "webhooks", "id": "bc368e64-01aa-407e-b46e-3231809b1129"],
                ], "GF4YkrJgGBDZ9NIYbNXBnMzqb2HoL4RW/S6vkZ9/2N4="
            ),
            (
                "signature-key", "https://webhook.site/webhooks", ["data": ["type": "webhooks", "id": ">id<"]],
                "Cxt7+aTi4rKgcA0bC4g9EHdVtLSDWdqccmL5MvihU4U="
            ),
            (
                "sq_signature_key", "https://example.com/hooks/square",
                ["merchant_id": "M1", "type": "payment.updated", "event_id": "e1"],
                "MdLv25NmI9F+GrOipuslccHa2f6Ug9dkeURso97KYdc="
            ),
        ] as [(String, String, JSON, String)]
    )
    func vector(secret: String, url: String, document: JSON, signature: String) throws {
        let dialect = DialectName.square.dialect
        let endpoint = try WebhookEndpoint(account: "shop", url: url, secret: secret, dialect: dialect)
        let post = dialect.post(WebhookNotice(id: "1", document), to: endpoint, at: 0)
        #expect(post.headers.contains(HTTPHeader("x-square-hmacsha256-signature", signature)))
        #expect(post.body == document.bytes)
    }
}
