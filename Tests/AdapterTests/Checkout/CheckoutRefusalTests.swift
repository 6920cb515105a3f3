import AdapterKit
import CheckoutAdapter
import Domain
import StrictJSON
import Testing

@Suite("A capture, void or refund that Checkout.com refused")
struct CheckoutRefusalTests {
    static let forbidden = CheckoutSample.reply(403)

    static func call(_ operation: SampleOperation, amount: Int64 = 10_000) throws -> Call {
        try Sample.call(operation, reference: CheckoutSample.payment, amount: amount)
    }

    static func explained(_ operation: SampleOperation, _ refusal: WireReply, by payment: JSON) throws -> Expectation {
        let call = try call(operation)
        let replies = [refusal, CheckoutSample.reply(200, payment)]
        return Expectation(try CheckoutSample.outcome(of: call, after: replies))
    }

    @Test("is explained by the payment, which is read without any effect", arguments: [403, 422])
    func reads(status: Int) throws {
        for operation in [SampleOperation.capture, .void, .refund] {
            let refusal = CheckoutSample.reply(status, CheckoutSample.refusal(["action_not_allowed"]))
            let request = try CheckoutSample.request(Self.call(operation), after: [Exchange(reply: refusal)])
            #expect(request.method == .get && !request.canMoveMoney)
            #expect(request.url == "https://psp.example/payments/\(CheckoutSample.payment)")
        }
    }

    @Test(
        "is refused for what the payment's state says",
        arguments: [
            (.capture, CheckoutSample.found("Captured", captured: 10_000), .alreadyCaptured),
            // No capture took all that is to be captured, and nothing is left: the rest was released.
            (.capture, CheckoutSample.found("Partially Captured", captured: 4000, voided: 6000), .alreadyVoided),
            (.capture, CheckoutSample.found("Captured", captured: 4000, voided: 6000), .alreadyVoided),
            (.capture, CheckoutSample.found("Refunded", captured: 4000, voided: 6000, refunded: 4000), .alreadyVoided),
            (.capture, CheckoutSample.found("Refunded", captured: 10_000, refunded: 10_000), .alreadyCaptured),
            (.capture, CheckoutSample.found("Partially Refunded", captured: 4000, refunded: 1000), .amountTooLarge),
            (.capture, CheckoutSample.found("Refunded", captured: 4000, refunded: 4000), .amountTooLarge),
            (.capture, CheckoutSample.found("Voided", voided: 10_000), .alreadyVoided),
            (.capture, CheckoutSample.found("Canceled", authorized: 0), .alreadyVoided),
            (.capture, CheckoutSample.found("Expired", voided: 10_000), .expired),
            (.capture, CheckoutSample.found("Declined", authorized: 0), .unsupported),
            (.capture, CheckoutSample.found("Pending", authorized: 0), .unsupported),
            (.capture, CheckoutSample.found("Partially Captured", captured: 4000), .amountTooLarge),
            (.void, CheckoutSample.found("Captured", captured: 10_000), .alreadyCaptured),
            (.void, CheckoutSample.found("Partially Captured", captured: 4000, voided: 6000), .alreadyCaptured),
            (.void, CheckoutSample.found("Partially Refunded", captured: 10_000, refunded: 1), .alreadyCaptured),
            (.void, CheckoutSample.found("Voided", voided: 10_000), .alreadyVoided),
            (.void, CheckoutSample.found("Canceled", authorized: 0), .alreadyVoided),
            (.void, CheckoutSample.found("Declined", authorized: 0), .alreadyVoided),
            (.void, CheckoutSample.found("Expired", voided: 10_000), .expired),
            (.void, CheckoutSample.found("Pending", authorized: 0), .unsupported),
            (.refund, CheckoutSample.found("Authorized"), .notSettledYet),
            (.refund, CheckoutSample.found("Partially Captured", captured: 4000), .amountTooLarge),
            (.refund, CheckoutSample.found("Partially Refunded", captured: 10_000, refunded: 1), .amountTooLarge),
            (.refund, CheckoutSample.found("Refunded", captured: 10_000, refunded: 10_000), .amountTooLarge),
            (.refund, CheckoutSample.found("Voided", voided: 10_000), .alreadyVoided),
            (.refund, CheckoutSample.found("Expired", voided: 10_000), .expired),
            (.refund, CheckoutSample.found("Declined", authorized: 0), .unsupported),
        ] as [(SampleOperation, JSON, Rejection.Reason)]
    )
    func states(operation: SampleOperation, payment: JSON, reason: Rejection.Reason) throws {
        #expect(try Self.explained(operation, Self.forbidden, by: payment) == .rejected(reason))
        let invalid = CheckoutSample.reply(422, CheckoutSample.refusal(["payment_invalid"]))
        #expect(try Self.explained(operation, invalid, by: payment) == .rejected(reason))
    }

