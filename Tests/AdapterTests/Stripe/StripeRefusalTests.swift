import AdapterKit
import Domain
import StrictJSON
import StripeAdapter
import Testing

@Suite("Stripe's refusals")
struct StripeRefusalTests {
    static let operations: [SampleOperation] = [.authorize, .capture, .void, .refund]

    static func outcome(
        _ operation: SampleOperation,
        _ status: Int,
        code: String?,
        intentStatus: String? = nil,
        cancellationReason: String? = nil
    ) throws -> Expectation {
        var error: [JSON.Member] = [JSON.Member("type", "invalid_request_error")]
        if let code { error.append(JSON.Member("code", .string(code))) }
        if let intentStatus {
            let intent: JSON = [
                "id": .string(StripeOutcomeTests.intent), "object": "payment_intent", "amount": 10_000,
                "currency": "usd", "status": .string(intentStatus),
                "cancellation_reason": .optional(cancellationReason),
                "metadata": ["attempt": "att_01ka5xxqkfbf5kznwj47tan9zt"],
            ]
            error.append(JSON.Member("payment_intent", intent))
        }
        let call = try Sample.call(
            operation,
            credential: .pspToken(Secret("pm_1sample")),
            reference: operation == .authorize ? nil : StripeOutcomeTests.intent
        )
        let reply = StripeOutcomeTests.reply(status, ["error": .object(error)])
        return Expectation(try StripeOutcomeTests.outcome(of: call, after: [reply]))
    }

    @Test(
        "for an unexpected state say what the intent's state says",
        arguments: [
            (.capture, "succeeded", nil, .rejected(.alreadyCaptured)),
            (.void, "succeeded", nil, .rejected(.alreadyCaptured)), (.refund, "succeeded", nil, .unknown),
            (.capture, "canceled", "requested_by_customer", .rejected(.alreadyVoided)),
            (.void, "canceled", nil, .rejected(.alreadyVoided)), (.refund, "canceled", nil, .rejected(.alreadyVoided)),
            (.capture, "canceled", "automatic", .rejected(.expired)),
            (.void, "canceled", "expired", .rejected(.expired)),
            (.refund, "requires_capture", nil, .rejected(.notSettledYet)),
            (.refund, "processing", nil, .rejected(.notSettledYet)), (.capture, "requires_capture", nil, .unknown),
            (.void, "requires_capture", nil, .unknown), (.void, "processing", nil, .unknown),
            (.capture, "processing", nil, .unknown), (.capture, "requires_action", nil, .rejected(.unsupported)),
            (.refund, "requires_payment_method", nil, .rejected(.unsupported)),
            (.capture, "of_next_year", nil, .unknown), (.authorize, "requires_capture", nil, .unknown),
            (.authorize, "succeeded", nil, .unknown), (.authorize, "processing", nil, .unknown),
        ] as [(SampleOperation, String, String?, Expectation)]
    )
    func unexpectedState(
        operation: SampleOperation,
        status: String,
        reason: String?,
        expectation: Expectation
    ) throws {
        let code = "payment_intent_unexpected_state"
        #expect(
            try Self.outcome(operation, 400, code: code, intentStatus: status, cancellationReason: reason)
                == expectation
        )
    }

    @Test("that do not tell the intent's state leave doubt", arguments: operations)
    func untoldState(operation: SampleOperation) throws {
        #expect(try Self.outcome(operation, 400, code: "payment_intent_unexpected_state") == .unknown)
    }

    @Test(
        "by code",
        arguments: [
            (.capture, "charge_already_captured", .rejected(.alreadyCaptured)),
            (.capture, "charge_expired_for_capture", .rejected(.expired)),
            (.capture, "capture_charge_authorization_expired", .rejected(.expired)),
            (.capture, "charge_already_refunded", .rejected(.alreadyVoided)),
            (.void, "charge_already_refunded", .rejected(.alreadyVoided)),
            (.refund, "charge_already_refunded", .rejected(.amountTooLarge)),
            (.refund, "amount_too_large", .rejected(.amountTooLarge)),
            (.capture, "amount_too_large", .rejected(.amountTooLarge)),
            (.authorize, "amount_too_large", .rejected(.unsupported)),
            (.authorize, "resource_missing", .rejected(.configuration)),
            (.capture, "resource_missing", .rejected(.notFound)), (.void, "resource_missing", .rejected(.notFound)),
            (.refund, "resource_missing", .rejected(.notFound)),
            (.authorize, "amount_too_small", .rejected(.unsupported)),
            (.authorize, "parameter_unknown", .rejected(.configuration)), (.refund, nil, .rejected(.configuration)),
            (.authorize, "payment_intent_authentication_failure", .declined(.authenticationRequired)),
            (.authorize, "payment_intent_payment_attempt_failed", .declined(.generic)),
            (.refund, "payment_intent_payment_attempt_failed", .rejected(.configuration)),
        ] as [(SampleOperation, String?, Expectation)]
    )
    func byCode(operation: SampleOperation, code: String?, expectation: Expectation) throws {
        #expect(try Self.outcome(operation, 400, code: code) == expectation)
    }

    @Test("of the key are a matter of configuration, whatever the code", arguments: operations, [401, 403])
    func keys(operation: SampleOperation, status: Int) throws {
        #expect(try Self.outcome(operation, status, code: "resource_missing") == .rejected(.configuration))
    }

    @Test("by a limit, a lock, a clash or a fault leave doubt", arguments: operations, [409, 424, 429, 500, 503])
    func doubts(operation: SampleOperation, status: Int) throws {
        for code in ["rate_limit", "lock_timeout", "idempotency_key_in_use", "card_declined"] {
            #expect(try Self.outcome(operation, status, code: code) == .unknown)
        }
    }
}
