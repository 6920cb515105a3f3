import AdapterKit
import CheckoutAdapter
import Domain
import StrictJSON
import Testing

@Suite("Checkout.com's requests, held against its documents,")
struct CheckoutSchemaTests {
    @Test("break nothing")
    func breakNothing() throws {
        let schema = try CheckoutSchema()
        let subject = try AdapterUnderTest.checkout
        let requests = try RequestTests.requests(of: subject).map(\.request)
        #expect(Set(requests.map { "\($0.method.rawValue) \($0.url.split(separator: "/").count)" }).count >= 4)
        for request in requests {
            #expect(try schema.violations(request, baseURL: "https://psp.example") == [], "\(request)")
        }
    }

    @Test("break nothing with a sub-entity, a commission and a channel", arguments: [true, false])
    func splits(isFinal: Bool) throws {
        let schema = try CheckoutSchema()
        let settings = CheckoutSample.settings(["processing_channel_id": "pc_q4dbxom5jbgudnjzjpz7j2z6uq"])
        for operation in [SampleOperation.authorize, .capture, .void, .refund] {
            for credential in [CredentialKind.pspToken, .networkToken] {
                var call = try Sample.call(
                    operation,
                    credential: Sample.credential(credential),
                    reference: operation == .authorize ? nil : CheckoutSample.payment,
                    merchantAccount: CheckoutSplitTests.entity,
                    applicationFee: 500
                )
                if operation == .capture { call.kind = .capture(applicationFee: 0, isFinal: isFinal) }
                let request = try CheckoutSample.request(call, settings: settings)
                #expect(try schema.violations(request, baseURL: "https://psp.example") == [], "\(request)")
            }
        }
    }

    @Test(
        "would be found out",
        arguments: [
            (#"{"source":{"type":"id","id":"src_1"},"amount":1,"currency":"USD"}"#, []),
            (
                #"{"source":{"type":"id","id":"tok_1"},"amount":1,"currency":"USD"}"#,
                [".source.id does not begin with src_"]
            ),
            (#"{"source":{"type":"purse"},"amount":1,"currency":"USD"}"#, [".source.type is none of its words"]),
            (#"{"source":{"type":"token"},"amount":1,"currency":"USD"}"#, [".source.token is missing"]),
            (
                #"{"source":{"type":"token","token":"t"},"amount":"1","currency":"USDX","tip":1}"#,
                [".amount has the wrong type", ".currency is longer than 3", ".tip is unknown"]
            ),
            (#"{"source":{"type":"token","token":"t"},"currency":"USD"}"#, [".amount is missing"]),
            (
                #"{"source":{"type":"token","token":"t"},"amount":0,"currency":"USD","capture":"no"}"#,
                [".amount is out of range", ".capture has the wrong type"]
            ),
            (
                """
                {"source":{"type":"token","token":"t"},"amount":1,"currency":"USD","metadata":{"a":{}},\
                "amount_allocations":[{"id":"ent_1","amount":1,"fee":2}]}
                """,
                [".metadata.a has the wrong type", ".amount_allocations[0].fee is unknown"]
            ),
        ]
    )
    func validatorFinds(body: String, expected: [String]) throws {
        let request = WireRequest(
            .post,
            "https://psp.example/payments",
            body: Array(body.utf8),
            canMoveMoney: true
        )
        #expect(try CheckoutSchema().violations(request, baseURL: "https://psp.example") == expected)
    }
}
