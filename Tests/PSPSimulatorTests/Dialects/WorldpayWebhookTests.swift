import AdapterKit
import HTTPTransport
import PSPSimulator
import StrictJSON
import Testing

@Suite("Worldpay's dialect tells", .serialized, .timeLimit(.minutes(10)))
struct WorldpayWebhookTests {
    /// A link that is followed, with an amount or without, after so many events.
    struct Step: Sendable {
        var link: String
        var amount: Int64?
        var after: Int
    }

    private static let held = ["sentForAuthorization 1000", "authorized 1000"]

    /// A token, what is done, and what is heard, in order.
    static let stories: [(token: String, steps: [Step], words: [String])] = [
        ("tok_approve", [Step(link: "settlePayment", after: 2)], held + ["sentForSettlement 1000"]),
        (
            "tok_approve",
            [
                Step(link: "partiallySettlePayment", amount: 600, after: 2),
                Step(link: "partiallyRefundPayment", amount: 200, after: 3), Step(link: "cancelPayment", after: 4),
            ],
            held + ["sentForSettlement 600", "sentForRefund 200", "cancelled 1000"]
        ),
        ("tok_approve", [Step(link: "cancelPayment", after: 2)], held + ["cancelled 1000"]),
        ("tok_approve", [Step(link: "reversePayment", after: 2)], held + ["cancelled 1000"]),
        (
            "tok_captured", [Step(link: "reversePayment", after: 3)],
            held + ["sentForSettlement 1000", "sentForRefund 1000"]
        ),
        ("tok_decline_generic", [], ["sentForAuthorization 1000", "refused"]),
        (
            "tok_approve", [Step(link: "partiallySettlePayment", amount: 1001, after: 2)],
            held + ["settlementFailed 1001"]
        ),
        (
            "tok_approve+capture_fail_later_20", [Step(link: "settlePayment", after: 2)],
            held + ["sentForSettlement 1000", "settlementFailed 1000"]
        ),
        (
            "tok_captured+refund_decline_generic", [Step(link: "partiallyRefundPayment", amount: 5, after: 3)],
            held + ["sentForSettlement 1000", "refundFailed 5"]
        ),
        ("tok_lapse_20", [], held + ["expired 1000"]),
        ("tok_pending_20", [], held),
    ]

    @Test("of every change of the books in Worldpay's events, in order", arguments: stories)
    func everyChange(story: (token: String, steps: [Step], words: [String])) async throws {
        let secret = WorldpayDriver.secrets.right
        try await withReceiver(replies: [200], account: "shop", dialect: .worldpay, secret: secret) {
            receiver,
            _,
            client in
            let driver = WorldpayDriver(client)
            let placed = try #require(try await driver.hold(story.token))
            for (number, step) in story.steps.enumerated() {
                _ = await receiver.first(step.after)
                let payment = try #require(placed.payment)
                let body = step.amount.map { WorldpayDriver.part($0, "op_\(number)") }
                #expect(try await driver.follow(step.link, payment, body).reply.status == 202)
            }
            let heard = await receiver.first(story.words.count)
            #expect(try heard.map(driver.words) == story.words)
            let events = try heard.map { try JSON.parse($0.body) }
            #expect(Set(events.compactMap { $0["eventId"]?.stringValue }).count == events.count)
            for event in events {
                #expect(event["eventDetails"]?["transactionReference"] == "att_1")
                #expect(event["eventDetails"]?["classification"] == "payment")
            }
            let own = events.compactMap { $0["eventDetails"]?["reference"]?.stringValue }
            #expect(own == story.steps.enumerated().compactMap { $1.amount == nil ? nil : "op_\($0)" })
        }
    }

    @Test("of a dispute, and why a refund failed; and repeats what is not answered 200")
    func others() async throws {
        let secret = WorldpayDriver.secrets.right
        let replies = [204, 200]
        try await withReceiver(replies: replies, account: "shop", dialect: .worldpay, secret: secret) {
            receiver,
            simulator,
            client in
            let driver = WorldpayDriver(client)
            let payment = try #require(try await driver.hold("tok_captured+refund_decline_generic")?.payment)
            _ = try await simulator.act(DashboardAction(.dispute, to: .reference("att_1")))
            _ = try await simulator.act(DashboardAction(.win, to: .reference("att_1")))
            _ = await receiver.first(5)
            _ = try await driver.refund(payment, amount: 5, reference: "op_1")
            let heard = await receiver.first(6)
            let first = Self.held[0]
            #expect(
                try heard.map(driver.words) == [
                    first, first, Self.held[1], "sentForSettlement 1000", "informationRequested 1000", "refundFailed 5",
                ]
            )
            let details = try heard.map { try JSON.parse($0.body)["eventDetails"] }
            #expect(details[4]?["classification"] == "chargeback")
            #expect(details[5]?["refund"]?["refusal"]?["code"] == "5")
        }
    }

    /// The signature is from the project's vectors of webhook signatures, computed with other tools.
    @Test("with a signature as Worldpay computes it, among two in either order")
    func vector() throws {
        let dialect = DialectName.worldpay.dialect
        let endpoint = try WebhookEndpoint(
            account: "shop",
            url: "http://127.0.0.1:1/",
            secret: WorldpayDriver.secrets.right,
            dialect: dialect
        )
        let body: JSON = ["eventId": "e1", "eventDetails": ["type": "sentForSettlement"]]
        let signature = "2/SHA256/084ec0dc7a7796eb289983e449eeaf75525ee65fccc35ac7ccd3a4b6c276489d"
        let headers = ["1", "2"].map { id in
            dialect.post(WebhookNotice(id: id, body), to: endpoint, at: 0).headers
                .first { $0.name == "Event-Signature" }?.value ?? ""
        }
        #expect(headers.allSatisfy { $0.split(separator: ",").count == 2 })
        #expect(headers[0].hasSuffix("," + signature) && headers[1].hasPrefix(signature + ","))
        #expect(!dialect.accepts(secret: "") && !dialect.accepts(secret: "secret") && dialect.accepts(secret: "0aB1"))
    }
}
