import AdapterKit
import BraintreeAdapter
import Domain
import StrictJSON
import Testing

@Suite("Braintree's requests")
struct BraintreeRequestTests {
    static let transaction = "dHJhbnNhY3Rpb25fcDRtcTdrenI"
    static let attempt = "att_01ka5xxqkfbf5kznwj47tan9zt"
    static let operation = "op_01ka524mnpzx45hy43kwjrp1xp"

    static func step(_ call: Call, after replies: [WireReply] = []) throws -> Step {
        try AdapterUnderTest.braintree.adapter.next(for: call, after: replies.map { Exchange(reply: $0) })
    }

    static func request(_ call: Call, after replies: [WireReply] = []) throws -> WireRequest {
        guard case .send(let request) = try step(call, after: replies) else {
            Issue.record("nothing is sent")
            throw SettingsError.missingCredential("request")
        }
        return request
    }

    static func variables(_ request: WireRequest) throws -> JSON {
        try #require(try JSON.parse(request.body)["variables"])
    }

    /// The root field of the document.
    static func field(_ request: WireRequest) throws -> String {
        let query = try #require(try JSON.parse(request.body)["query"]?.stringValue)
        return try #require(try GraphQLDocument(query).selections.first).name
    }

    @Test("ask for the answer under the operation's name, which tells that it is theirs")
    func answeredByName() throws {
        for (call, _, request) in try RequestTests.requests(of: AdapterUnderTest.braintree) {
            let query = try #require(try JSON.parse(request.body)["query"]?.stringValue)
            #expect(try GraphQLDocument(query).selections.map(\.alias) == [call.operation.text])
        }
    }

    /// The call for a transaction that is known.
    static func known(_ operation: SampleOperation, amount: Int64 = 10_000) throws -> Call {
        var call = try Sample.call(operation, reference: "p4mq7kzr", amount: amount)
        call.pspState = transaction
        return call
    }

    static func authorize(
        _ credential: Credential? = Sample.credential(.pspToken),
        capture: Bool = false,
        currency: String = "USD",
        amount: Int64 = 10_000,
        merchantAccount: String? = nil,
        fee: Int64? = nil
    ) throws -> Call {
        var call = try Sample.call(
            .authorize,
            amount: amount,
            currency: currency,
            merchantAccount: merchantAccount
        )
        call.kind = .authorize(Call.Authorization(credential: credential, capture: capture, applicationFee: fee))
        return call
    }

