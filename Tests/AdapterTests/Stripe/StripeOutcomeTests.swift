import AdapterKit
import Domain
import StrictJSON
import StripeAdapter
import Testing

@Suite("Stripe's outcomes")
struct StripeOutcomeTests {
    static let intent = "pi_3WvkAZ1DZP9ka1qZKhx5kwGZ"

    /// The outcome of a conversation's only reply.
    static func outcome(_ path: String, of operation: SampleOperation, known: Bool = true) throws -> Outcome {
        let reply = try Conversation.reply("stripe/\(path)")
        let credential = Credential.pspToken(Secret("pm_1sample"))
        let call = try Sample.call(
            operation,
            credential: credential,
            reference: known && operation != .authorize ? intent : nil
        )
        return try outcome(of: call, after: [reply])
    }

    static func outcome(of call: Call, after replies: [WireReply]) throws -> Outcome {
        let adapter = try StripeAdapter(settings: Sample.settings)
        guard case .outcome(let outcome) = adapter.next(for: call, after: replies.map { Exchange(reply: $0) }) else {
            Issue.record("another request is sent")
            return .unknown(reason: "another request is sent")
        }
        return outcome
    }

    static func reply(_ status: Int, _ json: JSON, repeatsKey: Bool = true) -> WireReply {
        let key = [Header("Idempotency-Key", "op_01ka524mnpzx45hy43kwjrp1xp.0")]
        let type = [Header("Content-Type", "application/json; charset=utf-8")]
        return WireReply(status: status, headers: type + (repeatsKey ? key : []), body: json.bytes)
    }

    @Test("of a hold say what is held, until when, and on which card")
    func held() throws {
        let expected = Success(
            reference: Self.intent,
            amount: 10_000,
            expiresAt: Timestamp(microseconds: 1_795_852_800_000_000),
            network: "visa",
            last4: "4242"
        )
        #expect(try Self.outcome("authorize/succeeded-held", of: .authorize) == .succeeded(expected))
    }

    @Test("of a sale say what was taken")
    func taken() throws {
        let expected = Success(
            reference: Self.intent,
            amount: 10_000,
            capturedAmount: 10_000,
            network: "visa",
            last4: "4242"
        )
        #expect(try Self.outcome("authorize/succeeded-captured", of: .authorize) == .succeeded(expected))
    }

    @Test("of an approval for less than asked say that amount")
    func partialApproval() throws {
        guard case .succeeded(let success) = try Self.outcome("authorize/succeeded-partial-approval", of: .authorize)
        else {
            Issue.record("no success")
            return
        }
        #expect(success.amount == 6000)
    }

    @Test("of an authorization asked after, captured in part meanwhile, keep what was authorized")
    func capturedInPart() throws {
        let path = "inquire-authorize/succeeded-captured-in-part"
        let expected = Success(
            reference: Self.intent,
            amount: 10_000,
            capturedAmount: 6000,
            network: "visa",
            last4: "4242"
        )
        #expect(try Self.outcome(path, of: .inquireAuthorize) == .succeeded(expected))
    }

    @Test("of later operations name their own object")
    func references() throws {
        let charge = "ch_3PANrEaarYMgEftsqwCtFuRp"
        let captured = Success(reference: charge, amount: 6000, capturedAmount: 6000)
        #expect(try Self.outcome("capture/succeeded-partial", of: .capture) == .succeeded(captured))
        let voided = Success(reference: Self.intent, amount: 10_000)
        #expect(try Self.outcome("void/succeeded", of: .void) == .succeeded(voided))
        let refunded = Success(reference: "re_3tECZXNn11sHWGCkeNUtnNP5", amount: 10_000)
        #expect(try Self.outcome("refund/succeeded", of: .refund) == .succeeded(refunded))
    }

    @Test(
        "of a refund that was made and came to nothing name it",
        arguments: [
            ("refund/rejected-unsupported-failed", SampleOperation.refund),
            ("refund/rejected-unsupported-canceled", .refund),
            ("inquire-refund/rejected-unsupported-failed", .inquireRefund),
        ]
    )
    func failedRefunds(path: String, operation: SampleOperation) throws {
        guard case .rejected(let rejection) = try Self.outcome(path, of: operation) else {
            Issue.record("no rejection")
            return
        }
        #expect(rejection.object == "re_3tECZXNn11sHWGCkeNUtnNP5" && rejection.kept.object == nil)
    }

