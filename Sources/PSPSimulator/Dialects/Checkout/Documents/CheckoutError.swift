import StrictJSON

/// Checkout.com's refusals: 422 with codes, or a status that says all.
enum CheckoutError {
    /// The answer to a request that is refused.
    static func reply(
        refusing refusal: Refusal,
        to request: PSPRequest,
        about authorization: Authorization?
    ) -> PSPReply {
        if request.path.hasSuffix("/reversals"), let authorization,
            let done = CheckoutDocument.reversed(authorization, request.origin)
        {
            return CheckoutReply.reply(200, done)
        }
        return switch refusal {
        case .unauthorized: CheckoutReply.empty(401)
        case .alreadyCaptured, .alreadyVoided, .expired, .inProgress, .notAuthorized, .notCaptured, .notSettledYet:
            CheckoutReply.empty(403)
        case .notFound: CheckoutReply.empty(404)
        case .keyMismatch: CheckoutReply.error(409, "request_invalid", "idempotency_key_in_use")
        case .tooLarge: CheckoutReply.empty(413)
        case .amountTooLarge: CheckoutReply.error(422, "processing_error", amountCode(request, authorization))
        case .configuration: CheckoutReply.error(422, "processing_error", "business_settings_missing")
        case .unsupported: CheckoutReply.error(422, "processing_error", "payment_method_invalid")
        default:
            switch refusal.code {
            case "invalid_token": CheckoutReply.error(422, "processing_error", "token_invalid")
            case "invalid_request": CheckoutReply.error(422, "request_invalid", "request_invalid")
            default: CheckoutReply.error(422, "request_invalid", refusal.code)
            }
        }
    }

    private static func amountCode(_ request: PSPRequest, _ authorization: Authorization?) -> String {
        guard request.path.hasSuffix("/captures") else { return "refund_amount_exceeds_balance" }
        let amount = (try? request.json())?["amount"]?.integerValue ?? 0
        return amount > authorization?.authorized ?? 0
            ? "capture_value_greater_than_authorized" : "capture_value_greater_than_remaining_authorized"
    }
}
