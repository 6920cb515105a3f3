import AdapterKit
import BraintreeAdapter
import Domain
import StrictJSON
import Testing

@Suite("Braintree's outcomes")
struct BraintreeOutcomeTests {
    static let expiry = Timestamp(microseconds: 1_795_862_000_000_000)

    /// The outcome of a conversation's only reply.
    static func outcome(_ path: String, of operation: SampleOperation) throws -> Outcome {
        let reply = try Conversation.reply("braintree/\(path)")
        return try outcome(of: try AdapterUnderTest.braintree.shortCall(operation), after: [reply])
    }

    static func outcome(of call: Call, after replies: [WireReply]) throws -> Outcome {
        guard case .outcome(let outcome) = try BraintreeRequestTests.step(call, after: replies) else {
            Issue.record("another request is sent")
            return .unknown(reason: "another request is sent")
        }
        return outcome
    }

    static func reply(_ json: JSON) -> WireReply {
        WireReply(status: 200, headers: [Header("Content-Type", "application/json")], body: json.bytes)
    }

    /// A conversation's reply with one text in it replaced.
    static func reply(_ path: String, replacing old: String, with new: String) throws -> WireReply {
        var reply = try Conversation.reply("braintree/\(path)")
        let text = String(decoding: reply.body, as: UTF8.self)
        #expect(text.contains(old))
        reply.body = Array(text.replacing(old, with: new).utf8)
        return reply
    }

    static func held(amount: Int64 = 10_000, captured: Int64 = 0, expiresAt: Timestamp? = expiry) -> Success {
        Success(
            reference: "p4mq7kzr",
            amount: amount,
            capturedAmount: captured,
            expiresAt: expiresAt,
            network: "VISA",
            last4: "1111",
            state: BraintreeRequestTests.transaction
        )
    }

    @Test("of a hold say what is held, until when, on which card, and how GraphQL names it")
    func authorized() throws {
        #expect(try Self.outcome("authorize/succeeded-held", of: .authorize) == .succeeded(Self.held()))
        #expect(
            try Self.outcome("authorize/succeeded-partial-approval", of: .authorize)
                == .succeeded(Self.held(amount: 6000))
        )
    }

    @Test("of an inquiry say all that the first answer would have said")
    func inquired() throws {
        let subject = try AdapterUnderTest.braintree
        #expect(try Self.outcome("inquire-authorize/succeeded-held", of: .inquireAuthorize) == .succeeded(Self.held()))
        #expect(
            try Self.outcome("inquire-authorize/succeeded-captured-in-part", of: .inquireAuthorize)
                == .succeeded(Self.held(captured: 6000, expiresAt: nil))
        )
        let search = try Conversation.reply("braintree/inquire-authorize/succeeded-by-search.1")
        let read = try Conversation.reply("braintree/inquire-authorize/succeeded-by-search.2")
        let call = try subject.longCall(.inquireAuthorize)
        #expect(try Self.outcome(of: call, after: [search, read]) == .succeeded(Self.held()))
    }

    @Test(
        "of a sale say what was taken, or that it is not sure yet",
        arguments: [
            ("SUBMITTED_FOR_SETTLEMENT", true), ("SETTLING", true), ("SETTLED", true), ("SETTLEMENT_PENDING", false),
        ]
    )
    func sale(status: String, isTaken: Bool) throws {
        let path = "authorize/succeeded-captured-unasked"
        let reply = try Self.reply(path, replacing: "SUBMITTED_FOR_SETTLEMENT", with: status)
        let outcome = try Self.outcome(of: try BraintreeRequestTests.authorize(capture: true), after: [reply])
        let progress = Progress(reference: "p4mq7kzr", state: BraintreeRequestTests.transaction)
        #expect(
            outcome == (isTaken ? .succeeded(Self.held(captured: 10_000, expiresAt: nil)) : .pending(progress))
        )
    }

    @Test("of a capture, a void and a refund name the object and the amount")
    func modifications() throws {
        let state = BraintreeRequestTests.transaction
        #expect(
            try Self.outcome("capture/succeeded", of: .capture)
                == .succeeded(
                    Success(reference: "p4mq7kzr", amount: 10_000, capturedAmount: 10_000, state: state)
                )
        )
        #expect(
            try Self.outcome("void/succeeded", of: .void)
                == .succeeded(Success(reference: "p4mq7kzr", amount: 10_000, state: state))
        )
        #expect(
            try Self.outcome("refund/succeeded", of: .refund)
                == .succeeded(Success(reference: "r8xw2hdn", amount: 10_000))
        )
    }

    @Test("of a transaction that the webhooks' name does not fit are doubt")
    func otherLegacyIdentifier() throws {
        var call = try AdapterUnderTest.braintree.shortCall(.inquireAuthorize)
        call.pspReference = "q1q1q1q1"
        let reply = try Conversation.reply("braintree/inquire-authorize/succeeded-held")
        #expect(Expectation(try Self.outcome(of: call, after: [reply])) == .unknown)
    }

    @Test(
        "count an amount only if it is decimal text in a currency",
        arguments: [
            (#""value": "100.00""#, #""value": 100.00"#), (#""value": "100.00""#, #""value": "1e2""#),
            (#""value": "100.00""#, #""value": "-100.00""#), (#""value": "100.00""#, #""value": "100.001""#),
            (#""currencyCode": "USD""#, #""currencyCode": "XXX""#), (#""currencyCode": "USD""#, #""currency": "USD""#),
        ]
    )
    func amounts(old: String, new: String) throws {
        let reply = try Self.reply("authorize/succeeded-held", replacing: old, with: new)
        let call = try AdapterUnderTest.braintree.shortCall(.authorize)
        #expect(Expectation(try Self.outcome(of: call, after: [reply])) == .unknown)
    }

    @Test("do not live longer than Braintree says", arguments: ["soon", "2026-11-28", "2026-13-28T10:33:20Z"])
    func expiry(text: String) throws {
        let reply = try Self.reply(
            "authorize/succeeded-held",
            replacing: "2026-11-28T10:33:20.000000Z",
            with: text
        )
        let call = try AdapterUnderTest.braintree.shortCall(.authorize)
        #expect(try Self.outcome(of: call, after: [reply]) == .succeeded(Self.held(expiresAt: nil)))
    }
}
