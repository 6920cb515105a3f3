import AdapterKit
import AdyenAdapter
import Domain
import StrictJSON
import Testing

@Suite("Adyen's requests")
struct AdyenRequestTests {
    static func request(_ call: Call) throws -> WireRequest {
        guard case .send(let request) = try AdyenAdapter(settings: AdyenSample.settings).next(for: call, after: [])
        else {
            Issue.record("nothing is sent")
            throw SettingsError.missingCredential("request")
        }
        return request
    }

    static func body(_ call: Call) throws -> JSON { try JSON.parse(try request(call).body) }

    static func rejection(_ call: Call) throws -> Rejection {
        guard
            case .outcome(.rejected(let rejection)) = try AdyenAdapter(settings: AdyenSample.settings)
                .next(for: call, after: [])
        else {
            Issue.record("not rejected")
            throw SettingsError.missingCredential("rejection")
        }
        return rejection
    }

    @Test("carry the key of the API, the operation's idempotency key and a pinned version")
    func headers() throws {
        let request = try Self.request(try Sample.call(.authorize, credential: Sample.credential(.encryptedApplePay)))
        #expect(request.method == .post)
        #expect(request.url == "https://psp.example/v72/payments")
        #expect(
            request.headers == [
                Header("X-API-Key", "sk_test_sampleSecretKey"),
                Header("Idempotency-Key", "op_01ka524mnpzx45hy43kwjrp1xp.0"),
                Header("Content-Type", "application/json"), Header("Accept", "application/json"),
            ]
        )
    }

    @Test("pass an encrypted Apple Pay token on in base 64 and hold the amount until it is captured")
    func applePay() throws {
        let body = try Self.body(try Sample.call(.authorize, credential: Sample.credential(.encryptedApplePay)))
        let expected: JSON = [
            "merchantAccount": "TributaryMarket",
            "amount": ["value": 10_000, "currency": "USD"],
            "reference": "att_01ka5xxqkfbf5kznwj47tan9zt",
            "paymentMethod": [
                "type": "applepay",
                "applePayToken": "eyJ2ZXJzaW9uIjoiRUNfdjEiLCJkYXRhIjoiYzJGdGNHeGwiLCJoZWFkZXIiOnt9fQ==",
            ],
            "returnUrl": "https://shop.example/back",
            "shopperInteraction": "Ecommerce",
            "additionalData": ["manualCapture": "true"],
            "metadata": [
                "order": "ord_01ka5m9s346q3d25vt4f5v37e3", "payment": "pay_01ka5s3e28jt97kb6cq643dzvm",
                "attempt": "att_01ka5xxqkfbf5kznwj47tan9zt", "operation": "op_01ka524mnpzx45hy43kwjrp1xp",
            ],
        ]
        #expect(body == expected)
    }

    @Test("capture at once if asked to")
    func sale() throws {
        var call = try Sample.call(.authorize)
        let description = String(repeating: "é", count: 100)
        call.kind = .authorize(
            Call.Authorization(
                credential: Sample.credential(.encryptedApplePay),
                capture: true,
                description: description
            )
        )
        let body = try Self.body(call)
        #expect(body["captureDelayHours"] == 0)
        #expect(body["additionalData"] == ["manualCapture": "false"])
        #expect(body["metadata"]?["description"]?.stringValue == String(description.prefix(80)))
        #expect(body["returnUrl"] == "https://return.invalid/")
    }

    @Test(
        "give an opened wallet's token as a card with its cryptogram, a network's own as a network token",
        arguments: [
            (
                NetworkToken.Source.applePay, "7", "scheme", "cavv", "07",
                ["manualCapture": "true", "paymentdatasource.type": "applepay"]
            ),
            (
                .googlePay, "05", "scheme", "cavv", "05",
                [
                    "manualCapture": "true", "paymentdatasource.type": "googlepay",
                    "paymentdatasource.tokenized": "true",
                ]
            ),
            (.network, nil, "networkToken", "tokenAuthenticationVerificationValue", "07", ["manualCapture": "true"]),
        ] as [(NetworkToken.Source, String?, String, String, String, JSON)]
    )
    func networkToken(
        source: NetworkToken.Source,
        eci: String?,
        type: String,
        member: String,
        indicator: String,
        data: JSON
    ) throws {
        var token = Sample.networkToken(eci: eci, source: source)
        token.expiryMonth = 3
        let body = try Self.body(Sample.call(.authorize, credential: .networkToken(token)))
        let method: JSON = [
            "type": .string(type), "number": .string(Sample.number), "expiryMonth": "03", "expiryYear": "2030",
        ]
        #expect(body["paymentMethod"] == method)
        let expected = JSON.object([
            JSON.Member("authenticationResponse", "Y"), JSON.Member("directoryResponse", "Y"),
            JSON.Member(member, .string(Sample.cryptogram)), JSON.Member("eci", .string(indicator)),
        ])
        #expect(body["mpiData"] == expected)
        #expect(body["additionalData"] == data)
        #expect(body["authenticationData"] == nil && body["shopperReference"] == nil)
    }

    @Test("name the shopper of a stored payment method, and never start a step that nobody could finish")
    func storedPaymentMethod() throws {
        let token = Credential.pspToken(Secret("shop/shopper-7/8416038790273850"))
        let body = try Self.body(try Sample.call(.authorize, credential: token))
        #expect(body["paymentMethod"] == ["type": "scheme", "storedPaymentMethodId": "8416038790273850"])
        #expect(body["shopperReference"] == "shop/shopper-7")
        #expect(body["shopperInteraction"] == "ContAuth")
        #expect(body["recurringProcessingModel"] == "CardOnFile")
        #expect(body["authenticationData"] == ["attemptAuthentication": "never"])
    }

    @Test(
        "refuse a stored payment method without its shopper",
        arguments: ["8416038790273850", "ab/8416038790273850", "shopper-7/", ""]
    )
    func withoutShopper(token: String) throws {
        let call = try Sample.call(.authorize, credential: .pspToken(Secret(token)))
        #expect(try Self.rejection(call).reason == .configuration)
    }

    @Test("capture, cancel and refund under a reference of their own")
    func modifications() throws {
        let capture = try Self.request(Sample.call(.capture, reference: "9913/..", amount: 6000))
        #expect(capture.url == "https://psp.example/v72/payments/9913%2F../captures")
        let partial: JSON = [
            "merchantAccount": "TributaryMarket", "amount": ["value": 6000, "currency": "USD"],
            "reference": "op_01ka524mnpzx45hy43kwjrp1xp",
        ]
        #expect(try JSON.parse(capture.body) == partial)
        let refund = try Self.request(Sample.call(.refund, reference: AdyenSample.payment, amount: 6000))
        #expect(refund.url == "https://psp.example/v72/payments/QFQTPCQ8HXSKGK82/refunds")
        #expect(try JSON.parse(refund.body) == partial)
        let void = try Self.request(Sample.call(.void, reference: AdyenSample.payment))
        #expect(void.url == "https://psp.example/v72/payments/QFQTPCQ8HXSKGK82/cancels")
        #expect(
            try JSON.parse(void.body)
                == ["merchantAccount": "TributaryMarket", "reference": "op_01ka524mnpzx45hy43kwjrp1xp"]
        )
    }

    @Test("cancel by our reference if Adyen's is not known, and whatever the amount")
    func cancelByReference() throws {
        let call = try Sample.call(.void, amount: 5, currency: "IDR", merchantAccount: AdyenSample.balanceAccount)
        let request = try Self.request(call)
        #expect(request.url == "https://psp.example/v72/cancels")
        let expected: JSON = [
            "merchantAccount": "TributaryMarket",
            "paymentReference": "att_01ka5xxqkfbf5kznwj47tan9zt.BA32272223222B5CTDQPM6W2H",
            "reference": "op_01ka524mnpzx45hy43kwjrp1xp.BA32272223222B5CTDQPM6W2H",
        ]
        #expect(try JSON.parse(request.body) == expected)
    }

    @Test("send nothing for a capture or a refund of a payment whose name is not known")
    func unnamed() throws {
        for operation in [SampleOperation.capture, .refund] {
            let step = try AdyenAdapter(settings: AdyenSample.settings).next(for: Sample.call(operation), after: [])
            guard case .outcome(.notSent) = step else {
                Issue.record("\(step)")
                continue
            }
        }
    }

    @Test("never ask for a capture that leaves the rest held")
    func finalCapturesOnly() throws {
        var call = try Sample.call(.capture, reference: AdyenSample.payment)
        call.kind = .capture(applicationFee: nil, isFinal: false)
        #expect(try Self.rejection(call).reason == .unsupported)
        #expect(!AdyenAdapter.capabilities.multipleCapture)
    }

    @Test("are none for an inquiry, whatever the currency", arguments: ["USD", "KPW"])
    func inquiries(currency: String) throws {
        for operation in SampleOperation.allCases where operation.rawValue.hasPrefix("inquire") {
            let call = try Sample.call(operation, reference: AdyenSample.payment, currency: currency)
            let step = try AdyenAdapter(settings: AdyenSample.settings).next(for: call, after: [])
            guard case .outcome(.unknown(let reason)) = step else {
                Issue.record("\(step)")
                continue
            }
            #expect(reason.contains("webhooks"))
        }
        #expect(AdyenAdapter.capabilities.inquiry == .none)
    }

    @Test("are none once the credential is erased")
    func erased() throws {
        let step = try AdyenAdapter(settings: AdyenSample.settings).next(for: Sample.call(.authorize), after: [])
        guard case .outcome(.unknown) = step else {
            Issue.record("\(step)")
            return
        }
    }

    @Test("need a webhook key in hexadecimal", arguments: ["whsec_text", "abc", "\(AdyenSample.secret),zz"])
    func webhookSecret(secret: String) {
        var settings = AdyenSample.settings
        settings.credentials["webhook_secret"] = Secret(secret)
        #expect(throws: SettingsError.missingCredential("webhook_secret")) { try AdyenAdapter(settings: settings) }
    }

    @Test("need both credentials", arguments: ["api_key", "merchant_account"])
    func credentials(name: String) {
        var settings = AdyenSample.settings
        settings.credentials[name] = nil
        #expect(throws: SettingsError.missingCredential(name)) { try AdyenAdapter(settings: settings) }
    }
}
