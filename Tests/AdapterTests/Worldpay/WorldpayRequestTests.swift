import AdapterKit
import Domain
import StrictJSON
import Testing
import WorldpayAdapter

@Suite("Worldpay's requests")
struct WorldpayRequestTests {
    static func body(_ request: WireRequest) throws -> JSON { try JSON.parse(request.body) }

    static func instrument(_ credential: Credential) throws -> JSON {
        let call = try Sample.call(.authorize, credential: credential)
        return try #require(try body(try WorldpaySample.request(call))["instruction"])
    }

    @Test("make a payment with all that Worldpay wants, and the settlement spelt out")
    func authorize() throws {
        var call = try Sample.call(.authorize, credential: .networkToken(Sample.networkToken()))
        call.kind = .authorize(
            Call.Authorization(credential: .networkToken(Sample.networkToken()), description: "Order #12, café")
        )
        let request = try WorldpaySample.request(call)
        #expect(request.method == .post)
        #expect(request.url == "https://psp.example/api/payments")
        #expect(
            request.headers == [
                Header("Authorization", "Basic c2FtcGxlOnNrX3Rlc3Rfc2FtcGxlU2VjcmV0S2V5"),
                Header("Content-Type", "application/json"), Header("Accept", "application/json"),
                Header("WP-Api-Version", "2024-06-01"),
            ]
        )
        let expected: JSON = [
            "transactionReference": "att_01ka5xxqkfbf5kznwj47tan9zt",
            "orderReference": "ord_01ka5m9s346q3d25vt4f5v37e3",
            "merchant": ["entity": "default"],
            "channel": "ecom",
            "instruction": [
                "method": "applepay",
                "paymentInstrument": [
                    "type": "decrypted", "number": "4242424242424242",
                    "expiryDate": ["month": 12, "year": 2030], "cryptogram": "AmDBuUq6QdUEY2FtcGxlAAA=", "eci": "07",
                ],
                "narrative": ["line1": "Sample Shop", "line2": "Order 12, caf"],
                "value": ["currency": "USD", "amount": 10_000],
                "settlement": ["auto": false],
            ],
        ]
        #expect(try Self.body(request) == expected)
    }

    @Test("take the amount in the same call if asked, whatever address or security code say")
    func sale() throws {
        var call = try Sample.call(.authorize)
        call.kind = .authorize(Call.Authorization(credential: .networkToken(Sample.networkToken()), capture: true))
        let expected: JSON = [
            "auto": true, "cancelOn": ["cvcNotMatched": "disabled", "avsNotMatched": "disabled"],
        ]
        #expect(try Self.body(try WorldpaySample.request(call))["instruction"]?["settlement"] == expected)
    }

    @Test(
        "name the wallet of an opened token, and a network's own token apart",
        arguments: [
            (.applePay, "applepay", "decrypted", "number"), (.googlePay, "googlepay", "decrypted", "number"),
            (.network, "card", "networkToken", "tokenNumber"),
        ] as [(NetworkToken.Source, String, String, String)]
    )
    func tokens(source: NetworkToken.Source, method: String, type: String, field: String) throws {
        let instruction = try Self.instrument(.networkToken(Sample.networkToken(eci: nil, source: source)))
        #expect(instruction["method"]?.stringValue == method)
        let expected: JSON = .object([
            JSON.Member("type", .string(type)), JSON.Member(field, .string(Sample.number)),
            JSON.Member("expiryDate", ["month": 12, "year": 2030]),
            JSON.Member("cryptogram", .string(Sample.cryptogram)),
        ])
        #expect(instruction["paymentInstrument"] == expected)
        #expect(instruction["customerAgreement"] == nil)
    }

    @Test("pass an encrypted token on as the text it is")
    func encrypted() throws {
        let instruction = try Self.instrument(try #require(Sample.credential(.encryptedApplePay)))
        #expect(instruction["method"] == "applepay")
        #expect(
            instruction["paymentInstrument"] == ["type": "encrypted", "walletToken": .string(Sample.paymentData)]
        )
    }

    @Test(
        "write Worldpay's own tokens by what they are",
        arguments: [
            ("https://try.access.worldpay.com/tokens/eyJrIjoxfQ", "token", "href", true),
            ("https://try.access.worldpay.com/sessions/eyJrIjoxfQ", "checkout", "sessionHref", false),
            ("9902480679618049603", "token", "tokenId", true), ("ABCDEFGHJKLMNPQ", "token", "tokenId", true),
        ]
    )
    func ownTokens(token: String, type: String, field: String, isStored: Bool) throws {
        let instruction = try Self.instrument(.pspToken(Secret(token)))
        #expect(instruction["method"] == "card")
        let expected: JSON = .object([JSON.Member("type", .string(type)), JSON.Member(field, .string(token))])
        #expect(instruction["paymentInstrument"] == expected)
        let agreement: JSON = ["type": "cardOnFile", "storedCardUsage": "subsequent"]
        let expectedAgreement: JSON? = isStored ? agreement : .none
        #expect(instruction["customerAgreement"] == expectedAgreement)
    }

    @Test(
        "are not written for what is no token of Worldpay's",
        arguments: [
            "pm_1sample", "", "99024806796180", "9902480679618049603123", "99024806796180I", "https://psp.example/x",
        ]
    )
    func foreignTokens(token: String) throws {
        let call = try Sample.call(.authorize, credential: .pspToken(Secret(token)))
        let message = "The token is none of Worldpay's."
        let expected = Rejection(.unsupported, code: "paymentInstrumentIsNotSupported", message: message)
        #expect(try WorldpaySample.outcome(call) == .rejected(expected))
    }

    @Test("are not written again once the credential is erased")
    func erased() throws {
        let reason = "The credential has been erased; only an inquiry can tell."
        #expect(try WorldpaySample.outcome(try Sample.call(.authorize)) == .unknown(reason: reason))
    }

    @Test(
        "make a payment under the route's entity, for the merchant to be paid or for the marketplace",
        arguments: [true, false]
    )
    func entities(settlesToMerchant: Bool) throws {
        var call = try Sample.call(
            .authorize,
            credential: .networkToken(Sample.networkToken()),
            merchantAccount: "Bakery 12",
            applicationFee: 0
        )
        call.settlesToMerchant = settlesToMerchant
        #expect(try Self.body(try WorldpaySample.request(call))["merchant"] == ["entity": "Bakery 12"])
    }

    @Test(
        "refuse an entity that cannot be one",
        arguments: ["", " a", "a_b", "acct:1", String(repeating: "a", count: 33)]
    )
    func foreignEntities(account: String) throws {
        let call = try Sample.call(
            .authorize,
            credential: .networkToken(Sample.networkToken()),
            merchantAccount: account
        )
        let message = "The merchant account is no entity of Worldpay's."
        #expect(
            try WorldpaySample.outcome(call) == .rejected(Rejection(.configuration, code: "entity", message: message))
        )
    }

    @Test("refuse a commission that Worldpay would have to keep", arguments: [SampleOperation.authorize, .capture])
    func fees(operation: SampleOperation) throws {
        var call = try Sample.call(
            operation,
            credential: .networkToken(Sample.networkToken()),
            reference: operation == .capture ? WorldpaySample.payment : nil,
            merchantAccount: "Bakery",
            applicationFee: 1
        )
        call.pspState = operation == .capture ? WorldpaySample.state : nil
        let message = "Worldpay keeps no commission for the marketplace."
        let expected = Rejection(.unsupported, code: "applicationFee", message: message)
        #expect(try WorldpaySample.outcome(call) == .rejected(expected))
        #expect(!WorldpayAdapter.capabilities.applicationFee)
    }

    @Test(
        "capture under our reference, and say which of how many only the last time",
        arguments: [(true, 0, 1), (true, 2, 3), (false, 0, nil), (false, 2, nil)] as [(Bool, Int, Int64?)]
    )
    func captures(isFinal: Bool, captures: Int, number: Int64?) throws {
        var call = try WorldpaySample.later(.capture, amount: 6000)
        call.kind = .capture(applicationFee: nil, isFinal: isFinal)
        call.pspState = WorldpaySample.state(
            capture: "/api/payments/x/c",
            refund: "/api/payments/x/r",
            captures: captures
        )
        let request = try WorldpaySample.request(call)
        #expect(request.url == "https://psp.example/api/payments/x/c")
        let expected = JSON.object(omittingAbsent: [
            "reference": "op-01ka524mnpzx45hy43kwjrp1xp",
            "value": ["currency": "USD", "amount": 6000],
            "sequence": number.map { ["number": .integer($0), "total": .integer($0)] } ?? .none,
        ])
        #expect(try Self.body(request) == expected)
    }

    @Test("refund a part under our reference")
    func refunds() throws {
        let request = try WorldpaySample.request(try WorldpaySample.later(.refund, amount: 2500))
        #expect(request.url.hasSuffix("/partialRefunds"))
        #expect(request.canMoveMoney)
        let expected: JSON = [
            "reference": "op-01ka524mnpzx45hy43kwjrp1xp", "value": ["currency": "USD", "amount": 2500],
        ]
        #expect(try Self.body(request) == expected)
    }

    @Test("cancel without a body, whatever the amount")
    func voids() throws {
        let request = try WorldpaySample.request(try WorldpaySample.later(.void, amount: Int64(Int32.max) + 1))
        #expect(request.url.hasSuffix("/cancellations"))
        #expect(request.body.isEmpty)
        #expect(request.headers.contains(Header("WP-Api-Version", "2024-06-01")))
    }

    @Test("look for a payment whose links are not known, and follow those of the Card Payments API")
    func looks() throws {
        let call = try Sample.call(.capture)
        let search = try WorldpaySample.request(call)
        #expect(search.method == .get && !search.canMoveMoney)
        let queries = "https://psp.example/paymentQueries/payments"
        #expect(search.url == "\(queries)?transactionReference=att_01ka5xxqkfbf5kznwj47tan9zt")
        let accept = "application/vnd.worldpay.payment-queries-v1.hal+json"
        #expect(search.headers.last == Header("Accept", accept))
        let found = try WorldpaySample.reply("capture/pending-by-search.1")
        let retrieve = try WorldpaySample.request(call, after: [found])
        #expect(retrieve.url == "\(queries)/\(WorldpaySample.payment)")
        let record = try WorldpaySample.reply("capture/pending-by-search.2")
        let capture = try WorldpaySample.request(call, after: [found, record])
        #expect(capture.url == "https://psp.example/payments/settlements/partials/eyJrIjoic2FtcGxlIn0")
        let media = "application/vnd.worldpay.payments-v7+json"
        #expect(capture.headers.dropFirst() == [Header("Content-Type", media), Header("Accept", media)])
        #expect(try Self.body(capture)["reference"] == "op-01ka524mnpzx45hy43kwjrp1xp")
    }

    @Test("retrieve a payment that is known by name but has no links, without a search")
    func retrieves() throws {
        for state in [nil, "", "{}", "[]", #"{"captures":-1}"#, #"{"captures":0,"refund":"/x"}"#] {
            var call = try Sample.call(.capture, reference: "pay/../x y")
            call.pspState = state
            let request = try WorldpaySample.request(call)
            #expect(request.url == "https://psp.example/paymentQueries/payments/pay%2F..%2Fx%20y")
        }
    }
}
