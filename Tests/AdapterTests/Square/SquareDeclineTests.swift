import AdapterKit
import Domain
import SquareAdapter
import StrictJSON
import Testing

@Suite("Square's error codes")
struct SquareDeclineTests {
    /// Codes that decline, by category; the remaining ones refuse the request or leave doubt.
    static let declines: [(Decline.Category, String)] = [
        (.insufficientFunds, "INSUFFICIENT_FUNDS GIFT_CARD_AVAILABLE_AMOUNT"),
        (.expiredCard, "CARD_EXPIRED"),
        (
            .invalidCard,
            """
            ADDRESS_VERIFICATION_FAILURE BAD_EXPIRATION CVV_FAILURE EXPIRATION_FAILURE INVALID_ACCOUNT INVALID_CARD \
            INVALID_CARD_DATA INVALID_ENCRYPTED_CARD INVALID_EXPIRATION INVALID_EXPIRATION_DATE \
            INVALID_EXPIRATION_YEAR INVALID_POSTAL_CODE PAN_FAILURE VERIFY_AVS_FAILURE VERIFY_CVV_FAILURE
            """
        ),
        (
            .authenticationRequired,
            "APPLE_TTP_PIN_TOKEN CARD_DECLINED_VERIFICATION_REQUIRED INVALID_PIN MISSING_PIN"
        ),
        (
            .notPermitted,
            """
            ACCOUNT_UNUSABLE ALLOWABLE_PIN_TRIES_EXCEEDED BUYER_REFUSED_PAYMENT CARDHOLDER_INSUFFICIENT_PERMISSIONS \
            CARD_NOT_SUPPORTED CHIP_INSERTION_REQUIRED CURRENCY_MISMATCH MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED \
            PAYMENT_LIMIT_EXCEEDED UNSUPPORTED_CARD_BRAND UNSUPPORTED_ENTRY_METHOD
            """
        ),
        (.limitExceeded, "AMOUNT_TOO_HIGH TRANSACTION_LIMIT"),
        (.generic, "CARD_DECLINED CARD_DECLINED_CALL_ISSUER GENERIC_DECLINE READER_DECLINED VOICE_FAILURE"),
    ]

    /// Every declining code with its category.
    static let rows: [(String, Decline.Category)] = declines.flatMap { category, codes in
        codes.split(separator: " ").map { (String($0), category) }
    }

    /// The codes of a payment method's errors that refuse our request, or ask for it again.
    static let refusals: [(String, Expectation)] = [
        ("INSUFFICIENT_PERMISSIONS", .rejected(.configuration)), ("INVALID_FEES", .rejected(.unsupported)),
        ("INVALID_LOCATION", .rejected(.configuration)), ("MISSING_ACCOUNT_TYPE", .rejected(.configuration)),
        ("PAYMENT_AMOUNT_MISMATCH", .rejected(.configuration)), ("TEMPORARY_ERROR", .unknown),
    ]

    static func authorization(_ category: String, _ code: String, status: Int = 402) throws -> Outcome {
        try SquareSample.outcome(
            SquareSample.call(.authorize),
            after: [SquareSample.refusal(status, category, code)]
        )
    }

    @Test("of declines have the category a checkout would show, and keep the raw code", arguments: rows)
    func outcomes(code: String, category: Decline.Category) throws {
        #expect(SquareDeclines.category(code) == category)
        for status in [400, 402] {
            guard case .declined(let decline) = try Self.authorization("PAYMENT_METHOD_ERROR", code, status: status)
            else {
                Issue.record("no decline")
                return
            }
            #expect(decline.code == code && decline.category == category)
        }
    }

    @Test("are all of the table's")
    func isComplete() {
        #expect(SquareDeclines.codes == Self.rows.map(\.0).sorted())
    }

    @Test(
        "that Square lists for payment methods are all known",
        arguments: try SquareSpec().codes(of: "PAYMENT_METHOD_ERROR")
    )
    func paymentMethodErrors(code: String) {
        let isRefusal = Self.refusals.contains { $0.0 == code }
        #expect((SquareDeclines.category(code) != nil) != isRefusal, "\(code)")
    }

    @Test("of a payment method that are no declines", arguments: refusals)
    func noDeclines(code: String, expectation: Expectation) throws {
        #expect(Expectation(try Self.authorization("PAYMENT_METHOD_ERROR", code)) == expectation)
    }

    @Test("decline nothing that does not ask the issuer", arguments: rows)
    func voidsAndRefunds(code: String, category: Decline.Category) throws {
        let reply = SquareSample.refusal(400, "PAYMENT_METHOD_ERROR", code)
        let refund = try SquareSample.outcome(SquareSample.call(.refund), after: [reply])
        let held = SquareSample.shown("APPROVED")
        let void = try SquareSample.outcome(SquareSample.call(.void), after: [reply, held])
        for outcome in [refund, void] {
            guard case .rejected = outcome else {
                Issue.record("\(outcome)")
                return
            }
        }
    }

    @Test(
        "under a status that does not go with them leave doubt",
        arguments: ["GENERIC_DECLINE", "INSUFFICIENT_FUNDS"],
        [200, 201, 302, 401, 403, 404, 408, 409, 422, 429, 500, 502, 503, 504]
    )
    func otherStatuses(code: String, status: Int) throws {
        #expect(Expectation(try Self.authorization("PAYMENT_METHOD_ERROR", code, status: status)) == .unknown)
    }

    @Test(
        "of other categories leave doubt",
        arguments: ["API_ERROR", "RATE_LIMIT_ERROR", "MERCHANT_SUBSCRIPTION_ERROR", "EXTERNAL_VENDOR_ERROR", "REFUNDS"]
    )
    func otherCategories(category: String) throws {
        #expect(Expectation(try Self.authorization(category, "GENERIC_DECLINE")) == .unknown)
    }

    @Test(
        "of refunds",
        arguments: [
            ("REFUND_ALREADY_PENDING", .rejected(.notSettledYet)),
            ("REFUND_ERROR_PAYMENT_NEEDS_COMPLETION", .rejected(.notSettledYet)),
            ("REFUND_AMOUNT_INVALID", .rejected(.amountTooLarge)), ("PAYMENT_NOT_REFUNDABLE", .rejected(.unsupported)),
            ("PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE", .rejected(.unsupported)),
            ("REFUND_DECLINED", .rejected(.unsupported)), ("RESERVATION_DECLINED", .rejected(.unsupported)),
            ("CARD_MISMATCH", .rejected(.unsupported)),
            ("INSUFFICIENT_PERMISSIONS_FOR_REFUND", .rejected(.configuration)),
        ] as [(String, Expectation)]
    )
    func refunds(code: String, expectation: Expectation) throws {
        let refusal = SquareSample.refusal(400, "REFUND_ERROR", code)
        let call = try SquareSample.call(.refund)
        // A refund of ours may be what is in the way, so it is looked for before the refusal is believed.
        #expect(try SquareSample.request(call, after: [refusal]).url.contains("/v2/refunds?"))
        #expect(Expectation(try SquareSample.outcome(call, after: [refusal, SquareSample.answer([:])])) == expectation)
    }
}
