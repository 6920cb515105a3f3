import StrictJSON

/// Worldpay's errors: a name, a sentence, and where in the body or the head it is.
enum WorldpayError {
    /// The answer to a request that is refused.
    static func reply(refusing refusal: Refusal, to request: PSPRequest) -> PSPReply {
        let isSplit = request.path.hasPrefix("/splitPayments")
        switch refusal {
        case .unauthorized where isSplit:
            return reply(401, "unauthorizedAccess", "The provided secret does not contain valid authentication.")
        case .unauthorized:
            return reply(401, "accessDenied", "Access to the requested resource has been denied.")
        case .notFound where request.path.hasPrefix("/paymentQueries"):
            return reply(404, "paymentNotFound", "The payment you are trying to access does not exist.")
        case .notFound: return reply(404, "endpointNotFound", "Requested endpoint was not found.")
        case .configuration:
            return reply(400, "entityIsNotConfigured", "Entity is not configured to use this resource.")
        case .unsupported: return reply(400, "paymentInstrumentIsNotSupported", refusal.message)
        case .amountTooLarge: return violation("fieldHasInvalidValue", "$.value.amount")
        case .tooLarge: return reply(413, "bodyIsTooLarge", refusal.message)
        default: break
        }
        switch refusal.code {
        case "invalid_token": return violation("fieldHasInvalidValue", "$.instruction.paymentInstrument")
        case "invalid_request" where request.body.isEmpty:
            return reply(400, "bodyIsEmpty", "The body within the request is empty.")
        case "invalid_request": return reply(400, "bodyIsNotJson", "The body within the request is not valid json.")
        case "headerIsMissing", "headerHasInvalidValue":
            let name = JSON.Member("headerName", .string(refusal.message))
            return reply(refusal.status, refusal.code, "A valid header must be provided.", [name])
        case let code where refusal.status == 400 && refusal.message.hasPrefix("$"):
            return violation(code, refusal.message)
        default: return reply(refusal.status, refusal.code, refusal.message)
        }
    }

    /// An error.
    static func reply(_ status: Int, _ name: String, _ message: String, _ more: [JSON.Member] = []) -> PSPReply {
        PSPReply(
            status,
            .object([JSON.Member("errorName", .string(name)), JSON.Member("message", .string(message))] + more)
        )
    }

    private static func violation(_ name: String, _ path: String) -> PSPReply {
        let error: JSON = [
            "errorName": .string(name), "message": .string("Field at path is wrong: \(name)."),
            "jsonPath": .string(path),
        ]
        return reply(
            400,
            "bodyDoesNotMatchSchema",
            "A JSON body matching the expected schema must be provided.",
            [JSON.Member("validationErrors", [error])]
        )
    }
}
