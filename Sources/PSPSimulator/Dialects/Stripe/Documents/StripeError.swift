import StrictJSON

/// Stripe's errors.
enum StripeError {
    /// What Stripe says of a decline: the error's code, the issuer's, and what to do.
    struct Word {
        let code: String
        var declineCode: String?
        var advice: String?
    }

    /// Stripe's words for a decline, from docs.stripe.com/declines/codes, read 2026.
    static func word(_ code: DeclineCode) -> Word {
        switch code {
        case .insufficientFunds:
            Word(code: "card_declined", declineCode: "insufficient_funds", advice: "try_again_later")
        case .expiredCard: Word(code: "expired_card", declineCode: "expired_card", advice: "do_not_try_again")
        case .invalidCard:
            Word(code: "incorrect_number", declineCode: "incorrect_number", advice: "confirm_card_data")
        case .lostOrStolen: Word(code: "card_declined", declineCode: "lost_card", advice: "do_not_try_again")
        case .suspectedFraud: Word(code: "card_declined", declineCode: "fraudulent", advice: "do_not_try_again")
        case .authenticationRequired:
            Word(code: "authentication_required", declineCode: "authentication_required")
        case .notPermitted:
            Word(code: "card_declined", declineCode: "transaction_not_allowed", advice: "do_not_try_again")
        case .limitExceeded:
            Word(code: "card_declined", declineCode: "card_velocity_exceeded", advice: "try_again_later")
        case .temporary: Word(code: "card_declined", declineCode: "try_again_later", advice: "try_again_later")
        case .generic: Word(code: "card_declined", declineCode: "generic_decline", advice: "try_again_later")
        case .authenticationFailed: Word(code: "payment_intent_authentication_failure")
        case .actionExpired: Word(code: "payment_intent_payment_attempt_expired")
        }
    }

    /// A decline as `last_payment_error` and `error` show it.
    static func json(_ code: DeclineCode, _ authorization: Authorization) -> JSON {
        let word = word(code)
        return .object(omittingAbsent: [
            "type": word.declineCode == nil ? "invalid_request_error" : "card_error",
            "advice_code": word.advice.map(JSON.string),
            "charge": .string(StripeDocument.chargeName(authorization)),
            "code": .string(word.code),
            "decline_code": word.declineCode.map(JSON.string),
            "doc_url": .string("https://stripe.com/docs/error-codes/" + word.code.replacingUnderscores),
            "message": .string(code.message),
        ])
    }

    /// The answer to a request that was declined: 402, with the payment in it.
    static func reply(declining code: DeclineCode, _ authorization: Authorization, _ origin: String) -> PSPReply {
        var members = json(code, authorization).objectValue ?? []
        members.append(JSON.Member("payment_intent", StripeDocument.payment(authorization, origin)))
        return PSPReply(402, ["error": .object(members)])
    }

    /// The answer to a request that is refused.
    static func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        let (status, type, code, message) = translation(of: refusal, request)
        var members: [JSON.Member] = []
        if let code { members.append(JSON.Member("code", .string(code))) }
        members.append(JSON.Member("message", .string(message)))
        if refusal == .amountTooLarge {
            let isRefund = request.path.hasPrefix("/v1/refunds")
            members.append(JSON.Member("param", isRefund ? "amount" : "amount_to_capture"))
        }
        members.append(JSON.Member("type", .string(type)))
        if code == unexpectedState, let authorization {
            members.append(JSON.Member("payment_intent", StripeDocument.payment(authorization, request.origin)))
        }
        return PSPReply(status, ["error": .object(members)])
    }

    private static let unexpectedState = "payment_intent_unexpected_state"

    private static func translation(
        of refusal: Refusal,
        _ request: PSPRequest
    ) -> (status: Int, type: String, code: String?, message: String) {
        let invalid = "invalid_request_error"
        switch refusal {
        case .unauthorized: return (401, invalid, nil, "Invalid API Key provided.")
        case .notFound:
            let isNamedByPath = request.path != "/v1/refunds"
            return (isNamedByPath ? 404 : 400, invalid, "resource_missing", "No such object.")
        case .keyMismatch:
            return (
                400, "idempotency_error", nil,
                "Keys for idempotent requests can only be used with the same parameters they were first used with."
            )
        case .inProgress:
            return (429, invalid, "lock_timeout", "This object cannot be accessed right now; try again.")
        case .configuration: return (403, invalid, "account_invalid", refusal.message)
        case .unsupported: return (400, invalid, "payment_method_unactivated", refusal.message)
        case .alreadyCaptured, .alreadyVoided, .expired, .notAuthorized, .alreadyNamed:
            return (400, invalid, unexpectedState, "The PaymentIntent's status does not allow this: \(refusal.message)")
        case .amountTooLarge:
            guard request.path.hasPrefix("/v1/refunds") else {
                return (400, invalid, "amount_too_large", refusal.message)
            }
            return (400, invalid, nil, "Refund amount is greater than unrefunded amount on charge.")
        case .notCaptured, .notSettledYet: return (400, invalid, unexpectedState, refusal.message)
        case .tooLarge: return (413, invalid, nil, refusal.message)
        default:
            let isNamed = refusal.code == "invalid_token"
            let code = isNamed ? "resource_missing" : refusal.code == "invalid_request" ? nil : refusal.code
            return (refusal.status, invalid, code, refusal.message)
        }
    }
}

extension String {
    /// The text with hyphens in place of underscores, as in Stripe's links.
    fileprivate var replacingUnderscores: String { String(map { $0 == "_" ? "-" : $0 }) }
}
