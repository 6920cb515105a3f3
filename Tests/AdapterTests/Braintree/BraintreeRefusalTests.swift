import AdapterKit
import BraintreeAdapter
import Domain
import StrictJSON
import Testing

@Suite("Braintree's refusals")
struct BraintreeRefusalTests {
    static func refusal(_ operation: SampleOperation, _ kind: String, code: String? = nil) throws -> WireReply {
        let name = BraintreeRequestTests.operation
        let extensions = JSON.object(omittingAbsent: [
            "errorClass": .string(kind), "legacyCode": code.map(JSON.string),
            "inputPath": ["input", "transaction", "amount"],
        ])
        let error: JSON = ["message": "Refused.", "path": [.string(name)], "extensions": extensions]
        return BraintreeOutcomeTests.reply([
            "errors": [error], "data": .object([JSON.Member(name, .null)]), "extensions": ["requestId": "req-1"],
        ])
    }

    /// A transaction in this status, as reading it answers.
    static func standing(_ status: String) throws -> WireReply {
        try BraintreeOutcomeTests.reply(
            "inquire-void/succeeded",
            replacing: #""status": "VOIDED""#,
            with: #""status": "\#(status)""#
        )
    }

    static func call(_ operation: SampleOperation) throws -> Call {
        try AdapterUnderTest.braintree.shortCall(operation)
    }

    @Test(
        "by the transaction's state lead to reading it, and to what it says",
        arguments: [
            (.capture, "91507", "SUBMITTED_FOR_SETTLEMENT", .rejected(.alreadyCaptured)),
            (.capture, "91507", "SETTLED", .rejected(.alreadyCaptured)),
            (.capture, "91507", "VOIDED", .rejected(.alreadyVoided)),
            (.capture, "91507", "AUTHORIZATION_EXPIRED", .rejected(.expired)),
            (.capture, "91507", "PROCESSOR_DECLINED", .rejected(.unsupported)),
            (.capture, "91507", "AUTHORIZED", .unknown), (.capture, "91507", "OF_NEXT_YEAR", .unknown),
            (.void, "91504", "SETTLING", .rejected(.alreadyCaptured)),
            (.void, "91504", "SETTLED", .rejected(.alreadyCaptured)),
            (.void, "91504", "VOIDED", .rejected(.alreadyVoided)),
            (.void, "91504", "AUTHORIZATION_EXPIRED", .rejected(.expired)),
            (.void, "91504", "GATEWAY_REJECTED", .rejected(.alreadyVoided)),
            (.void, "91504", "AUTHORIZED", .unknown), (.void, "91504", "SUBMITTED_FOR_SETTLEMENT", .unknown),
            (.refund, "91506", "AUTHORIZED", .rejected(.notSettledYet)),
            (.refund, "91506", "SUBMITTED_FOR_SETTLEMENT", .rejected(.notSettledYet)),
            (.refund, "91506", "SETTLED", .rejected(.notSettledYet)),
            (.refund, "91506", "VOIDED", .rejected(.alreadyVoided)),
            (.refund, "91506", "AUTHORIZATION_EXPIRED", .rejected(.expired)),
            (.refund, "91506", "FAILED", .rejected(.unsupported)), (.refund, "91506", "AUTHORIZING", .unknown),
        ] as [(SampleOperation, String, String, Expectation)]
    )
    func state(operation: SampleOperation, code: String, status: String, expectation: Expectation) throws {
        let refusal = try Self.refusal(operation, "VALIDATION", code: code)
        let read = try BraintreeRequestTests.request(try Self.call(operation), after: [refusal])
        #expect(try BraintreeRequestTests.field(read) == "node")
        #expect(!read.canMoveMoney)
        let replies = [refusal, try Self.standing(status)]
        let outcome = try BraintreeOutcomeTests.outcome(of: try Self.call(operation), after: replies)
        #expect(Expectation(outcome) == expectation)
        if case .rejected(let rejection) = outcome { #expect(rejection.code == code) }
    }

    @Test(
        "by the state of a transaction that cannot be read are doubt",
        arguments: [SampleOperation.capture, .void, .refund]
    )
    func unreadable(operation: SampleOperation) throws {
        let code = try #require([.capture: "91507", .void: "91504", .refund: "91506"][operation])
        let refusal = try Self.refusal(operation, "VALIDATION", code: code)
        let replies = [
            WireReply(status: 502),
            BraintreeOutcomeTests.reply(["data": .object([JSON.Member(BraintreeRequestTests.operation, .null)])]),
            try BraintreeOutcomeTests.reply("inquire-void/succeeded", replacing: "p4mq7kzr", with: "q1q1q1q1"),
        ]
        for reply in replies {
            let outcome = try BraintreeOutcomeTests.outcome(of: try Self.call(operation), after: [refusal, reply])
            #expect(Expectation(outcome) == .unknown)
        }
    }

    @Test(
        "promise that nothing was done by their class only",
        arguments: [
            (.authorize, "AUTHENTICATION", .rejected(.configuration)),
            (.authorize, "AUTHORIZATION", .rejected(.configuration)),
            (.authorize, "UNSUPPORTED_CLIENT", .rejected(.configuration)),
            (.authorize, "NOT_FOUND", .rejected(.configuration)), (.capture, "NOT_FOUND", .rejected(.notFound)),
            (.void, "NOT_FOUND", .rejected(.notFound)), (.refund, "NOT_FOUND", .rejected(.notFound)),
            (.refund, "NOT_IMPLEMENTED", .rejected(.unsupported)),
            (.authorize, "VALIDATION", .rejected(.configuration)), (.authorize, "INTERNAL", .unknown),
            (.authorize, "SERVICE_AVAILABILITY", .unknown), (.authorize, "RESOURCE_LIMIT", .unknown),
            (.capture, "INTERNAL", .unknown), (.void, "RESOURCE_LIMIT", .unknown),
            (.refund, "SERVICE_AVAILABILITY", .unknown), (.refund, "OF_NEXT_YEAR", .unknown),
        ] as [(SampleOperation, String, Expectation)]
    )
    func classes(operation: SampleOperation, kind: String, expectation: Expectation) throws {
        let reply = try Self.refusal(operation, kind)
        #expect(
            Expectation(try BraintreeOutcomeTests.outcome(of: try Self.call(operation), after: [reply])) == expectation
        )
    }

    @Test(
        "of a payment method that was used already are doubt, because this request may have used it",
        arguments: ["91564", "91566", "93107"]
    )
    func consumed(code: String) throws {
        let reply = try Self.refusal(.authorize, "VALIDATION", code: code)
        let outcome = try BraintreeOutcomeTests.outcome(of: try Self.call(.authorize), after: [reply])
        #expect(Expectation(outcome) == .unknown)
    }

    @Test("give the operator class, code, input and request, and nothing that was said in free text")
    func sentence() throws {
        let reply = try Self.refusal(.authorize, "VALIDATION", code: "81528")
        let outcome = try BraintreeOutcomeTests.outcome(of: try Self.call(.authorize), after: [reply])
        let sentence = "Braintree answered VALIDATION (code 81528, input input.transaction.amount, request req-1)."
        #expect(outcome == .rejected(Rejection(.unsupported, code: "81528", message: sentence)))
    }
}