    @Test("of a step for the buyer say where to go or what the client library needs")
    func actions() throws {
        let progress = Progress(reference: Self.intent)
        let redirect = NextAction(kind: .redirect, url: "https://hooks.stripe.com/3d_secure_2/hosted?sample=1")
        #expect(
            try Self.outcome("authorize/action-required-redirect", of: .authorize)
                == .actionRequired(redirect, progress)
        )
        let client = NextAction(kind: .client, data: "\(Self.intent)_secret_sample")
        #expect(
            try Self.outcome("authorize/action-required-client", of: .authorize) == .actionRequired(client, progress)
        )
    }

    @Test("of a decline keep the issuer's code and every code around it, but no free text")
    func declines() throws {
        let message =
            "Stripe answered card_error (code insufficient_funds, network code 51, advice try_again_later, "
            + "network advice 02, request req_smqCWyBTsgM5tn)."
        let expected = Decline(
            code: "insufficient_funds",
            category: .insufficientFunds,
            message: message,
            advice: .after(milliseconds: 72 * 3_600_000)
        )
        #expect(try Self.outcome("authorize/declined-insufficient-funds", of: .authorize) == .declined(expected))
    }

    @Test("of an amount in another unit are in ours again")
    func units() throws {
        let intent: JSON = [
            "id": "pi_3isk", "object": "payment_intent", "amount": 500, "amount_capturable": 500, "currency": "isk",
            "status": "requires_capture", "metadata": ["attempt": "att_01ka5xxqkfbf5kznwj47tan9zt"],
        ]
        let call = try Sample.call(
            .authorize,
            credential: .pspToken(Secret("pm_1sample")),
            amount: 5,
            currency: "ISK"
        )
        #expect(
            try Self.outcome(of: call, after: [Self.reply(200, intent)])
                == .succeeded(Success(reference: "pi_3isk", amount: 5))
        )
    }

    @Test("of a void tell what was captured, in our unit", arguments: [true, false])
    func captured(isInquiry: Bool) throws {
        let intent: JSON = [
            "id": .string(Self.intent), "object": "payment_intent", "amount": 500, "amount_received": 300,
            "currency": "isk", "status": "succeeded", "metadata": ["attempt": "att_01ka5xxqkfbf5kznwj47tan9zt"],
        ]
        let error: JSON = [
            "error": [
                "type": "invalid_request_error", "code": "payment_intent_unexpected_state", "message": "It is captured",
                "payment_intent": intent,
            ]
        ]
        let call = try Sample.call(
            isInquiry ? .inquireVoid : .void,
            reference: Self.intent,
            amount: 5,
            currency: "ISK"
        )
        let outcome = try Self.outcome(
            of: call,
            after: [isInquiry ? Self.reply(200, intent, repeatsKey: false) : Self.reply(400, error)]
        )
        guard case .rejected(let rejection) = outcome else {
            Issue.record("it is \(outcome)")
            return
        }
        #expect(rejection.reason == .alreadyCaptured && rejection.captured == 3)
    }

    @Test(
        "refuse before anything is sent what Stripe cannot express",
        arguments: [
            ("IQD", 1000, nil, "currency_not_supported"), ("KWD", 5124, nil, "invalid_charge_amount"),
            ("MGA", 50_050, nil, "invalid_charge_amount"), ("KWD", 5120, 512, nil),
            ("KWD", 5120, 511, "application_fee_amount"),
        ] as [(String, Int64, Int64?, String?)]
    )
    func inexpressible(currency: String, amount: Int64, fee: Int64?, code: String?) throws {
        let adapter = try StripeAdapter(settings: Sample.settings)
        let call = try Sample.call(
            .authorize,
            credential: .pspToken(Secret("pm_1sample")),
            amount: amount,
            currency: currency,
            merchantAccount: "acct_1sample",
            applicationFee: fee
        )
        let step = adapter.next(for: call, after: [])
        if case .outcome(.rejected(let rejection)) = step {
            #expect(rejection.reason == .unsupported)
            #expect(rejection.code == (fee == 512 ? "application_fee_amount" : code))
        } else {
            Issue.record("sends \(step)")
        }
    }

    @Test("are in doubt once the credential is erased")
    func erased() throws {
        let call = try Sample.call(.authorize)
        guard case .unknown = try Self.outcome(of: call, after: []) else {
            Issue.record("not in doubt")
            return
        }
    }

    @Test("of an inquiry after a refund go through every page")
    func refundPages() throws {
        let adapter = try StripeAdapter(settings: Sample.settings)
        let call = try Sample.call(.inquireRefund, reference: Self.intent)
        func page(_ id: String, _ operation: String, more: Bool) -> WireReply {
            Self.reply(
                200,
                [
                    "object": "list", "has_more": .bool(more),
                    "data": [
                        [
                            "id": .string(id), "object": "refund", "amount": 10_000, "currency": "usd",
                            "payment_intent": .string(Self.intent), "status": "succeeded",
                            "metadata": ["operation": .string(operation)],
                        ]
                    ],
                ],
                repeatsKey: false
            )
        }
        var exchanges = [Exchange(reply: page("re_1", "op_another", more: true))]
        guard case .send(let next) = adapter.next(for: call, after: exchanges) else {
            Issue.record("stops at the first page")
            return
        }
        #expect(next.url.hasSuffix("/v1/refunds?payment_intent=\(Self.intent)&limit=100&starting_after=re_1"))
        exchanges.append(Exchange(reply: page("re_2", call.operation.text, more: true)))
        #expect(
            adapter.next(for: call, after: exchanges)
                == .outcome(.succeeded(Success(reference: "re_2", amount: 10_000)))
        )
        let endless = (1...20).map { Exchange(reply: page("re_\($0)", "op_another", more: true)) }
        guard case .outcome(.unknown) = adapter.next(for: call, after: endless) else {
            Issue.record("reads without end")
            return
        }
    }
}
