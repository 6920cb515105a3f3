import AdapterKit
import CheckoutAdapter
import Domain
import StrictJSON
import Testing

@Suite("Checkout.com's requests")
struct CheckoutRequestTests {
    static let metadata = """
        {"order":"ord_01ka5m9s346q3d25vt4f5v37e3","payment":"pay_01ka5s3e28jt97kb6cq643dzvm",\
        "attempt":"att_01ka5xxqkfbf5kznwj47tan9zt","operation":"op_01ka524mnpzx45hy43kwjrp1xp"}
        """

    static func text(_ request: WireRequest) -> String { String(decoding: request.body, as: UTF8.self) }

    @Test("authorize with the secret key and the operation's idempotency key")
    func authorizeHeaders() throws {
        let call = try Sample.call(.authorize, credential: Sample.credential(.pspToken))
        let request = try CheckoutSample.request(call)
        #expect(request.method == .post && request.canMoveMoney)
        #expect(request.url == "https://psp.example/payments")
        #expect(
            CheckoutSample.headers(request) == [
                "Authorization": "Bearer sk_test_sampleSecretKey",
                "Cko-Idempotency-Key": "op_01ka524mnpzx45hy43kwjrp1xp.0", "Content-Type": "application/json",
            ]
        )
    }

    @Test("authorize a token of Checkout.com's own, and ask the buyer to authenticate")
    func token() throws {
        let call = try Sample.call(.authorize, credential: .pspToken(Secret("tok_ubfj2q76miwundwlk72vxt2i7q")))
        #expect(
            Self.text(try CheckoutSample.request(call)) == """
                {"source":{"type":"token","token":"tok_ubfj2q76miwundwlk72vxt2i7q"},"amount":10000,"currency":"USD",\
                "reference":"att_01ka5xxqkfbf5kznwj47tan9zt","capture":false,\
                "3ds":{"enabled":true,"attempt_n3d":true},"success_url":"https://shop.example/back",\
                "failure_url":"https://shop.example/back","metadata":\(Self.metadata)}
                """
        )
    }

    @Test("ask nobody to authenticate who could not come back")
    func withoutReturnURL() throws {
        let call = try Sample.call(.authorize, credential: .pspToken(Secret("src_wmlfc3z")), returnURL: nil)
        #expect(
            Self.text(try CheckoutSample.request(call)) == """
                {"source":{"type":"id","id":"src_wmlfc3z"},"amount":10000,"currency":"USD",\
                "reference":"att_01ka5xxqkfbf5kznwj47tan9zt","capture":false,"metadata":\(Self.metadata)}
                """
        )
    }

    @Test(
        "name the token service of a network token and give a two-digit indicator",
        arguments: [
            (NetworkToken.Source.applePay, "4242424242424242", "7", "applepay", #""07""#),
            (.applePay, "4242424242424242", "05", "applepay", #""05""#),
            (.googlePay, "5555555555554444", "2", "googlepay", #""02""#),
            (.network, "4242424242424242", "5", "vts", #""05""#), (.network, "5555555555554444", "2", "mdes", #""02""#),
            (.network, "2223000048400011", "02", "mdes", #""02""#),
        ] as [(NetworkToken.Source, String, String, String, String)]
    )
    func networkToken(source: NetworkToken.Source, number: String, eci: String, type: String, sent: String) throws {
        var token = Sample.networkToken(eci: eci, source: source)
        token.number = Secret(number)
        let call = try Sample.call(.authorize, credential: .networkToken(token))
        #expect(
            Self.text(try CheckoutSample.request(call)) == """
                {"source":{"type":"network_token","token":"\(number)","token_type":"\(type)","expiry_month":12,\
                "expiry_year":2030,"cryptogram":"\(Sample.cryptogram)","eci":\(sent)},"amount":10000,\
                "currency":"USD","reference":"att_01ka5xxqkfbf5kznwj47tan9zt","capture":false,\
                "success_url":"https://shop.example/back","failure_url":"https://shop.example/back",\
                "metadata":\(Self.metadata)}
                """
        )
    }

    @Test("invent no indicator")
    func withoutIndicator() throws {
        let call = try Sample.call(.authorize, credential: .networkToken(Sample.networkToken(eci: nil)))
        #expect(try CheckoutSample.body(CheckoutSample.request(call))["source"]?["eci"] == nil)
    }

    @Test("are not written for a network token of another network")
    func otherNetwork() throws {
        var token = Sample.networkToken(source: .network)
        token.number = Secret("371449635398431")
        let outcome = try CheckoutSample.outcome(of: Sample.call(.authorize, credential: .networkToken(token)))
        #expect(Expectation(outcome) == .rejected(.unsupported))
    }

    @Test("exchange an encrypted Apple Pay token first, with the public key, and then pay with the token")
    func applePay() throws {
        let call = try Sample.call(.authorize, credential: Sample.credential(.encryptedApplePay))
        let first = try CheckoutSample.request(call)
        #expect(first.method == .post && !first.canMoveMoney)
        #expect(first.url == "https://psp.example/tokens")
        #expect(
            CheckoutSample.headers(first) == [
                "Authorization": "Bearer \(CheckoutSample.publicKey)", "Content-Type": "application/json",
            ]
        )
        #expect(Self.text(first) == #"{"type":"applepay","token_data":\#(Sample.paymentData)}"#)

        let made = try Conversation.reply("checkout/authorize/succeeded-apple-pay.1")
        let second = try CheckoutSample.request(call, after: [Exchange(reply: made)])
        #expect(second.url == "https://psp.example/payments" && second.canMoveMoney)
        #expect(CheckoutSample.headers(second)["Cko-Idempotency-Key"] == "op_01ka524mnpzx45hy43kwjrp1xp.1")
        let body = try CheckoutSample.body(second)
        #expect(body["source"] == ["type": "token", "token": "tok_4gzeau5o2uqubbk6fufs3m7p54"])
        #expect(body["3ds"] == nil)
    }

    @Test("are not written for an encrypted token that is no JSON, or without a public key")
    func unreadableApplePay() throws {
        let garbled = EncryptedApplePay(
            paymentData: Secret("EC_v1"),
            displayName: nil,
            network: nil,
            transactionIdentifier: nil
        )
        let call = try Sample.call(.authorize, credential: .encryptedApplePay(garbled))
        #expect(Expectation(try CheckoutSample.outcome(of: call)) == .notSent)
        let whole = try Sample.call(.authorize, credential: Sample.credential(.encryptedApplePay))
        let outcome = try CheckoutSample.outcome(of: whole, settings: CheckoutSample.settings(["public_key": nil]))
        #expect(Expectation(outcome) == .rejected(.configuration))
    }

    @Test("carry the processing channel, the description cut, and the capture of a sale")
    func sale() throws {
        var call = try Sample.call(.authorize)
        call.kind = .authorize(
            Call.Authorization(
                credential: .pspToken(Secret("src_wmlfc3z")),
                capture: true,
                description: String(repeating: "é", count: 120)
            )
        )
        let settings = CheckoutSample.settings(["processing_channel_id": "pc_q4dbxom5jbgudnjzjpz7j2z6uq"])
        let body = try CheckoutSample.body(CheckoutSample.request(call, settings: settings))
        #expect(body["capture"] == true)
        #expect(body["description"] == .string(String(repeating: "é", count: 100)))
        #expect(body["processing_channel_id"] == "pc_q4dbxom5jbgudnjzjpz7j2z6uq")
    }

    @Test("capture a part and release the rest, or keep it held", arguments: [(true, "Final"), (false, "NonFinal")])
    func captures(isFinal: Bool, type: String) throws {
        var call = try Sample.call(.capture, reference: CheckoutSample.payment, amount: 6000)
        call.kind = .capture(applicationFee: nil, isFinal: isFinal)
        let request = try CheckoutSample.request(call)
        #expect(request.url == "https://psp.example/payments/\(CheckoutSample.payment)/captures")
        #expect(
            Self.text(request) == """
                {"amount":6000,"capture_type":"\(type)","reference":"op_01ka524mnpzx45hy43kwjrp1xp",\
                "metadata":\(Self.metadata)}
                """
        )
    }

    @Test("void whatever the amount, which is not sent", arguments: [("USD", 10_000), ("KWD", 5124)])
    func voids(currency: String, amount: Int64) throws {
        let call = try Sample.call(.void, reference: "pay_3/../x y", amount: amount, currency: currency)
        let request = try CheckoutSample.request(call)
        #expect(request.url == "https://psp.example/payments/pay_3%2F..%2Fx%20y/voids")
        #expect(
            Self.text(request)
                == #"{"reference":"op_01ka524mnpzx45hy43kwjrp1xp","metadata":\#(Self.metadata)}"#
        )
    }

    @Test("refund a part")
    func refunds() throws {
        let request = try CheckoutSample.request(
            Sample.call(.refund, reference: CheckoutSample.payment, amount: 2500)
        )
        #expect(request.url == "https://psp.example/payments/\(CheckoutSample.payment)/refunds")
        #expect(
            Self.text(request) == """
                {"amount":2500,"reference":"op_01ka524mnpzx45hy43kwjrp1xp","metadata":\(Self.metadata)}
                """
        )
    }

    @Test("look for a payment that is known by its attempt only, and then do as if it were known")
    func voidsBySearch() throws {
        let call = try Sample.call(.void)
        let first = try CheckoutSample.request(call)
        #expect(first.method == .get && !first.canMoveMoney && first.body.isEmpty)
        #expect(
            first.url == "https://psp.example/payments?reference=att_01ka5xxqkfbf5kznwj47tan9zt&limit=100&skip=0"
        )
        #expect(CheckoutSample.headers(first) == ["Authorization": "Bearer sk_test_sampleSecretKey"])
        let found = try Conversation.reply("checkout/void/pending-by-search.1")
        let second = try CheckoutSample.request(call, after: [Exchange(reply: found)])
        #expect(second == (try CheckoutSample.request(Sample.call(.void, reference: CheckoutSample.payment))))
    }

    @Test(
        "inquire of the payment or of its actions, without a key",
        arguments: [
            (.inquireAuthorize, ""), (.inquireCapture, "/actions"), (.inquireVoid, "/actions"),
            (.inquireRefund, "/actions"),
        ] as [(SampleOperation, String)]
    )
    func inquires(operation: SampleOperation, path: String) throws {
        let request = try CheckoutSample.request(Sample.call(operation, reference: CheckoutSample.payment))
        #expect(request.method == .get && !request.canMoveMoney && request.body.isEmpty)
        #expect(request.url == "https://psp.example/payments/\(CheckoutSample.payment)\(path)")
        #expect(CheckoutSample.headers(request) == ["Authorization": "Bearer sk_test_sampleSecretKey"])
    }

    @Test(
        "are not written for what Checkout.com cannot count",
        arguments: [("XCG", 100), ("KWD", 1), ("USD", 1 << 40)]
    )
    func uncountable(currency: String, amount: Int64) throws {
        for operation in [SampleOperation.authorize, .capture, .refund] {
            let call = try Sample.call(
                operation,
                credential: Sample.credential(.pspToken),
                reference: operation == .authorize ? nil : CheckoutSample.payment,
                amount: amount,
                currency: currency
            )
            #expect(Expectation(try CheckoutSample.outcome(of: call)) == .rejected(.unsupported))
        }
    }

    @Test("are not written again for an authorization whose credential is gone")
    func erasedCredential() throws {
        #expect(Expectation(try CheckoutSample.outcome(of: Sample.call(.authorize))) == .unknown)
    }

    @Test("of an account are refused with an account type that is none")
    func accountType() {
        #expect(throws: SettingsError.missingCredential("account_type")) {
            try CheckoutAdapter(settings: CheckoutSample.settings(["account_type": "medium"]))
        }
    }
}
