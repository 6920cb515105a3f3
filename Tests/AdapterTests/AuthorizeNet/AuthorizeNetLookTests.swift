import AdapterKit
import AuthorizeNetAdapter
import Domain
import StrictJSON
import Testing

@Suite("A refusal of Authorize.Net's that only the transaction explains")
struct AuthorizeNetLookTests {
    static func json(_ value: JSON) -> WireReply {
        let named = value.setting("refId", .string(AuthorizeNetSample.operation))
        return WireReply(status: 200, headers: [Header("Content-Type", "application/json")], body: named.bytes)
    }

    /// A transaction refused with an error.
    static func refusal(_ code: String) -> WireReply {
        json([
            "transactionResponse": [
                "responseCode": "3", "transId": "0", "refTransID": .string(AuthorizeNetSample.payment),
                "testRequest": "0", "errors": [["errorCode": .string(code), "errorText": "…"]],
            ],
            "messages": ["resultCode": "Error", "message": [["code": "E00027", "text": "…"]]],
        ])
    }

    /// The transaction in a state.
    static func details(_ status: String) -> WireReply {
        json([
            "transaction": [
                "transId": .string(AuthorizeNetSample.payment), "transactionStatus": .string(status),
                "order": ["invoiceNumber": .string(AuthorizeNetSample.attempt)], "authAmount": .number("100.00"),
                "settleAmount": .number("100.00"),
            ],
            "messages": ["resultCode": "Ok", "message": [["code": "I00001", "text": "Successful."]]],
        ])
    }

    @Test(
        "is looked at, without moving money",
        arguments: [SampleOperation.capture, .void, .refund],
        ["15", "16", "33", "54", "308", "319"]
    )
    func looks(operation: SampleOperation, code: String) throws {
        let request = try AuthorizeNetSample.request(AuthorizeNetSample.call(operation), after: [Self.refusal(code)])
        #expect(!request.canMoveMoney)
        let body = String(decoding: request.body, as: UTF8.self)
        #expect(body.contains("getTransactionDetailsRequest") && body.contains(AuthorizeNetSample.payment))
    }

    @Test(
        "becomes what the state says",
        arguments: [
            (.capture, "capturedPendingSettlement", .rejected(.alreadyCaptured)),
            (.capture, "settledSuccessfully", .rejected(.alreadyCaptured)),
            (.capture, "voided", .rejected(.alreadyVoided)), (.capture, "expired", .rejected(.expired)),
            (.capture, "declined", .rejected(.unsupported)), (.capture, "authorizedPendingCapture", .unknown),
            (.capture, "FDSPendingReview", .unknown), (.void, "settledSuccessfully", .rejected(.alreadyCaptured)),
            (.void, "voided", .rejected(.alreadyVoided)), (.void, "declined", .rejected(.alreadyVoided)),
            (.void, "failedReview", .rejected(.alreadyVoided)), (.void, "expired", .rejected(.expired)),
            (.void, "capturedPendingSettlement", .unknown), (.void, "authorizedPendingCapture", .unknown),
            (.refund, "capturedPendingSettlement", .rejected(.notSettledYet)),
            (.refund, "authorizedPendingCapture", .rejected(.notSettledYet)),
            (.refund, "settledSuccessfully", .rejected(.unsupported)), (.refund, "voided", .rejected(.alreadyVoided)),
            (.refund, "expired", .rejected(.expired)), (.refund, "settlementError", .unknown),
            (.refund, "chargeback", .unknown), (.refund, "something new", .unknown),
        ] as [(SampleOperation, String, Expectation)]
    )
    func explains(operation: SampleOperation, status: String, expectation: Expectation) throws {
        let outcome = try AuthorizeNetSample.outcome(
            of: AuthorizeNetSample.call(operation),
            after: [Self.refusal("54"), Self.details(status)]
        )
        #expect(Expectation(outcome) == expectation)
        if case .rejected(let rejection) = outcome { #expect(rejection.code == "54") }
    }

    @Test("is not found where there is no such transaction, and doubt where the look fails")
    func failures() throws {
        let call = try AuthorizeNetSample.call(.refund)
        let refusal = Self.refusal("16")
        let absent = try AuthorizeNetSample.reply("inquire-authorize/rejected-not-found")
        let outcome = try AuthorizeNetSample.outcome(of: call, after: [refusal, absent])
        #expect(Expectation(outcome) == .rejected(.notFound))
        for path in ["unknown-html", "unknown-other-name", "unknown-other-transaction", "unknown-key-refused"] {
            let reply = try AuthorizeNetSample.reply("inquire-authorize/\(path)")
            #expect(Expectation(try AuthorizeNetSample.outcome(of: call, after: [refusal, reply])) == .unknown)
        }
    }

    @Test("is ours to mend where there is nothing that it was done to")
    func authorizations() throws {
        let call = try Sample.call(.authorize, credential: Sample.credential(.pspToken))
        let outcome = try AuthorizeNetSample.outcome(of: call, after: [Self.refusal("54")])
        #expect(Expectation(outcome) == .rejected(.configuration))
    }
}
