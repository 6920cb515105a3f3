import AdapterKit
import CheckoutAdapter
import Domain
import StrictJSON
import Testing

@Suite("Checkout.com's outcomes")
struct CheckoutOutcomeTests {
    static func sample(_ operation: SampleOperation, _ name: String) throws -> Outcome {
        let conversation = try #require(
            try Conversation.all.first { $0.adapter == "checkout" && $0.operation == operation && $0.name == name }
        )
        let subject = try AdapterUnderTest.checkout
        let call = try conversation.isNumbered ? subject.longCall(operation) : subject.shortCall(operation)
        return try CheckoutSample.outcome(of: call, after: conversation.replies)
    }

    @Test("of an authorization tell the payment, its amount, its life and its card")
    func authorization() throws {
        let expected = Success(
            reference: CheckoutSample.payment,
            amount: 10_000,
            expiresAt: RFC3339.timestamp("2026-11-28T08:33:17Z"),
            network: "Visa",
            last4: "4242"
        )
        #expect(try Self.sample(.authorize, "succeeded") == .succeeded(expected))
        #expect(try Self.sample(.inquireAuthorize, "succeeded") == .succeeded(expected))
        var partial = expected
        partial.amount = 6000
        #expect(try Self.sample(.authorize, "succeeded-in-part") == .succeeded(partial))
        #expect(try Self.sample(.inquireAuthorize, "succeeded-in-part") == .succeeded(partial))
    }

    @Test(
        "of an authorization tell what was captured, and when the rest lapses",
        arguments: [
            ("succeeded-captured-in-part", 4000), ("succeeded-captured", 10_000), ("succeeded-rest-voided", 4000),
            ("succeeded-refunded", 10_000),
        ] as [(String, Int64)]
    )
    func captured(name: String, amount: Int64) throws {
        let expected = Success(
            reference: CheckoutSample.payment,
            amount: 10_000,
            capturedAmount: amount,
            expiresAt: RFC3339.timestamp("2026-11-28T08:33:17Z"),
            network: "Visa",
            last4: "4242"
        )
        #expect(try Self.sample(.inquireAuthorize, name) == .succeeded(expected))
    }

    @Test("of a decline keep the code and tell the advice, but no sentence of the issuer's")
    func decline() throws {
        let expected = Decline(
            code: "20005",
            category: .notPermitted,
            message: "Checkout.com declined (response code 20005, recommendation 03, merchant advice 03).",
            advice: .never
        )
        #expect(try Self.sample(.authorize, "declined-not-permitted-advised") == .declined(expected))
    }

    @Test("of a refusal tell the codes and the request")
    func refusal() throws {
        let expected = Rejection(
            .unsupported,
            code: "currency_invalid",
            message: "Checkout.com answered 422 (type request_invalid; codes currency_invalid; request "
                + "e2c1c0e7-3c46-4a0b-8d5b-4f9d2a6f6f01)."
        )
        #expect(try Self.sample(.authorize, "rejected-unsupported-currency") == .rejected(expected))
    }

    @Test("send the buyer away to authenticate, to an encrypted address only")
    func action() throws {
        let url = "https://psp.example/3ds/\(CheckoutSample.payment)"
        let expected = Outcome.actionRequired(
            NextAction(kind: .redirect, url: url),
            Progress(reference: CheckoutSample.payment)
        )
        #expect(try Self.sample(.authorize, "action-required") == expected)
        #expect(try Self.sample(.inquireAuthorize, "action-required") == expected)
        let body: JSON = [
            "id": .string(CheckoutSample.payment), "status": "Pending",
            "reference": "att_01ka5xxqkfbf5kznwj47tan9zt", "_links": ["redirect": ["href": "javascript:alert(1)"]],
        ]
        let call = try Sample.call(.authorize, credential: Sample.credential(.pspToken))
        let outcome = try CheckoutSample.outcome(of: call, after: [CheckoutSample.reply(202, body)])
        #expect(outcome == .pending(Progress(reference: CheckoutSample.payment)))
    }

    @Test("of a sale are pending until it is captured")
    func sale() throws {
        for operation in [SampleOperation.authorize, .inquireAuthorize] {
            var call = try AdapterUnderTest.checkout.shortCall(operation)
            guard case .authorize(var authorization) = call.kind else { continue }
            authorization.capture = true
            call.kind = .authorize(authorization)
            let reply = try Conversation.reply("checkout/\(operation.rawValue)/succeeded")
            let outcome = try CheckoutSample.outcome(of: call, after: [reply])
            #expect(outcome == .pending(Progress(reference: CheckoutSample.payment)))
        }
    }

    @Test("of an action are pending under its own name, which is kept with the names of earlier ones")
    func pending() throws {
        var call = try Sample.call(.refund, reference: CheckoutSample.payment)
        call.pspState = "op_first:act_first \(CheckoutSample.operation):act_stale garbage"
        let body: JSON = ["action_id": .string(CheckoutSample.action), "reference": .string(CheckoutSample.operation)]
        let outcome = try CheckoutSample.outcome(of: call, after: [CheckoutSample.reply(202, body)])
        let state = "op_first:act_first \(CheckoutSample.operation):\(CheckoutSample.action)"
        #expect(outcome == .pending(Progress(reference: CheckoutSample.action, state: state)))
    }

    @Test("of a void are the whole hold, of a capture and a refund what was acted on")
    func amounts() throws {
        let name = CheckoutSample.action
        #expect(
            try Self.sample(.inquireCapture, "succeeded-in-part")
                == .succeeded(Success(reference: name, amount: 2500, capturedAmount: 2500))
        )
        #expect(
            try Self.sample(.inquireRefund, "succeeded-in-part")
                == .succeeded(Success(reference: name, amount: 2500))
        )
        #expect(
            try Self.sample(.inquireVoid, "succeeded-in-part")
                == .succeeded(Success(reference: name, amount: 10_000))
        )
    }

    @Test("show no secret that a refusal repeats")
    func secrecy() throws {
        let echo = Sample.secrets.map { JSON.string($0) } + [.string("No such \(Sample.number)")]
        for operation in SampleOperation.allCases {
            for status in [401, 403, 404, 422] {
                let body: JSON = ["error_type": "request_invalid", "error_codes": .array(echo), "request_id": echo[5]]
                let call = try AdapterUnderTest.checkout.shortCall(operation)
                let reply = CheckoutSample.reply(status, body)
                let step = try CheckoutAdapter(settings: CheckoutSample.settings())
                    .next(for: call, after: [Exchange(reply: reply)])
                guard case .outcome(let outcome) = step else { continue }
                for text in SecrecyTests.descriptions(of: outcome) {
                    #expect(!text.contains(Sample.paymentData) && !text.contains("No such"))
                }
            }
        }
    }
}