    @Test(
        "because it is captured or released says what was captured",
        arguments: [
            (.capture, CheckoutSample.found("Partially Captured", captured: 4000, voided: 6000), 4000),
            (.capture, CheckoutSample.found("Captured", captured: 10_000), 10_000),
            (.capture, CheckoutSample.found("Refunded", captured: 10_000, refunded: 10_000), 10_000),
            (.void, CheckoutSample.found("Captured", captured: 10_000), 10_000),
            (.void, CheckoutSample.found("Partially Captured", captured: 4000, voided: 6000), 4000),
            (.capture, CheckoutSample.found("Expired", captured: 4000, voided: 6000), 4000),
            (.capture, CheckoutSample.found("Partially Captured", captured: 4000), nil),
        ] as [(SampleOperation, JSON, Int64?)]
    )
    func capturedOtherwise(operation: SampleOperation, payment: JSON, captured: Int64?) throws {
        let replies = [Self.forbidden, CheckoutSample.reply(200, payment)]
        let outcome = try CheckoutSample.outcome(of: Self.call(operation), after: replies)
        guard case .rejected(let rejection) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(rejection.captured == captured)
    }

    @Test(
        "although the payment allows it is in doubt if forbidden, and refused if the request was wrong",
        arguments: [
            (.capture, CheckoutSample.found("Authorized")),
            (.void, CheckoutSample.found("Authorized")),
            (.void, CheckoutSample.found("Partially Captured", captured: 4000)),
            (.void, CheckoutSample.found("Partially Refunded", captured: 4000, refunded: 1000)),
            // Our own capture may be on its way, and does not show yet.
            (.capture, CheckoutSample.found("Partially Captured", captured: 4000, onItsWay: 6000)),
            (.void, CheckoutSample.found("Partially Captured", captured: 4000, onItsWay: 6000)),
            (.refund, CheckoutSample.found("Captured", captured: 10_000)),
            (.refund, CheckoutSample.found("Partially Captured", captured: 10_000)),
        ] as [(SampleOperation, JSON)]
    )
    func allowed(operation: SampleOperation, payment: JSON) throws {
        #expect(try Self.explained(operation, Self.forbidden, by: payment) == .unknown)
        let wrong = CheckoutSample.reply(422, CheckoutSample.refusal(["reference_invalid"]))
        #expect(try Self.explained(operation, wrong, by: payment) == .rejected(.configuration))
        let tooMuch = CheckoutSample.reply(422, CheckoutSample.refusal(["capture_value_greater_than_authorized"]))
        #expect(try Self.explained(operation, tooMuch, by: payment) == .rejected(.amountTooLarge))
    }

    @Test("is in doubt if the payment cannot be read, is another one, or in an undocumented state")
    func unreadable() throws {
        var other = CheckoutSample.found("Captured", captured: 10_000)
        if case .object(let members) = other {
            other = .object(members.map { $0.key == "id" ? JSON.Member("id", "pay_other") : $0 })
        }
        let replies = [
            CheckoutSample.reply(200, other), CheckoutSample.reply(200, CheckoutSample.found("Half Captured")),
            CheckoutSample.reply(200, .array([])), CheckoutSample.reply(404), CheckoutSample.reply(500),
            WireReply(status: 200, headers: [Header("Content-Type", "text/html")], body: Array("<html>".utf8)),
        ]
        for operation in [SampleOperation.capture, .void, .refund] {
            for reply in replies {
                let outcome = try CheckoutSample.outcome(of: Self.call(operation), after: [Self.forbidden, reply])
                #expect(Expectation(outcome) == .unknown)
            }
        }
    }

    @Test("after a search is explained as if the payment had been known")
    func afterSearch() throws {
        let found = try Conversation.reply("checkout/void/pending-by-search.1")
        let captured = CheckoutSample.reply(200, CheckoutSample.found("Captured", captured: 10_000))
        let outcome = try CheckoutSample.outcome(
            of: Sample.call(.void),
            after: [found, Self.forbidden, captured]
        )
        #expect(Expectation(outcome) == .rejected(.alreadyCaptured))
    }

    @Test(
        "with a card's own data wrong is a decline, and only of an authorization",
        arguments: [
            ("card_expired", .declined(.expiredCard)), ("card_number_invalid", .declined(.invalidCard)),
            ("card_expiry_year_invalid", .declined(.invalidCard)), ("card_disabled", .declined(.notPermitted)),
            ("amount_invalid", .rejected(.unsupported)), ("token_used", .rejected(.configuration)),
            ("of_next_year", .rejected(.configuration)),
        ] as [(String, Expectation)]
    )
    func cardData(code: String, expectation: Expectation) throws {
        let reply = CheckoutSample.reply(422, CheckoutSample.refusal([code]))
        let call = try Sample.call(.authorize, credential: Sample.credential(.pspToken))
        #expect(Expectation(try CheckoutSample.outcome(of: call, after: [reply])) == expectation)
        let payment = CheckoutSample.found("Authorized")
        guard case .rejected = try Self.explained(.capture, reply, by: payment) else {
            Issue.record("a capture is declined because of a card's data")
            return
        }
    }
}
