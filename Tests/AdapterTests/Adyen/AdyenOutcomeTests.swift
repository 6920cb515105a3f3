import AdapterKit
import AdyenAdapter
import Domain
import StrictJSON
import Testing

@Suite("Adyen's outcomes")
struct AdyenOutcomeTests {
    /// The outcome of a conversation's only reply.
    static func outcome(_ path: String, of call: Call) throws -> Outcome {
        let reply = try Conversation.reply("adyen/\(path)")
        return try outcome(of: call, reply)
    }

    static func outcome(of call: Call, _ reply: WireReply) throws -> Outcome {
        let step = try AdyenAdapter(settings: AdyenSample.settings).next(for: call, after: [Exchange(reply: reply)])
        guard case .outcome(let outcome) = step else {
            Issue.record("another request is sent")
            return .unknown(reason: "another request is sent")
        }
        return outcome
    }

    static func reply(_ status: Int, _ json: JSON, _ headers: [Header] = []) -> WireReply {
        let own = [
            Header("Content-Type", "application/json"), Header("Idempotency-Key", "op_01ka524mnpzx45hy43kwjrp1xp.0"),
        ]
        return WireReply(status: status, headers: headers + own, body: json.bytes)
    }

    static func authorization(capture: Bool = false, currency: String = "USD") throws -> Call {
        var call = try Sample.call(.authorize, currency: currency)
        call.kind = .authorize(
            Call.Authorization(credential: Sample.credential(.encryptedApplePay), capture: capture)
        )
        return call
    }

    @Test("of an approval say what is held, or taken, and on which card", arguments: [false, true])
    func approved(isSale: Bool) throws {
        let expected = Success(
            reference: AdyenSample.payment,
            amount: 10_000,
            capturedAmount: isSale ? 10_000 : 0,
            network: "visa",
            last4: "4242"
        )
        let call = try Self.authorization(capture: isSale)
        #expect(try Self.outcome("authorize/succeeded-held", of: call) == .succeeded(expected))
    }

    @Test("of an approval for less say how much")
    func partialApproval() throws {
        let outcome = try Self.outcome("authorize/succeeded-partial-approval", of: Self.authorization())
        guard case .succeeded(let success) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(success.amount == 6000 && success.capturedAmount == 0)
    }

    @Test("are read even once the credential is erased")
    func erased() throws {
        let call = try Sample.call(.authorize)
        guard case .succeeded = try Self.outcome("authorize/succeeded-held", of: call) else {
            Issue.record("not read")
            return
        }
    }

    @Test(
        "count amounts in the currency's own unit",
        arguments: [
            ("CLP", 1_000_000), ("ISK", 1_000_000), ("IDR", 100), ("CVE", 100), ("JPY", 10_000), ("KWD", 10_000),
        ]
    )
    func units(currency: String, value: Int64) throws {
        let json: JSON = [
            "pspReference": "QFQTPCQ8HXSKGK82", "resultCode": "Authorised",
            "amount": ["value": .integer(value), "currency": .string(currency)],
        ]
        let expected = Success(reference: AdyenSample.payment, amount: 10_000)
        let call = try Self.authorization(currency: currency)
        #expect(try Self.outcome(of: call, Self.reply(200, json)) == .succeeded(expected))
    }

    @Test("of a received capture name it, and wait for the webhook")
    func received() throws {
        let call = try Sample.call(.capture, reference: AdyenSample.payment)
        #expect(
            try Self.outcome("capture/pending", of: call) == .pending(Progress(reference: AdyenSample.modification))
        )
    }

    @Test("of a modification of a merchant's payment want its whole reference back")
    func merchantReference() throws {
        let call = try Sample.call(
            .refund,
            reference: AdyenSample.payment,
            merchantAccount: AdyenSample.balanceAccount
        )
        let json: JSON = [
            "paymentPspReference": .string(AdyenSample.payment), "pspReference": .string(AdyenSample.modification),
            "reference": .string("op_01ka524mnpzx45hy43kwjrp1xp.\(AdyenSample.balanceAccount)"), "status": "received",
            "amount": ["value": 10_000, "currency": "USD"],
        ]
        #expect(
            try Self.outcome(of: call, Self.reply(201, json))
                == .pending(Progress(reference: AdyenSample.modification))
        )
        let other = json.setting("reference", "op_01ka524mnpzx45hy43kwjrp1xp")
        guard case .unknown = try Self.outcome(of: call, Self.reply(201, other)) else {
            Issue.record("read")
            return
        }
    }

    @Test("of a redirect send the buyer there, and of anything else hand the action to Adyen's library")
    func actions() throws {
        let redirect = try Self.outcome("authorize/action-required-redirect", of: Self.authorization())
        let url = "https://checkoutshopper-test.adyen.com/checkoutshopper/threeDS/redirect?MD=sample"
        let progress = Progress(reference: AdyenSample.payment)
        #expect(redirect == .actionRequired(NextAction(kind: .redirect, url: url), progress))
        for action in [
            ["type": "redirect", "method": "POST", "url": "https://a.example"], ["type": "threeDS2"],
            ["type": "redirect", "method": "GET", "url": "http://a.example"],
        ] as [JSON] {
            let json: JSON = ["resultCode": "RedirectShopper", "action": action]
            let next = NextAction(kind: .client, data: action.text)
            #expect(
                try Self.outcome(of: Self.authorization(), Self.reply(200, json))
                    == .actionRequired(next, Progress(reference: nil))
            )
        }
    }

    @Test("of refusals keep Adyen's code and reference and nothing of its sentence")
    func refusals() throws {
        let outcome = try Self.outcome("authorize/rejected-configuration", of: Self.authorization())
        guard case .rejected(let rejection) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(rejection.code == "14_030")
        #expect(
            rejection.message == "Adyen answered a validation error (code 14_030, reference 8816118280275544)."
        )
    }

    @Test("never pass Adyen's free text on")
    func freeText() throws {
        let echo = "No such \(Sample.secretKey) \(Sample.number)"
        let texts: [JSON] = [
            ["errorCode": .string(echo), "errorType": "validation", "message": .string(echo), "status": 422],
            ["errorCode": "1", "errorType": .string(echo), "message": .string(echo), "status": 422],
            ["errorCode": "1", "errorType": "validation", "pspReference": .string(echo), "message": .string(echo)],
            [
                "resultCode": "Refused", "pspReference": "A", "refusalReasonCode": .string(echo),
                "refusalReason": .string(echo),
            ],
        ]
        for json in texts {
            for status in [200, 422] {
                let outcome = try Self.outcome(of: Self.authorization(), Self.reply(status, json))
                SecrecyTests.expectNoSecret(in: outcome, "HTTP \(status)")
            }
        }
    }

    @Test(
        "of a fault count as not begun only if Adyen says so",
        arguments: [("true", true), ("TRUE", true), ("false", false)]
    )
    func transient(header: String, isTransient: Bool) throws {
        let json: JSON = ["status": 500, "errorCode": "702", "errorType": "internal", "message": "x"]
        let reply = Self.reply(500, json, [Header("transient-error", header)])
        for operation in [SampleOperation.authorize, .capture, .void, .refund] {
            let outcome = try Self.outcome(
                of: Sample.call(
                    operation,
                    credential: Sample.credential(.encryptedApplePay),
                    reference: operation == .authorize ? nil : AdyenSample.payment
                ),
                reply
            )
            switch outcome {
            case .notSent: #expect(isTransient)
            case .unknown: #expect(!isTransient)
            default: Issue.record("\(outcome)")
            }
        }
    }
}