    @Test("carry both keys, a pinned version and JSON")
    func headers() throws {
        let request = try Self.request(try Self.authorize())
        #expect(request.method == .post)
        #expect(request.url == "https://psp.example/graphql")
        #expect(
            request.headers == [
                Header(
                    "Authorization",
                    "Basic aW50ZWdyYXRpb25fcHVibGljX2tleTpza190ZXN0X3NhbXBsZVNlY3JldEtleQ=="
                ),
                Header("Braintree-Version", "2019-01-01"), Header("Content-Type", "application/json"),
            ]
        )
    }

    @Test("authorize or charge a payment method for the attempt", arguments: [false, true])
    func authorizes(capture: Bool) throws {
        let request = try Self.request(try Self.authorize(capture: capture))
        #expect(try Self.field(request) == (capture ? "chargePaymentMethod" : "authorizePaymentMethod"))
        #expect(request.canMoveMoney)
        #expect(
            try Self.variables(request) == [
                "input": [
                    "clientMutationId": .string(Self.operation), "paymentMethodId": .string(Sample.pspToken),
                    "transaction": [
                        "amount": "100.00", "merchantAccountId": "shop_usd", "orderId": .string(Self.attempt),
                    ],
                ]
            ]
        )
    }

    @Test(
        "tokenize a network token first, which moves no money",
        arguments: [
            (.applePay, "7", "APPLE_PAY", "07"), (.googlePay, "05", "GOOGLE_PAY", "05"),
            (.network, nil, "NETWORK_TOKEN", nil),
        ] as [(NetworkToken.Source, String?, String, String?)]
    )
    func networkToken(source: NetworkToken.Source, eci: String?, origin: String, indicator: String?) throws {
        var token = Sample.networkToken(eci: eci, source: source)
        token.expiryMonth = 3
        let call = try Self.authorize(.networkToken(token))
        let first = try Self.request(call)
        #expect(try Self.field(first) == "tokenizeNetworkToken")
        #expect(!first.canMoveMoney)
        let expected = JSON.object(omittingAbsent: [
            "number": .string(Sample.number), "expirationMonth": "03", "expirationYear": "2030",
            "cryptogram": .string(Sample.cryptogram), "eCommerceIndicator": indicator.map(JSON.string),
            "originDetails": ["origin": .string(origin)],
        ])
        let input = try #require(try Self.variables(first)["input"])
        #expect(input == ["clientMutationId": .string(Self.operation), "networkToken": expected])

        let reply = try Conversation.reply("braintree/authorize/succeeded-network-token.1")
        let second = try Self.request(call, after: [reply])
        #expect(try Self.field(second) == "authorizePaymentMethod")
        #expect(second.canMoveMoney)
        let method = try Self.variables(second)["input"]?["paymentMethodId"]
        #expect(method == "tokencc_bf_sample_single_use")
    }

    @Test(
        "name the merchant account of the route, else the marketplace's own of the currency",
        arguments: [
            ("USD", nil, "shop_usd"), ("EUR", nil, "shop_eur"), ("USD", "sub_7", "sub_7"), ("GBP", "sub_8", "sub_8"),
        ] as [(String, String?, String)]
    )
    func merchantAccounts(currency: String, account: String?, expected: String) throws {
        let call = try Self.authorize(currency: currency, merchantAccount: account)
        let transaction = try Self.variables(try Self.request(call))["input"]?["transaction"]
        #expect(transaction?["merchantAccountId"]?.stringValue == expected)
    }

    @Test(
        "write amounts as the currency has them at Braintree",
        arguments: [("USD", 5, "0.05"), ("JPY", 500, "500"), ("LAK", 12_300, "123"), ("HUF", 1045, "10.45")]
            as [(String, Int64, String)]
    )
    func amounts(currency: String, amount: Int64, text: String) throws {
        let call = try Self.authorize(currency: currency, amount: amount, merchantAccount: "sub_7")
        let transaction = try Self.variables(try Self.request(call))["input"]?["transaction"]
        #expect(transaction?["amount"]?.stringValue == text)
    }

    @Test("are not written for what Braintree cannot do")
    func unsupported() throws {
        var parts = try Self.known(.capture)
        parts.kind = .capture(applicationFee: nil, isFinal: false)
        var capture = try Self.known(.capture)
        capture.kind = .capture(applicationFee: 1)
        var refund = try Self.known(.refund)
        refund.kind = .refund(applicationFee: 1)
        let calls = [
            try Self.authorize(Sample.credential(.encryptedApplePay)), try Self.authorize(currency: "GBP"),
            try Self.authorize(currency: "KWD", merchantAccount: "sub_7"),
            try Self.authorize(currency: "LAK", amount: 12_345, merchantAccount: "sub_7"),
            try Self.authorize(merchantAccount: "sub_7", fee: 1), parts, capture, refund,
        ]
        for call in calls {
            guard case .outcome(.rejected(let rejection)) = try Self.step(call) else {
                Issue.record("something is sent")
                continue
            }
            #expect(rejection.reason == .unsupported)
        }
    }

    @Test("take no commission of nothing for one")
    func noFee() throws {
        #expect(try Self.request(try Self.authorize(fee: 0)) == (try Self.request(try Self.authorize())))
        var call = try Self.known(.capture)
        call.kind = .capture(applicationFee: 0)
        #expect(try Self.request(call) == (try Self.request(try Self.known(.capture))))
    }

    @Test("are not written again once the credential is erased")
    func erased() throws {
        guard case .outcome(.unknown) = try Self.step(try Self.authorize(nil)) else {
            Issue.record("something is said of it")
            return
        }
    }

    @Test(
        "capture, void and refund the transaction",
        arguments: [
            (
                .capture, "captureTransaction",
                ["transactionId": .string(transaction), "transaction": ["amount": "60.00"]]
            ),
            (.void, "reverseTransaction", ["transactionId": .string(transaction)]),
            (
                .refund, "refundTransaction",
                [
                    "transactionId": .string(transaction),
                    "refund": ["amount": "60.00", "orderId": .string(operation)],
                ]
            ),
        ] as [(SampleOperation, String, JSON)]
    )
    func acts(operation: SampleOperation, field: String, input: JSON) throws {
        let request = try Self.request(try Self.known(operation, amount: 6000))
        #expect(try Self.field(request) == field)
        #expect(request.canMoveMoney)
        let members = try #require(input.objectValue)
        let named = [JSON.Member("clientMutationId", .string(Self.operation))] + members
        #expect(try Self.variables(request) == ["input": .object(named)])
    }

    @Test("read the transaction that is known, and look for the attempt's where it is not")
    func inquires() throws {
        for operation in [SampleOperation.inquireAuthorize, .inquireCapture, .inquireVoid, .inquireRefund] {
            let read = try Self.request(try Self.known(operation))
            #expect(try Self.field(read) == "node")
            #expect(try Self.variables(read) == ["id": .string(Self.transaction)])
            // The gateway's identifier alone is none that GraphQL takes.
            let search = try Self.request(try Sample.call(operation, reference: "p4mq7kzr"))
            #expect(try Self.field(search) == "search")
            #expect(
                try Self.variables(search) == ["input": ["orderId": ["is": .string(Self.attempt)]], "first": 10]
            )
        }
    }
}
