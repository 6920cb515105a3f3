import AdapterKit
import Domain
import StrictJSON
import StripeAdapter
import Testing

@Suite("Stripe's published signature vectors")
struct StripeSignatureVectors {
    /// The file of vectors; `SOURCE.txt` beside it says where they come from.
    private static var vectors: JSON {
        get throws { try JSON.parse(try SampleFiles.data("vectors/stripe/vectors.json")) }
    }

    private static func reading(_ header: String, secret: String? = nil, now: Int64) throws -> WebhookReading {
        let vectors = try Self.vectors
        let own = try #require(vectors["secret"]?.stringValue)
        let listener = try WebhookConformanceTests.listener("stripe", secret: secret ?? own)
        let incoming = IncomingWebhook(
            body: try SampleFiles.data("vectors/stripe/event_test_signature.json"),
            headers: [Header("Stripe-Signature", header)],
            url: "https://tributary.example",
            receivedAt: WebhookSample.moment(now)
        )
        return listener.webhook(incoming)
    }

    @Test("are accepted and refused as published")
    func cases() throws {
        let vectors = try Self.vectors
        let header = try #require(vectors["header"]?.stringValue)
        let cases = try #require(vectors["cases"]?.arrayValue)
        #expect(cases.count == 3)
        for one in cases {
            let now = try #require(one["now"]?.integerValue)
            let reading = try Self.reading(header, secret: one["secret"]?.stringValue, now: now)
            switch one["expect"]?.stringValue {
            case "ok":
                let expected = WebhookEvent(
                    id: "evt_123",
                    type: "customer.created",
                    merchantAccount: .merchant("acct_123")
                )
                #expect(reading.events == [expected])
            case "fail": #expect(reading.refusal == .wrongSignature)
            default: #expect(reading.refusal == .outsideTolerance)
            }
        }
    }

    @Test("with malformed headers fail")
    func malformedHeaders() throws {
        let headers = try #require(try Self.vectors["malformed_headers_must_fail"]?.arrayValue)
        #expect(headers.count == 7)
        for header in headers.compactMap(\.stringValue) {
            #expect(try Self.reading(header, now: 1_533_204_720).refusal == .unsigned, "\(header)")
        }
    }

    @Test("and one of our own are accepted")
    func own() throws {
        let body = #"{"id":"evt_1","object":"event","type":"payment_intent.succeeded"}"#
        let code = "67da5088c63e080c71bd2bb0cb5c03d85a8fc6a21ce3aaf484df809654745b92"
        let listener = try WebhookConformanceTests.listener("stripe", secret: "whsec_test_secret")
        let incoming = IncomingWebhook(
            body: Array(body.utf8),
            headers: [Header("Stripe-Signature", "t=1700000000,v1=\(code)")],
            url: "https://tributary.example",
            receivedAt: WebhookSample.moment(1_700_000_000)
        )
        #expect(listener.webhook(incoming).events?.first?.id == "evt_1")
    }

    @Test("with several codes need one that matches")
    func severalCodes() throws {
        let header = try #require(try Self.vectors["multi_sig_ok"]?.stringValue)
        #expect(try Self.reading(header, now: 1_533_204_720).events?.count == 1)
    }

    @Test(
        "that were tampered with fail",
        arguments: [
            ("t=1533204621,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7", .wrongSignature),
            ("t=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c8", .wrongSignature),
            ("t=1533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3", .wrongSignature),
            ("t=01533204620,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7", .wrongSignature),
            ("t=1533204620,t=1,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7", .unsigned),
            ("t=1533204620,v1=zz20f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7", .unsigned),
            ("t=99999999999999999999,v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7", .unsigned),
            ("v1=2220f87ef101a04665f11cdf770523143f875572008577fa0f20882ddb9cc3c7", .unsigned),
        ] as [(String, WebhookRefusal)]
    )
    func tampered(header: String, refusal: WebhookRefusal) throws {
        #expect(try Self.reading(header, now: 1_533_204_720).refusal == refusal)
    }

    @Test(
        "of events of every shape and age are read as saying nothing of a payment",
        arguments: [
            ("customer_updated", "customer.updated"), ("event_plan", "plan.created"),
            ("event_pre_2017-05-25", "ping"), ("event_unknown_object", "foo.created"),
        ]
    )
    func otherEvents(file: String, type: String) throws {
        let body = try SampleFiles.data("vectors/stripe/\(file).json")
        let listener = try WebhookConformanceTests.listener("stripe", secret: Sample.webhookSecret)
        let event = try #require(listener.webhook(try StripeEventTests.signed(body)).events?.first)
        #expect(event.type == type)
        #expect(event.notices.isEmpty && event.problem == nil)
    }
}
