import AdapterKit
import Domain
import StripeAdapter
import Testing

@Suite("Stripe's requests")
struct StripeRequestTests {
    static let intent = "pi_3WvkAZ1DZP9ka1qZKhx5kwGZ"

    static func request(_ call: Call, after exchanges: [Exchange] = []) throws -> WireRequest {
        let adapter = try StripeAdapter(settings: Sample.settings)
        guard case .send(let request) = adapter.next(for: call, after: exchanges) else {
            Issue.record("nothing is sent")
            throw SettingsError.missingCredential("request")
        }
        return request
    }

    static func form(_ request: WireRequest) throws -> FormTree {
        try #require(FormTree(String(decoding: request.body, as: UTF8.self)))
    }

    static func headers(_ request: WireRequest) -> [String: String] {
        Dictionary(request.headers.map { ($0.name, $0.value) }) { first, second in "\(first), \(second)" }
    }

    @Test("authorize with the key, a pinned version and the operation's idempotency key")
    func authorizeHeaders() throws {
        let request = try Self.request(try Sample.call(.authorize, credential: Sample.credential(.pspToken)))
        #expect(request.method == .post)
        #expect(request.url == "https://psp.example/v1/payment_intents")
        #expect(
            Self.headers(request) == [
                "Authorization": "Bearer sk_test_sampleSecretKey", "Stripe-Version": "2026-05-27.dahlia",
                "Idempotency-Key": "op_01ka524mnpzx45hy43kwjrp1xp.0",
                "Content-Type": "application/x-www-form-urlencoded",
            ]
        )
    }

    @Test("authorize a payment method by confirming an intent for cards only")
    func authorizeForm() throws {
        let form = try Self.form(try Self.request(Sample.call(.authorize, credential: Sample.credential(.pspToken))))
        #expect(
            form
                == FormTree(
                    "amount=10000&currency=usd&confirm=true&capture_method=manual&payment_method_types[0]=card"
                        + "&payment_method=pm_sampleSecretToken&return_url=https%3A%2F%2Fshop.example%2Fback"
                        + "&metadata[order]=ord_01ka5m9s346q3d25vt4f5v37e3"
                        + "&metadata[payment]=pay_01ka5s3e28jt97kb6cq643dzvm"
                        + "&metadata[attempt]=att_01ka5xxqkfbf5kznwj47tan9zt"
                        + "&metadata[operation]=op_01ka524mnpzx45hy43kwjrp1xp&expand[0]=latest_charge"
                )
        )
    }

    @Test("ask for a decline where nobody could come back from a step")
    func withoutReturnURL() throws {
        let call = try Sample.call(.authorize, credential: Sample.credential(.pspToken), returnURL: nil)
        let form = try Self.form(try Self.request(call))
        #expect(form["error_on_requires_action"] == "true")
        #expect(form["return_url"] == nil)
    }

    @Test("capture in the same call if asked to")
    func sale() throws {
        var call = try Sample.call(.authorize)
        call.kind = .authorize(
            Call.Authorization(
                credential: .pspToken(Secret("tok_visa")),
                capture: true,
                description: String(repeating: "é", count: 1200)
            )
        )
        let form = try Self.form(try Self.request(call))
        #expect(form["capture_method"] == "automatic")
        #expect(form["payment_method_data[type]"] == "card")
        #expect(form["payment_method_data[card][token]"] == "tok_visa")
        #expect(form["payment_method"] == nil)
        #expect(form["description"] == String(repeating: "é", count: 1000))
    }

    @Test(
        "give a network token its wallet and a two-digit indicator",
        arguments: [
            (NetworkToken.Source.applePay, "7", "apple_pay", "07"), (.applePay, "05", "apple_pay", "05"),
            (.googlePay, nil, "google_pay_dpan", nil), (.network, "2", nil, "02"),
        ] as [(NetworkToken.Source, String?, String?, String?)]
    )
    func networkToken(source: NetworkToken.Source, eci: String?, method: String?, indicator: String?) throws {
        let credential = Credential.networkToken(Sample.networkToken(eci: eci, source: source))
        let form = try Self.form(try Self.request(Sample.call(.authorize, credential: credential)))
        let card = "payment_method_data[card]"
        let options = "payment_method_options[card][network_token]"
        #expect(form["payment_method_data[type]"] == "card")
        #expect(form["\(card)[exp_month]"] == "12" && form["\(card)[exp_year]"] == "2030")
        #expect(form["\(card)[network_token][number]"] == Sample.number)
        #expect(form["\(card)[network_token][exp_month]"] == "12")
        #expect(form["\(card)[network_token][exp_year]"] == "2030")
        #expect(form["\(card)[network_token][tokenization_method]"] == method)
        #expect(form["\(options)[cryptogram]"] == Sample.cryptogram)
        #expect(form["\(options)[electronic_commerce_indicator]"] == indicator)
    }

    @Test("exchange an encrypted Apple Pay token first, under a key of its own, and then pay with the token")
    func applePay() throws {
        let call = try Sample.call(
            .authorize,
            credential: Sample.credential(.encryptedApplePay),
            merchantAccount: "acct_1sample"
        )
        let first = try Self.request(call)
        #expect(first.url == "https://psp.example/v1/tokens")
        #expect(!first.canMoveMoney)
        #expect(Self.headers(first)["Stripe-Account"] == "acct_1sample")
        #expect(Self.headers(first)["Idempotency-Key"] == "op_01ka524mnpzx45hy43kwjrp1xp.0")
        let form = try Self.form(first)
        #expect(form["pk_token"] == Sample.paymentData)
        #expect(form["pk_token_instrument_name"] == "Visa 4242")
        #expect(form["pk_token_payment_network"] == "Visa")
        #expect(form["pk_token_transaction_id"] == "b0a1c2")

        let token = try Conversation.reply("stripe/authorize/succeeded-apple-pay.1")
        let second = try Self.request(call, after: [Exchange(reply: token)])
        #expect(second.url == "https://psp.example/v1/payment_intents")
        #expect(second.canMoveMoney)
        #expect(Self.headers(second)["Idempotency-Key"] == "op_01ka524mnpzx45hy43kwjrp1xp.1")
        #expect(try Self.form(second)["payment_method_data[card][token]"] == "tok_1E6EWCMDWfzfv0WhNth5vi7Q")
    }

    @Test(
        "charge directly on the merchant's account and take a fee only there",
        arguments: [
            ("acct_1sample", 500, "500"), ("acct_1sample", 0, nil), ("acct_1sample", nil, nil), (nil, 500, nil),
        ] as [(String?, Int64?, String?)]
    )
    func directCharges(account: String?, fee: Int64?, expected: String?) throws {
        let call = try Sample.call(
            .authorize,
            credential: Sample.credential(.pspToken),
            merchantAccount: account,
            applicationFee: fee
        )
        let request = try Self.request(call)
        #expect(Self.headers(request)["Stripe-Account"] == account)
        #expect(try Self.form(request)["application_fee_amount"] == expected)
    }

    @Test(
        "capture the amount and state the fee again",
        arguments: [
            ("acct_1sample", 300, "300"), ("acct_1sample", 0, "0"), ("acct_1sample", nil, nil), (nil, 300, nil),
        ] as [(String?, Int64?, String?)]
    )
    func captures(account: String?, fee: Int64?, expected: String?) throws {
        let call = try Sample.call(
            .capture,
            reference: Self.intent,
            amount: 6000,
            merchantAccount: account,
            applicationFee: fee
        )
        let request = try Self.request(call)
        #expect(request.url == "https://psp.example/v1/payment_intents/\(Self.intent)/capture")
        #expect(Self.headers(request)["Stripe-Account"] == account)
        let form = try Self.form(request)
        #expect(form["amount_to_capture"] == "6000")
        #expect(form["application_fee_amount"] == expected)
        #expect(form["final_capture"] == nil)
    }

    @Test("void by canceling the intent")
    func voids() throws {
        let request = try Self.request(try Sample.call(.void, reference: "pi_3/../x y"))
        #expect(request.url == "https://psp.example/v1/payment_intents/pi_3%2F..%2Fx%20y/cancel")
        #expect(request.body.isEmpty)
    }

    @Test("void whatever the amount, which is not sent")
    func voidsAnyAmount() throws {
        let request = try Self.request(try Sample.call(.void, reference: Self.intent, amount: 5124, currency: "KWD"))
        #expect(request.url == "https://psp.example/v1/payment_intents/\(Self.intent)/cancel")
    }

    @Test("void an intent that is known by its attempt only after a search")
    func voidsBySearch() throws {
        let call = try Sample.call(.void)
        let first = try Self.request(call)
        #expect(first.method == .get)
        #expect(
            first.url == "https://psp.example/v1/payment_intents/search"
                + "?query=metadata%5B%27attempt%27%5D%3A%27att_01ka5xxqkfbf5kznwj47tan9zt%27&limit=10"
        )
        #expect(Self.headers(first)["Idempotency-Key"] == nil)
        let found = try Conversation.reply("stripe/void/succeeded-by-search.1")
        let second = try Self.request(call, after: [Exchange(reply: found)])
        #expect(second == (try Self.request(try Sample.call(.void, reference: Self.intent))))
    }

    @Test(
        "refund, and give the fee back only if some of it is to be given back",
        arguments: [
            ("acct_1sample", 300, "true"), ("acct_1sample", 0, nil), ("acct_1sample", nil, nil), (nil, 300, nil),
        ] as [(String?, Int64?, String?)]
    )
    func refunds(account: String?, fee: Int64?, expected: String?) throws {
        let call = try Sample.call(
            .refund,
            reference: Self.intent,
            amount: 2500,
            merchantAccount: account,
            applicationFee: fee
        )
        let request = try Self.request(call)
        #expect(request.url == "https://psp.example/v1/refunds")
        let form = try Self.form(request)
        #expect(form["payment_intent"] == Self.intent)
        #expect(form["amount"] == "2500")
        #expect(form["refund_application_fee"] == expected)
        #expect(form["metadata[operation]"] == "op_01ka524mnpzx45hy43kwjrp1xp")
    }

    @Test("inquire on the merchant's account without a key")
    func inquires() throws {
        let call = try Sample.call(.inquireCapture, reference: Self.intent, merchantAccount: "acct_1sample")
        let request = try Self.request(call)
        #expect(request.method == .get)
        #expect(request.url == "https://psp.example/v1/payment_intents/\(Self.intent)?expand%5B0%5D=latest_charge")
        #expect(
            Self.headers(request) == [
                "Authorization": "Bearer sk_test_sampleSecretKey", "Stripe-Version": "2026-05-27.dahlia",
                "Stripe-Account": "acct_1sample",
            ]
        )
        #expect(request.body.isEmpty)
    }
}
