import AdapterKit
import Domain
import StrictJSON
import StripeAdapter
import Testing

@Suite("Stripe's decline codes")
struct StripeDeclineTests {
    /// Codes after which Stripe advises trying the same card again, at once or later.
    static let soft = """
        try_again_later issuer_not_available processing_error reenter_transaction approve_with_id insufficient_funds \
        card_velocity_exceeded withdrawal_count_limit_exceeded duplicate_transaction generic_decline do_not_honor
        """
    /// Codes after which the buyer has to do something.
    static let customerStep = """
        authentication_required offline_pin_required online_or_offline_pin_required incorrect_pin invalid_pin \
        call_issuer incorrect_zip incorrect_cvc invalid_cvc
        """
    /// Codes after which the same card is not to be tried again.
    static let hard = """
        lost_card stolen_card pickup_card restricted_card fraudulent merchant_blacklist expired_card invalid_account \
        invalid_number incorrect_number invalid_expiry_month invalid_expiry_year card_not_supported \
        currency_not_supported transaction_not_allowed service_not_allowed security_violation stop_payment_order \
        revocation_of_authorization revocation_of_all_authorizations not_permitted do_not_try_again \
        new_account_information_available no_action_taken pin_try_exceeded invalid_amount testmode_decline
        """

    static func words(_ list: String) -> [String] { list.split(separator: " ").map { String($0) } }

    @Test("that are soft are retryable", arguments: words(soft))
    func softCodes(code: String) throws {
        #expect(try #require(StripeDeclines.category(code)).isRetryableDecline)
    }

    @Test("that are hard are not retryable", arguments: words(hard))
    func hardCodes(code: String) throws {
        #expect(try !#require(StripeDeclines.category(code)).isRetryableDecline)
    }

    @Test("that ask for a step of the buyer have a category", arguments: words(customerStep))
    func customerSteps(code: String) {
        #expect(StripeDeclines.category(code) != nil)
    }

    @Test(
        "fall into the category a checkout would show",
        arguments: [
            ("insufficient_funds", .insufficientFunds), ("expired_card", .expiredCard), ("stolen_card", .lostOrStolen),
            ("pickup_card", .lostOrStolen), ("fraudulent", .suspectedFraud), ("merchant_blacklist", .suspectedFraud),
            ("authentication_required", .authenticationRequired), ("incorrect_cvc", .invalidCard),
            ("invalid_account", .invalidCard), ("card_not_supported", .notPermitted),
            ("withdrawal_count_limit_exceeded", .limitExceeded), ("issuer_not_available", .temporary),
            ("do_not_honor", .generic), ("payment_intent_payment_attempt_expired", .actionExpired),
        ] as [(String, Decline.Category)]
    )
    func categories(code: String, category: Decline.Category) {
        #expect(StripeDeclines.category(code) == category)
    }

    @Test("reach the outcome with the raw code", arguments: words(soft) + words(customerStep) + words(hard))
    func outcomes(code: String) throws {
        let decline = try Self.decline(["type": "card_error", "code": "card_declined", "decline_code": .string(code)])
        #expect(decline.code == code)
        #expect(decline.category == StripeDeclines.category(code))
    }

    @Test(
        "without a category take Stripe's own code, then the issuer's advice",
        arguments: [
            ("of_next_year", "expired_card", nil, .expiredCard), ("of_next_year", "card_declined", nil, .generic),
            ("of_next_year", "card_declined", "do_not_try_again", .notPermitted),
            ("generic_decline", "card_declined", "confirm_card_data", .invalidCard),
            ("do_not_honor", "card_declined", "try_again_later", .temporary),
            ("lost_card", "card_declined", "try_again_later", .lostOrStolen),
        ] as [(String, String, String?, Decline.Category)]
    )
    func fallback(declineCode: String, code: String, advice: String?, category: Decline.Category) throws {
        let decline = try Self.decline([
            "type": "card_error", "code": .string(code), "decline_code": .string(declineCode),
            "advice_code": .optional(advice),
        ])
        #expect(decline.code == declineCode)
        #expect(decline.category == category)
    }

    static func decline(_ error: JSON) throws -> Decline {
        let call = try Sample.call(.authorize, credential: .pspToken(Secret("pm_1sample")))
        let reply = StripeOutcomeTests.reply(402, ["error": error])
        guard case .declined(let decline) = try StripeOutcomeTests.outcome(of: call, after: [reply]) else {
            Issue.record("no decline")
            return Decline(code: "", category: .generic, message: "")
        }
        return decline
    }
}

/// Whether a decline of the category may be tried again.
extension Decline.Category {
    var isRetryableDecline: Bool { Decline(code: "", category: self, message: "").isRetryable }
}
