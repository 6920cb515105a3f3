import AdapterKit
import HTTPTransport
import PSPSimulator
import StrictJSON
import Testing

@Suite("Authorize.Net's dialect tells", .serialized, .timeLimit(.minutes(10)))
struct AuthorizeNetWebhookTests {
    /// What is done to a payment.
    enum Step: Sendable {
        case capture(Int64)
        case refund(Int64)
        case void
    }

    private static let held = "authorization.created 10.00"

    /// A token, what is done, and what is heard, in order.
    static let stories: [(token: String, steps: [Step], words: [String])] = [
        (
            "tok_approve", [.capture(700), .refund(200)],
            [held, "priorAuthCapture.created 7.00", "refund.created 2.00"]
        ),
        ("tok_approve", [.void], [held, "void.created 10.00"]),
        (
            "tok_approve+capture_pending_5", [.capture(1000)], [held, "priorAuthCapture.created 10.00"]
        ),
        ("tok_captured", [.refund(1000)], ["authcapture.created 10.00", "refund.created 10.00"]),
        ("tok_pending_20", [], ["fraud.held 10.00", "fraud.approved 10.00"]),
        ("tok_pending_fail_20", [], ["fraud.held 10.00", "fraud.declined 10.00"]),
    ]

    @Test("of every change that it tells of, in order", arguments: stories)
    func everyChange(story: (token: String, steps: [Step], words: [String])) async throws {
        let secret = AuthorizeNetDriver.secrets.right
        try await withReceiver(dialect: .authorizeNet, secret: secret) { receiver, simulator, client in
            let driver = AuthorizeNetDriver(client)
            let payment = try #require(try await driver.hold(story.token)?.payment)
            var numbers = [payment]
            for step in story.steps {
                let answer =
                    switch step {
                    case .capture(let amount): try await driver.capture(payment, amount: amount, reference: "op")
                    case .refund(let amount): try await driver.refund(payment, amount: amount, reference: "op")
                    case .void: try await driver.void(payment, reference: "op")
                    }
                let response = AuthorizeNetDriver.json(answer.reply)?["transactionResponse"]
                numbers.append(response?["transId"]?.stringValue ?? "")
            }
            try await simulator.finishWork("shop")
            // Each payment's notices have an order, those of two payments have none among each other.
            _ = await receiver.first(story.words.count)
            _ = try await driver.hold("tok_approve", reference: "att_2")
            let heard = await receiver.first(story.words.count + 1)
            #expect(try heard.map(driver.words) == story.words + [Self.held])
            for (incoming, number) in zip(heard, numbers) {
                let payload = try JSON.parse(incoming.body)["payload"]
                #expect(payload?["id"]?.stringValue == number && payload?["invoiceNumber"] == "att_1")
                #expect(payload?["merchantReferenceId"] == (incoming == heard[0] ? "att_1" : "op"))
            }
        }
    }

    @Test("nothing of a decline, an expiry or a dispute")
    func silence() async throws {
        let secret = AuthorizeNetDriver.secrets.right
        try await withReceiver(dialect: .authorizeNet, secret: secret) { receiver, simulator, client in
            let driver = AuthorizeNetDriver(client)
            _ = try await driver.hold("tok_decline_generic")
            _ = try await driver.hold("tok_captured", reference: "att_2")
            _ = try await simulator.act(DashboardAction(.dispute, to: .reference("att_2")))
            _ = try await simulator.act(DashboardAction(.win, to: .reference("att_2")))
            _ = await receiver.first(1)
            _ = try await driver.hold("tok_approve", reference: "att_3")
            _ = try await simulator.act(DashboardAction(.lapse, to: .reference("att_3")))
            _ = await receiver.first(2)
            _ = try await driver.hold("tok_approve", reference: "att_4")
            let words = try await receiver.first(3).map(driver.words)
            #expect(words == ["authcapture.created 10.00", Self.held, Self.held])
        }
    }

    /// The signature is from the project's vectors of webhook signatures.
    @Test("with a signature as Authorize.Net computes it")
    func vector() throws {
        let dialect = DialectName.authorizeNet.dialect
        let secret = String(repeating: "A", count: 128)
        let url = "http://127.0.0.1:1/"
        let endpoint = try WebhookEndpoint(account: "shop", url: url, secret: secret, dialect: dialect)
        let document: JSON = [
            "notificationId": "n1", "eventType": "net.authorize.payment.authcapture.created",
            "payload": ["id": "60020981676"],
        ]
        let post = dialect.post(WebhookNotice(id: "n1", document), to: endpoint, at: 0)
        let expected =
            "sha512=708C1891D73342686C9E45C018ABF238C1561D540E898312AFA0B564C641F300"
            + "F7849101426A9F044B1DE51EF189C525EC6CE18E2E4FCD1416784EB72005C3EC"
        #expect(post.headers.contains(HTTPHeader("X-ANET-Signature", expected)))
        #expect(throws: WebhookEndpointError.unusableSecret) {
            try WebhookEndpoint(account: "shop", url: url, secret: "A1", dialect: dialect)
        }
    }
}
